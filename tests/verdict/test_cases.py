"""The cases of the product, stepped through the real exchange: what the verdict says of each.

What Stripe answers in them is tested elsewhere; here the client reports, and is judged.
"""

import pytest
from calls import Call
from case import HOUR, Case, charge
from faults import EVER, FAULTS, ONCE, RESET, SECOND, make, status, stripe

from fakestripe.faults import kinds
from fakestripe.faults.rules import When

LOST = make("lost", ("committed", [RESET], ONCE))


def test_d01_a_drifting_body_under_a_stable_key():
    case = Case(LOST, "ord_1")
    drifted = {"metadata[attempt_at]": "1001"}
    case.run(charge("K1", {"metadata[attempt_at]": "1000"}), charge("K1", drifted))
    case.outcome("ord_1", "failed")
    assert case.judge().word == "orphan"

    case.run(charge("K1", {"metadata[attempt_at]": "1000"}), charge("K2", drifted))
    assert case.statuses == [0, 400, 200, 200]
    found = case.judge()
    assert (found.word, found.cause) == ("duplicate", "parameters_drifted")
    assert found.worst.difference == (
        "idempotency key 'K1' became 'K2'; metadata.attempt_at '1000' became '1001'"
    )


@pytest.mark.parametrize("intents", [(), ("ord_1",)])
def test_d02_a_decline_replayed_and_another_card(intents):
    case = Case(FAULTS["none"], *intents)
    declined = {"source": "tok_chargeDeclined"}
    case.run(charge("K1", declined), charge("K1", declined), charge("K1"), charge("K2"))

    assert case.statuses == [402, 402, 400, 200]
    assert (case.judge().word, case.judge().hazard) == ("clean", None)


@pytest.mark.parametrize("intents", [(), ("ord_1",)])
def test_d03_a_key_used_again_after_retention(intents):
    case = Case(LOST, *intents)
    case.run(charge("K1"))
    case.wait_until(86_340)
    case.run(charge("K1"))
    assert case.judge().word == "clean"

    case.wait_until(86_401)
    case.run(charge("K1"))
    found = case.judge()
    assert (found.word, found.cause) == ("duplicate", "key_older_than_retention")
    assert "came back after 24 h 1 s" in found.worst.explanation


STALE = make("stale", ("received", [RESET], When(connection="reused", times=1)))
COMMITTED = make("reset", ("committed", [RESET], When(connection="reused", times=1)))


@pytest.mark.parametrize(
    ("profile", "key", "word", "hazard"),
    [
        (STALE, None, "clean", "no_key"),
        (STALE, "K1", "clean", None),
        (COMMITTED, None, "duplicate", None),
        (COMMITTED, "K1", "clean", None),
    ],
)
def test_d05_the_same_error_proves_nothing_or_everything(profile, key, word, hazard):
    case = Case(profile, "ord_1")
    case.run(
        Call(method="GET", path="/v1/customers/cus_1", connection=1),
        charge(key, connection=1, agent="node"),
        charge(key, connection=2, agent="node"),
    )

    assert [answer.kind for answer in case.answers] == ["answer", "reset", "answer"]
    assert (case.judge().word, case.judge().hazard) == (word, hazard)


def test_d09_the_answer_of_another_order():
    """The caller of A gave up; the caller of B reads A's answer off their connection."""
    case = Case(make("slow", ("committed", [kinds.Wait(0.3)], When(operation=1))), "A", "B")
    first = charge("KA", {"metadata[order_id]": "A"}, connection=1)
    case.run(first, charge("KB", {"metadata[order_id]": "B"}, connection=1))
    case.outcome("B", "paid", case.answers[0].body["id"])
    found = {one.operation: one for one in case.judge().operations}

    assert (found["A"].verdict, found["B"].verdict) == ("inconclusive", "orphan")
    assert case.answers[0].body["id"] in found["B"].explanation
    assert found["B"].charges[0] in found["B"].explanation


AFTER_COMMIT = [[status(503)], [kinds.Hang(30.0)], [RESET]]


@pytest.mark.parametrize("faults", AFTER_COMMIT, ids=["503", "silence", "reset"])
def test_d10_a_retry_without_a_key_after_a_commit(faults):
    profile = make("p", ("committed", faults, ONCE))
    agent = "python-requests/2.34.0"
    retried, single = Case(profile, "ord_1"), Case(profile, "ord_1")
    retried.run(charge(agent=agent), charge(agent=agent))
    single.run(charge(agent=agent))
    single.outcome("ord_1", "failed")

    assert (retried.judge().word, retried.judge().cause) == ("duplicate", "no_key")
    assert "your code or its HTTP library sent it again" in retried.judge().worst.explanation
    assert single.judge().word == "orphan"


