"""Why a second charge exists: a bad and a good journal per cause, and what each sentence claims.

The bad journal of a cause is judged a duplicate by it; the good one is of a client that differs in
nothing but the remedy, and nobody is blamed.
"""

from pathlib import Path

import pytest
from history import BASE, ORDER
from msgspec import json

from fakestripe import verdict
from fakestripe.verdict.causes import CAUSES

JOURNALS = Path(__file__).parent / "journals"


def judged(name):
    lines = (JOURNALS / f"{name}.jsonl").read_bytes().splitlines()
    return verdict.judge(json.decode(line) for line in lines)


@pytest.mark.parametrize("cause", CAUSES)
def test_a_bad_journal_is_blamed_on_its_cause(cause):
    found = judged(f"{cause}-bad")

    assert (found.word, found.cause) == ("duplicate", cause)
    assert ("server_made" in found.worst.flags) == CAUSES[cause].server_made
    assert found.worst.remedy == CAUSES[cause].remedy


@pytest.mark.parametrize("cause", CAUSES)
def test_a_good_journal_is_blamed_for_nothing(cause):
    found = judged(f"{cause}-good")

    assert (found.word, found.cause, found.hazard) == ("clean", None, None)


def doubled(history, first=None, second=None, *, lost=True, gap=1.0):
    """ord_1 charged twice, told nothing in between."""
    h = history()
    h.intent("ord_1")
    h.post(charge="ch_A", lost=lost, **{"key": "K1", **(first or {})})
    h.post(charge="ch_B", after=gap, **{"key": "K2", **(second or {})})
    return h.judge().worst


def test_the_sentence_of_a_fresh_key(history):
    found = doubled(history, {"key": "a1b2c3d4e5f6"}, {"key": "f6e5d4c3b2a1"})

    assert found.explanation == (
        "ch_B (ch_B) was created beside ch_A (ch_A), because the idempotency key changed between "
        "attempt 1 and attempt 2."
    )
    assert found.difference == "idempotency key 'a1b2c3d4e5f6' became 'f6e5d4c3b2a1'"
    assert found.pair == (1, 2)


@pytest.mark.parametrize(
    ("keys", "agent", "which", "who"),
    [
        ((None, None), "x", "neither attempt carried an", "the client"),
        ((None, "K"), "x", "attempt 1 carried no", "the client"),
        (("K", None), "x", "attempt 2 carried no", "the client"),
        (
            (None, None),
            "python-requests/2.34",
            "neither attempt carried an",
            "your code or its HTTP library",
        ),
    ],
    ids=str,
)
def test_the_sentence_of_a_lacking_key(history, keys, agent, which, who):
    first, second = ({"key": key, "user_agent": agent} for key in keys)
    sentence = f"because {which} idempotency key, and {who} sent it again"

    assert sentence in doubled(history, first, second).explanation


def test_the_sentence_of_a_resend_names_stack_gap_and_connections(history):
    curl = {"key": None, "user_agent": "curl/8.5.0", "digest": "same"}
    first = {**curl, "connection": 5, "request_on_connection": 2, "faults": ("reset",)}
    found = doubled(history, first, {**curl, "connection": 7}, gap=0.011)

    assert found.explanation == (
        "ch_B (ch_B) was created beside ch_A (ch_A), because libcurl sent the request again by "
        "itself, not your code: at +11.0 ms on connection 7, a byte-identical copy of the one "
        "that connection 5 (reused) lost."
    )
    assert found.difference == "none: the same request twice, without a key"


def test_a_stack_that_resends_on_any_connection_may_have_lost_a_fresh_one(history):
    java = {"key": None, "user_agent": "Java/17.0.9", "digest": "same"}

    assert "connection 1 (fresh)" in doubled(history, java, java, gap=0.011).explanation


@pytest.mark.parametrize("replicas", [1, 3])
def test_an_overlap_is_another_sender(history, replicas):
    h = history(replicas=replicas)
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lasts=5.0)
    h.post("K2", charge="ch_B")
    found = h.judge().worst

    who = "another replica" if replicas == 3 else "another replica, thread or submit"
    assert found.cause == "replicas"
    assert f"because {who} sent it 1.0 s after ch_A's request, which had not" in found.explanation


def test_with_replicas_what_was_delivered_was_sent_again_by_another(history):
    h = history(replicas=3)
    h.intent("ord_1")
    h.post(None, charge="ch_A")
    h.post(None, charge="ch_B", after=4.0)
    found = h.judge().worst

    assert found.cause == "replicas"
    assert (
        "another replica sent it 4.0 s later although ch_A had been delivered, and neither "
        "carried an idempotency key"
    ) in found.explanation


