"""``clean`` needs proof, and doubt has reasons, each with its remedy."""

import pytest
from history import BASE

from fakestripe.verdict import report, words
from fakestripe.verdict.words import REASONS

OTHER = {**BASE, "metadata[order_id]": "ord_2"}


def run(history, *rules, **header):
    h = history(**header)
    if rules:
        h.profile(*rules)
    h.intent("ord_1")
    return h


def said(h):
    verdict = h.judge()
    return verdict.word, verdict.reasons


def test_a_lost_answer_and_a_retry_are_proof(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_A",))

    verdict = h.judge()
    assert (verdict.word, verdict.exercised, verdict.exercisable) == ("clean", 1, 1)
    assert (verdict.fired_rules, verdict.unfired_rules) == (("r#0",), ())


@pytest.mark.parametrize("delivery", ["none", "partial", "altered"])
def test_an_answer_that_is_cut_or_altered_is_as_good_as_lost(history, delivery):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", ids=(), delivery=delivery, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_A",))

    assert said(h) == ("clean", ())


def test_a_lost_answer_and_a_read_back_are_proof(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.get("/v1/charges", "ch_A")

    assert said(h) == ("clean", ())


def test_a_read_that_came_before_proves_nothing(history):
    h = run(history, "r#0")
    h.get("/v1/charges")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")

    assert said(h) == ("inconclusive", ("client_never_came_back", "outcome_unknown"))


def test_a_lost_answer_and_a_reported_outcome_are_proof(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.outcome("ord_1", "paid", "ch_A")

    assert said(h) == ("clean", ())


def test_an_outcome_reported_before_proves_nothing(history):
    h = run(history, "r#0")
    h.elapsed = 0.5
    h.outcome("ord_1", "paid", "ch_A")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")

    assert said(h) == ("inconclusive", ("client_never_came_back",))


def test_a_client_that_never_came_back_proves_nothing(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.get("/v1/customers/cus_1")

    assert said(h) == ("inconclusive", ("client_never_came_back", "outcome_unknown"))


def test_a_wait_that_the_client_sat_out_proves_nothing(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lasts=4.0, rule="r#0")
    h.post("K1", after=5.0, key_state="replay", ids=("ch_A",))

    assert said(h) == ("inconclusive", ("client_never_came_back",))


def test_a_retry_that_overtakes_a_late_answer_is_proof(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lasts=4.0, rule="r#0")
    h.post("K1", key_state="in_flight", status=409, replayed_from=1)

    assert said(h) == ("clean", ())


def test_a_rule_that_never_fired_proves_nothing(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A")

    assert said(h) == ("inconclusive", ("rule_never_fired",))
    assert h.judge().unfired_rules == ("r#0",)


def test_one_rule_that_fired_is_enough_in_a_run_of_the_whole_library(history):
    h = run(history, "r#0", "r#1")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_A",))

    assert said(h) == ("clean", ())


def test_a_declared_rule_that_never_fired_leaves_no_clean_and_no_unpaid(history):
    h = run(history, "r#0", "r#1", declared=True)
    h.post("K1", lost=True, rule="r#0")
    h.post("K1", lost=True)
    h.outcome("ord_1", "failed")

    assert said(h) == ("inconclusive", ("rule_never_fired",))


def test_unpaid_stands_without_proof(history):
    h = run(history, "r#0")
    h.post("K1", lost=True, rule="r#0")
    h.outcome("ord_1", "failed")

    assert said(h) == ("unpaid", ())


def test_doubt_never_softens_a_red_word(history):
    h = run(history, "r#0", "r#1", declared=True)
    h.post("K1", lost=True, charge="ch_A", rule="r#0")
    h.post("K2", charge="ch_B")

    assert said(h) == ("duplicate", ())


def test_without_a_rule_a_replay_is_proof(history):
    h = run(history)
    h.post("K1", charge="ch_A")
    h.post("K1", key_state="replay", ids=("ch_A",))

    assert said(h) == ("clean", ())


def test_without_a_rule_a_409_on_a_repeat_is_proof(history):
    """D20: twenty at once under one key, one charge."""
    h = run(history)
    h.post("K1", charge="ch_A", lasts=0.3)
    for _ in range(19):
        h.post("K1", after=0.001, key_state="in_flight", status=409)

    assert said(h) == ("clean", ())


def test_without_a_rule_and_a_repeat_nothing_was_tested(history):
    h = run(history)
    h.post("K1", charge="ch_A")

    assert said(h) == ("inconclusive", ("rule_never_fired",))


def test_without_a_rule_and_a_key_there_is_danger_as_well(history):
    """D18 C: two charges for two intents, and no fault that would tell more."""
    h = history()
    h.intent("ord_1")
    h.intent("ord_2")
    h.post(None, charge="ch_A", params=BASE)
    h.post(None, charge="ch_B", params=BASE)

    assert said(h) == ("inconclusive", ("rule_never_fired", "no_key"))
    assert h.judge().hazard == "no_key"


def test_a_reset_of_an_idle_connection_fired_only_if_somebody_used_it_again(history):
    h = history()
    h.profile("r#0", at="sent")
    h.intent("ord_1")
    h.post("K1", charge="ch_A", rule="r#0")
    unused = h.judge()
    h.post("K1", key_state="replay", ids=("ch_A",), connection=1, request_on_connection=2)

    assert (unused.unfired_rules, h.judge().unfired_rules) == (("r#0",), ())


def race(history, **header):
    h = history(**header)
    h.profile("b#0", barrier=3, at="received")
    h.intent("ord_1")
    return h


def test_a_barrier_while_two_replicas_lived_is_proof_of_the_guard(history):
    h = race(history, replicas=2)
    h.post("K1", charge="ch_A", rule="b#0")

    verdict = h.judge()
    assert verdict.word == "clean"
    assert verdict.notes == ("guarded: 1 of 1 operations came from one replica",)


@pytest.mark.parametrize("replicas", [1, 3])
def test_what_was_held_at_a_barrier_is_counted_by_operation(history, replicas):
    h = race(history, replicas=replicas)
    for key_state, made in (("new", "ch_A"), ("in_flight", None), ("in_flight", None)):
        h.post("K1", charge=made, key_state=key_state, lasts=9.0, rule="b#0")

    assert (h.judge().exercised, h.judge().exercisable) == (1, 1)


def test_a_replica_that_had_ended_guards_nothing(history):
    h = race(history, replicas=2, client_lives=[[0.0, None], [0.0, 0.5]])
    h.post("K1", charge="ch_A", rule="b#0")

    assert said(h) == ("inconclusive", ("barrier_not_filled",))


def test_replicas_that_lived_are_counted_at_the_barrier(history):
    h = race(history, replicas=2, client_lives=[[0.0, None], [0.0, 1.5]])
    h.post("K1", charge="ch_A", rule="b#0")

    assert said(h) == ("clean", ())


def test_two_of_one_operation_that_met_at_a_barrier_are_proof(history):
    h = race(history)
    h.post("K1", charge="ch_A", rule="b#0", lasts=2.0)
    h.post("K1", key_state="in_flight", status=409, rule="b#0")

    assert said(h) == ("clean", ())


def test_payments_that_met_others_at_a_barrier_prove_nothing(history):
    h = race(history)
    h.intent("ord_2")
    h.post("K1", charge="ch_A", rule="b#0", lasts=2.0)
    h.post("K2", charge="ch_B", rule="b#0", params=OTHER)

    assert said(h) == ("inconclusive", ("barrier_not_filled",))


def test_twins_that_met_at_a_barrier_prove_nothing(history):
    h = history()
    h.profile("b#0", barrier=2)
    h.intent("a")
    h.intent("b")
    h.post("K1", charge="ch_A", rule="b#0", lasts=2.0, params=BASE)
    h.post("K2", charge="ch_B", rule="b#0", params=BASE)

    assert said(h) == ("inconclusive", ("barrier_not_filled",))
    assert report.text(h.judge()).splitlines()[-2] == (
        "note: identical requests that nothing names were numbered by arrival"
    )


def test_a_barrier_beside_a_fault_that_lost_an_answer_is_judged_by_the_fault(history):
    h = race(history)
    h.profile("r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")

    assert said(h)[1] == ("client_never_came_back", "outcome_unknown")


def test_nothing_that_moves_money_arrived(history):
    h = run(history, "r#0")
    h.get()
    h.outcome("ord_1", "failed")

    assert said(h) == ("inconclusive", ("no_request", "rule_never_fired"))


def test_an_empty_journal(history):
    assert said(history()) == ("inconclusive", ("no_request", "rule_never_fired"))


def test_an_endpoint_that_is_not_there(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_A",))
    h.arrive("GET", "/v1/terminal/readers", outcome="unsupported", status=404)

    assert said(h) == ("inconclusive", ("unsupported_endpoint",))


def test_the_doubt_of_a_run_is_told_of_each_operation(history):
    h = run(history, "r#0")
    h.intent("ord_2")
    h.post("K1", charge="ch_A")
    h.post("K2", charge="ch_B", params=OTHER)

    for found in h.judge().operations:
        assert (found.verdict, found.reasons) == ("inconclusive", ("rule_never_fired",))
        assert found.remedy == REASONS["rule_never_fired"].remedy
        assert found.explanation.endswith("But a fault never struck, so it tested nothing.")


def test_every_reason_has_a_meaning_and_a_remedy():
    assert all(reason.meaning and reason.remedy for reason in words.REASONS.values())


def checked(history, exits, *, charges=1, told=True, orders=1, **header):
    """A run of check: ``orders`` payments, of which the first ``charges`` were made."""
    h = history(mode="check", client_exits=exits, **header)
    h.profile("r#0")
    for number in range(1, orders + 1):
        h.intent(f"ord_{number}")
    for number in range(1, orders + 1):
        params = {**BASE, "metadata[order_id]": f"ord_{number}"}
        charge = f"ch_{number}" if number <= charges else None
        h.post(f"K{number}", charge=charge, lost=True, rule="r#0", params=params)
        ids = (charge,) if charge and told else ()
        state = {"key_state": "replay", "ids": ids} if charge else {"lost": True}
        h.post(f"K{number}", params=params, **state)
    return h


@pytest.mark.parametrize(
    ("exits", "facts", "word"),
    [
        ([0], {}, "clean"),
        ([0], {"told": False}, "inconclusive"),
        ([0], {"charges": 0}, "missing"),
        ([1], {}, "orphan"),
        ([1], {"charges": 0}, "unpaid"),
        ([None], {}, "inconclusive"),
        ([None], {"charges": 0}, "inconclusive"),
        ([1], {"orders": 2, "charges": 2, "told": False}, "orphan"),
        ([1], {"orders": 2, "charges": 1}, "unpaid"),
        ([1], {"orders": 2, "charges": 2}, "inconclusive"),
        ([0], {"orders": 2, "charges": 1}, "missing"),
        ([1, 0], {"replicas": 2}, "clean"),
        ([1, 0], {"replicas": 2, "charges": 0}, "missing"),
        ([1, 1], {"replicas": 2, "charges": 0}, "inconclusive"),
        ([None, None], {"replicas": 2}, "inconclusive"),
        ([1, 0], {"replicas": 2, "orders": 2, "charges": 1}, "inconclusive"),
    ],
    ids=str,
)
def test_what_exit_statuses_say_of_the_payments(history, exits, facts, word):
    assert checked(history, exits, **facts).judge().word == word


def test_a_run_that_failed_although_all_was_paid_and_told_is_in_doubt(history):
    verdict = checked(history, [1], orders=2, charges=2).judge()

    assert verdict.reasons == ("outcome_unknown",)


def test_a_reported_outcome_is_worth_more_than_an_exit_status(history):
    h = checked(history, [1])
    h.outcome("ord_1", "paid")

    assert h.judge().word == "clean"


def half_read(h, key, **facts):
    """A payment that was broken off while its body was on the way: of which, nobody knows."""
    h.post(key, lost=True, rule="r#0", step=None, last_point="reading", **facts)


def test_a_half_read_payment_that_comes_again_under_its_key_is_proof(history):
    h = run(history, "r#0")
    half_read(h, "K1")
    h.post("K1", charge="ch_A", ids=("ch_A",))

    assert said(h) == ("clean", ())


@pytest.mark.parametrize(("first", "second"), [("K1", "K2"), ("K1", None), (None, None)])
def test_a_half_read_payment_proves_nothing_of_another_key(history, first, second):
    h = run(history, "r#0")
    half_read(h, first)
    h.post(second, charge="ch_A", ids=("ch_A",))

    assert said(h) == ("inconclusive", ("client_never_came_back",))


def test_who_was_broken_off_half_read_has_sent_a_request(history):
    h = run(history, "r#0")
    half_read(h, "K1")

    assert "no_request" not in said(h)[1]


@pytest.mark.parametrize("point", ["received", "claimed"])
def test_nothing_is_clean_while_a_request_may_still_charge(history, point):
    h = run(history, "r#0")
    h.post(lost=True, rule="r#0", lasts=None, left_s=0.3, last_point=point)
    h.post(charge="ch_A", ids=("ch_A",))
    h.outcome("ord_1", "paid")

    assert said(h) == ("inconclusive", ("still_running",))


@pytest.mark.parametrize(("believed", "word"), [("paid", "missing"), ("failed", "unpaid")])
def test_nobody_is_told_that_nothing_was_charged_while_something_may_be(history, believed, word):
    def told(lasts):
        h = run(history, "r#0")
        h.post("K1", lost=True, rule="r#0", lasts=lasts, last_point="received")
        h.outcome("ord_1", believed)
        return said(h)

    assert told(None) == ("inconclusive", ("still_running",))
    assert told(0.5)[0] == word


def test_what_has_committed_and_is_held_charges_nothing_more(history):
    h = run(history, "r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0", lasts=None, last_point="committed")
    h.post("K1", key_state="replay", ids=("ch_A",))

    assert said(h) == ("clean", ())