REFUSALS = {
    "429": [stripe("rate_limit")],
    "401": [stripe("unauthorized")],
    "409": [stripe("idempotency_key_in_use")],
    "mismatch": None,
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_d17_a_refused_retry_says_nothing_about_the_first_send(refusal):
    rows = [("committed", [RESET], ONCE)]
    if REFUSALS[refusal] is not None:
        rows.append(("received", REFUSALS[refusal], SECOND))
    case = Case(make("p", *rows), "ord_1")
    case.run(charge("K1"))
    case.wait_until(900)
    case.run(charge("K1", {"description": "drifted"} if refusal == "mismatch" else None))
    case.wait_until(72 * HOUR)
    case.run(charge("K2"))
    found = case.judge()

    assert case.statuses[1] == {"mismatch": 400}.get(refusal) or int(refusal)
    assert (found.word, found.cause) == ("duplicate", "outcome_never_resolved")
    assert "72 h later" in found.worst.explanation


def test_d17_a_refusal_of_the_very_first_send_leaves_it_unsent():
    case = Case(make("p", ("received", [stripe("rate_limit")], ONCE)), "ord_1")
    case.run(charge("K1"))
    case.wait_until(72 * HOUR)
    case.run(charge("K2"))

    assert (case.judge().word, case.judge().hazard) == ("clean", None)


TWIN = {"amount": "2000", "currency": "usd", "customer": "cus_1"}


@pytest.mark.parametrize(
    ("keys", "word", "charges"),
    [
        (("H", "H"), "missing", 1),
        (("A", "B"), "inconclusive", 2),
        ((None, None), "inconclusive", 2),
    ],
    ids=["hash of the body", "order id", "no key"],
)
def test_d18_twins_are_legal_and_swallowed_purchases_are_not(keys, word, charges):
    case = Case(FAULTS["none"], "order A", "order B")
    case.run(Call(params=TWIN, key=keys[0]), 120, Call(params=TWIN, key=keys[1]))
    case.outcome("order A", "paid")
    case.outcome("order B", "paid")
    found = case.judge()

    assert (found.word, found.charges) == (word, charges)
    if word == "inconclusive":
        assert found.reasons[0] == "rule_never_fired"


SLOW = make("slow", ("claimed", [kinds.Wait(0.3)], EVER))


def test_d20_one_key_twenty_times_at_once():
    case = Case(SLOW, "ord_1")
    case.submit(*[charge("K1") for _ in range(20)])

    assert sorted(case.statuses) == [200] + [409] * 19
    assert (case.judge().charges, case.judge().word) == (1, "clean")


@pytest.mark.parametrize("keys", [(None, None, None), ("a1b2c3d4", "b2c3d4a1", "c3d4a1b2")])
def test_d21_several_submits_in_one_second(keys):
    case = Case(SLOW, "ord_1")
    case.submit(*[charge(key) for key in keys])
    found = case.judge()

    assert (found.word, found.cause) == ("duplicate", "replicas")
    assert (found.worst.intended.count, len(set(found.worst.charges))) == (1, 3)


def test_d21_one_key_for_one_form():
    case = Case(FAULTS["none"], "ord_1")
    case.submit(*[charge("form-7") for _ in range(3)])

    assert set(case.statuses) <= {200, 409}
    assert (case.judge().word, case.judge().charges) == ("clean", 1)


def test_d24_an_agent_that_plans_its_call_again():
    """The tool makes its key inside; the agent's deadline is shorter than the answer."""
    case = Case(FAULTS["committed-late"], "ord_1")
    case.run(charge("a1b2c3d4e5f6"), charge("f6e5d4c3b2a1"))
    found = case.judge()

    assert (found.word, found.cause) == ("duplicate", "fresh_key_per_attempt")
    assert found.worst.attempts[1].attempt.started_s - found.worst.attempts[
        0
    ].attempt.started_s == (pytest.approx(2.0, abs=0.01))


def test_d24_an_agent_that_is_given_its_key():
    case = Case(FAULTS["committed-late"], "ord_1")
    case.run(charge("task-7"), charge("task-7"))

    assert (case.judge().word, case.statuses) == ("clean", [0, 200])


INTENT = {
    "amount": "2000",
    "currency": "usd",
    "payment_method": "pm_card_visa",
    "metadata[order_id]": "ord_1",
}
AT_ONCE = {
    **INTENT,
    "confirm": "true",
    "automatic_payment_methods[enabled]": "true",
    "automatic_payment_methods[allow_redirects]": "never",
}


def test_an_intent_created_and_confirmed_with_stable_keys_is_clean():
    case = Case(LOST, "ord_1")
    create = Call(path="/v1/payment_intents", params=INTENT, key="C1")
    case.run(create)
    confirm = Call(path=f"/v1/payment_intents/{case.answers[0].body['id']}/confirm", key="F1")
    case.run(confirm, confirm)
    found = case.judge()

    assert [answer.kind for answer in case.answers] == ["answer", "reset", "answer"]
    assert (found.word, found.hazard, found.charges) == ("clean", None, 1)


def test_an_intent_made_anew_per_attempt_is_a_duplicate():
    case = Case(LOST, "ord_1")
    keys = ("a1b2c3d4e5f6", "f6e5d4c3b2a1")
    case.run(*[Call(path="/v1/payment_intents", params=AT_ONCE, key=key) for key in keys])

    assert (case.judge().word, case.judge().cause) == ("duplicate", "fresh_key_per_attempt")


def test_a_part_refunded_twice_is_a_duplicate_of_its_own():
    case = Case(LOST, "ord_1")
    case.run(charge("K1"), charge("K1"))
    part = {"charge": case.answers[1].body["id"], "amount": "500"}
    keys = ("a1b2c3d4e5f6", "f6e5d4c3b2a1")
    case.run(*[Call(path="/v1/refunds", params=part, key=key) for key in keys])
    found = {one.operation: one for one in case.judge().operations}

    assert found["ord_1"].verdict == "clean"
    assert found["ord_1 (refund)"].verdict == "duplicate"
    assert [made[:3] for made in found["ord_1 (refund)"].charges] == ["re_", "re_"]