def test_a_second_submission_is_told_with_its_gap(history):
    found = doubled(history, lost=False, gap=2.5)

    assert found.cause == "separate_submissions"
    assert "submitted 2.5 s after ch_A, whose answer had already been" in found.explanation


def test_an_outcome_that_was_never_resolved_is_told_with_its_gap(history):
    """D17: a 429, a 401, a 409 or a mismatch on the way says nothing about the first send."""
    for answer in (
        {"status": 429},
        {"status": 401},
        {"status": 409, "key_state": "in_flight"},
        {"status": 400, "key_state": "mismatch", "error_type": "idempotency_error"},
    ):
        h = history()
        h.intent("ord_1")
        h.post("K1", charge="ch_A", lost=True)
        h.advance(900)
        h.post("K1", **answer)
        h.advance(72 * 3600 - 902)
        h.post("K2", charge="ch_B", after=1.0)
        found = h.judge().worst

        assert found.cause == "outcome_never_resolved"
        assert "never resolved, and 72 h later it was sent again under" in found.explanation
        assert "('K1', then 'K2')" in found.explanation


def test_a_day_that_a_rule_let_pass_is_no_gap_of_the_clients(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True)
    h.advance(90_000, "rule")
    h.post("K2", charge="ch_B")

    assert h.judge().cause == "attempt_in_key"


def test_a_drift_is_told_with_the_parameter_and_both_keys(history):
    """D01, after step 4."""
    at = [{**ORDER, "metadata[attempt_at]": str(number)} for number in (1000, 1001)]
    h = history()
    h.intent("ord_1")
    refused = {"key_state": "mismatch", "status": 400, "error_type": "idempotency_error"}
    h.post("K1", charge="ch_A", lost=True, params=at[0])
    h.post("K1", params=at[1], replayed_from=1, **refused)
    h.post("K1", params=at[0], key_state="replay", ids=("ch_A",))
    h.post("K2", charge="ch_B", params=at[1])
    found = h.judge().worst

    assert found.cause == "parameters_drifted"
    assert found.explanation == (
        "ch_B (ch_B) was created beside ch_A (ch_A), because metadata.attempt_at changed under "
        "the key 'K1', so the retry was refused (idempotency_error, arrival 2), and a new key "
        "went round the refusal."
    )
    assert found.difference == (
        "idempotency key 'K1' became 'K2'; metadata.attempt_at '1000' became '1001'"
    )


def test_a_drift_that_ended_there_made_an_orphan(history):
    """D01, after step 2."""
    at = [{**ORDER, "metadata[attempt_at]": str(number)} for number in (1000, 1001)]
    h = history(mode="check", client_exits=[1])
    h.intent("ord_1")
    refused = {"key_state": "mismatch", "status": 400, "error_type": "idempotency_error"}
    h.post("K1", charge="ch_A", lost=True, params=at[0])
    h.post("K1", params=at[1], replayed_from=1, **refused)
    found = h.judge().worst

    assert (found.verdict, found.cause) == ("orphan", "parameters_drifted")
    assert found.explanation == (
        "ch_A exists, but the client was told it failed: arrival 2 was refused because "
        "metadata.attempt_at '1000' became '1001' under the same key."
    )


def test_a_key_that_came_back_after_a_day_is_told_with_its_gap(history):
    """D03."""
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, after=0.0)
    h.advance(86_340)
    h.post("K1", key_state="replay", ids=("ch_A",), after=0.0)
    h.advance(61)
    h.post("K1", charge="ch_B", key_state="expired", replayed_from=1, after=0.0)
    found = h.judge().worst

    assert found.cause == "key_older_than_retention"
    assert (
        "the key 'K1' came back after 24 h 1 s, when the server had already" in found.explanation
    )


def test_a_key_under_another_account_names_both(history):
    found = doubled(history, {"key": "K"}, {"key": "K", "account": "acct_2"})

    assert found.cause == "key_under_another_account"
    assert "the key 'K' was sent to acct_1 and then to acct_2" in found.explanation
    assert found.difference == "account acct_1 became acct_2"


def test_a_write_window_is_told_with_its_gap(history):
    found = doubled(
        history, {"key": "K"}, {"key": "K", "forgotten_by": "cache_write_window"}, gap=0.02
    )

    assert (found.cause, found.flags) == ("cache_write_window", ("server_made",))
    assert "the same key came back after 20.0 ms, before the server's record" in found.explanation


VOLATILE = {
    "contains metadata.host, which changed from 'pod-a' to 'pod-b'": (
        {"key": "charge:pod-a", "params": {**ORDER, "metadata[host]": "pod-a"}},
        {"key": "charge:pod-b", "params": {**ORDER, "metadata[host]": "pod-b"}},
    ),
    "contains a value that changed from 'alpha' to 'beta'": (
        {"key": "ord_1-alpha"},
        {"key": "ord_1-beta"},
    ),
    "looks like a hash, and metadata.at changed with it": (
        {"key": "a" * 64, "params": {**ORDER, "metadata[at]": "1"}},
        {"key": "b" * 64, "params": {**ORDER, "metadata[at]": "2"}},
    ),
}


@pytest.mark.parametrize("sentence", VOLATILE)
def test_a_key_from_a_changing_value_says_which(history, sentence):
    found = doubled(history, *VOLATILE[sentence])

    assert found.cause == "volatile_value_in_key"
    assert f"because the idempotency key {sentence}" in found.explanation


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"key": "a" * 64}, {"key": "b" * 64}),
        (
            {"key": "1f" * 16, "params": {**ORDER, "metadata[try]": "1"}},
            {"key": "2e" * 16, "params": {**ORDER, "metadata[try]": "2"}},
        ),
        ({"key": "ord_1-a1b2c3d4e5"}, {"key": "ord_1-f6a7b8c9d0"}),
        ({"key": "alpha"}, {"key": "beta"}),
    ],
    ids=str,
)
def test_what_only_looks_new_is_called_no_more_than_new(history, one, two):
    assert doubled(history, one, two).cause == "fresh_key_per_attempt"


def test_attempts_of_different_steps_are_told_by_arrival(history):
    found = doubled(
        history,
        {"key": "a1b2c3d4e5f6"},
        {"key": "f6e5d4c3b2a1", "path": "/v1/payment_intents", "params": ORDER},
    )

    assert "changed between arrival 1 and arrival 2" in found.explanation
    assert "path /v1/charges became /v1/payment_intents" in found.difference


def test_a_duplicate_of_which_nothing_is_known_is_still_told(history):
    """One key, one account, no expiry: the journal shows no cause, and none is invented."""
    found = doubled(history, {"key": "K"}, {"key": "K"})

    assert (found.cause, found.pair) == (None, None)
    assert found.explanation == "2 live charges where 1 was intended: ch_A, ch_B."


def test_of_several_pairs_the_one_that_says_most_is_told(history):
    h = history()
    h.intent("ord_1")
    h.post("a1b2c3d4e5f6", charge="ch_A")
    h.post("b2c3d4e5f6a1", charge="ch_B", lost=True)
    h.post("c3d4e5f6a1b2", charge="ch_C")
    found = h.judge().worst

    assert (found.cause, found.pair) == ("fresh_key_per_attempt", (2, 3))


def test_in_a_pool_the_pair_of_one_operation_is_told(history):
    h = history()
    h.intent("a")
    h.intent("b")
    h.post("a1b2c3d4e5f6", charge="ch_A", params=BASE)
    h.post("b2c3d4e5f6a1", charge="ch_B", params=BASE, lost=True)
    h.post("c3d4e5f6a1b2", charge="ch_C", params=BASE)

    assert h.judge().worst.pair == (2, 3)


def test_a_late_commit_is_ch_b_though_it_arrived_first(history):
    """ch_A is the first that was committed, whoever was sent first."""
    h = history()
    h.intent("ord_1")
    h.post("a1b2c3d4e5f6", charge="ch_2", lost=True, lasts=6.0, left_s=2.0)
    h.post("b2c3d4e5f6a1", charge="ch_1", after=2.5)
    found = h.judge().worst

    assert found.charges == ("ch_1", "ch_2")
    assert found.pair == (1, 2)
    assert found.explanation.startswith("ch_B (ch_2) was created beside ch_A (ch_1), because the")


def held(history, one, two, **facts):
    """Two replicas; the first to arrive was held, and charged after the second."""
    h = history(replicas=2)
    h.intent("ord_1")
    h.post(one, charge="ch_2", lasts=1.0, **facts)
    h.post(two, charge="ch_1", after=0.2)
    return h.judge().worst


def test_a_replica_that_was_held_charged_last(history):
    found = held(history, "a1b2c3d4e5f6", "f6e5d4c3b2a1")

    assert found.explanation == (
        "ch_B (ch_2) was created beside ch_A (ch_1), because another replica sent ch_A's request "
        "200.0 ms after ch_B's, which had not failed, under another key ('a1b2c3d4e5f6' and "
        "'f6e5d4c3b2a1')."
    )


@pytest.mark.parametrize(
    ("facts", "cause"),
    [
        ({"forgotten_by": "cache_write_window"}, "cache_write_window"),
        ({"forgotten_by": "server_lost_record"}, "server_lost_record"),
        ({"key_state": "expired"}, "key_older_than_retention"),
    ],
    ids=str,
)
def test_what_the_server_forgot_may_be_known_of_who_arrived_first(history, facts, cause):
    found = held(history, "K1", "K1", **facts)

    assert (found.cause, found.flags) == (cause, ("server_made",))
