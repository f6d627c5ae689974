"""What softens a duplicate, and never takes the word back; payment intents and refunds."""

import pytest
from history import BASE, ORDER

from fakestripe.protocol.attempt import Moved
from fakestripe.verdict import exit_status


def doubled(history, **first):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, **first)
    h.post("K2", charge="ch_B", **first)
    return h


def refunded(h, charge, amount=2000, **facts):
    moved = Moved(kind="refund", id=f"re_{charge}", amount=amount, currency="usd", charge=charge)
    made = {"moved": moved, "ids": (moved.id,), "params": {"charge": charge}, **facts}
    h.post(f"R{h.elapsed}", path="/v1/refunds", **made)


def flags(h):
    verdict = h.judge()
    assert verdict.word == "duplicate"
    return verdict.worst.flags


def test_a_plain_duplicate_has_no_flag(history):
    assert flags(doubled(history)) == ()


def test_a_refunded_duplicate_is_compensated(history):
    h = doubled(history)
    refunded(h, "ch_B")

    assert flags(h) == ("compensated",)


def test_a_part_of_the_money_compensates_nothing(history):
    h = doubled(history)
    refunded(h, "ch_B", 1999)

    assert flags(h) == ()


def test_a_failed_refund_compensates_nothing(history):
    h = doubled(history)
    moved = Moved(
        kind="refund", id="re_1", amount=2000, currency="usd", charge="ch_B", status="failed"
    )
    h.post("R", path="/v1/refunds", params={"charge": "ch_B"}, moved=moved)

    assert flags(h) == ()


def test_a_cancelled_duplicate_is_compensated(history):
    h = doubled(history)
    moved = Moved(kind="cancel", id="ch_B", amount=0, currency="usd", charge="ch_B")
    h.arrive("POST", "/v1/charges/ch_B/cancel", moved=moved, status=200, delivery="intact")

    assert flags(h) == ("compensated",)


AUTHORISED = {"params": {**ORDER, "capture": "false"}}


def captured(h, charge, amount=2000):
    moved = Moved(kind="capture", id=charge, amount=amount, currency="usd", charge=charge)
    path = f"/v1/charges/{charge}/capture"
    h.post(f"C{charge}", path=path, params={}, moved=moved, ids=(charge,))


def test_two_that_were_never_captured_are_authorised_only(history):
    assert flags(doubled(history, **AUTHORISED)) == ("authorised_only",)


def test_an_orphan_that_was_never_captured_is_authorised_only(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, **AUTHORISED)
    h.outcome("ord_1", "failed")
    held = h.judge().worst
    captured(h, "ch_A")

    assert (held.verdict, held.flags) == ("orphan", ("authorised_only",))
    assert (h.judge().worst.verdict, h.judge().worst.flags) == ("orphan", ())


def test_one_captured_of_two_is_authorised_only(history):
    h = doubled(history, **AUTHORISED)
    captured(h, "ch_B")

    assert flags(h) == ("authorised_only",)


def test_two_captured_are_a_duplicate_without_excuse(history):
    h = doubled(history, **AUTHORISED)
    captured(h, "ch_A")
    captured(h, "ch_B")

    assert flags(h) == ()


def test_a_capture_decides_the_amount(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", **AUTHORISED)
    captured(h, "ch_A", 1500)

    assert h.judge().word == "undercharged"


def test_a_capture_of_what_is_not_there_changes_nothing(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A")
    captured(h, "ch_unknown", 1)

    assert h.judge().operations[0].charges == ("ch_A",)


def test_a_lost_record_is_the_servers_doing_and_may_be_expected(history):
    h = history()
    h.profile("r#0", expect=["clean", "duplicate"])
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.post("K1", charge="ch_B", forgotten_by="server_lost_record")

    verdict = h.judge()
    assert (verdict.worst.flags, verdict.cause) == (("server_made",), "server_lost_record")
    assert (exit_status(verdict, verdict.expect), exit_status(verdict, ["clean"])) == (0, 1)


def test_one_of_the_clients_own_beside_it_is_not_the_servers_alone(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True)
    h.post("K1", charge="ch_B", lost=True, forgotten_by="server_lost_record")
    h.post("K2", charge="ch_C")

    verdict = h.judge()
    assert (verdict.worst.flags, verdict.cause) == ((), "attempt_in_key")


def expired(history, by):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True)
    h.advance(90_000, by)
    h.post("K1", charge="ch_B", key_state="expired", replayed_from=1)
    return h


def test_a_day_that_a_rule_let_pass_is_the_servers_doing(history):
    assert flags(expired(history, "rule")) == ("server_made",)


def test_a_day_that_the_test_let_pass_is_the_clients(history):
    assert flags(expired(history, "test")) == ()


def test_a_profiles_retention_is_the_measure(history):
    h = history()
    h.profile("r#0", key_retention=10.0)
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.advance(5, "rule")
    h.post("K1", charge="ch_B", after=20.0, key_state="expired", replayed_from=1)

    assert flags(h) == ()


INTENT = "/v1/payment_intents"


def created(h, key, made, **facts):
    moved = Moved(kind="intent", id=made, amount=2000, currency="usd", payment_intent=made)
    h.post(key, path=INTENT, moved=moved, ids=(made,), **facts)


def confirmed(h, key, made, charge, **facts):
    moved = Moved(
        kind="charge", id=charge, amount=2000, currency="usd", charge=charge, payment_intent=made
    )
    ids = () if facts.get("lost") else (made, charge)
    known = {"moved": moved, "ids": ids, **facts}
    h.post(key, path=f"{INTENT}/{made}/confirm", params={}, **known)


def test_a_confirmation_belongs_to_the_operation_that_made_the_intent(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    created(h, "K1", "pi_1")
    confirmed(h, "K2", "pi_1", "ch_A", lost=True, rule="r#0")
    h.post("K2", path=f"{INTENT}/pi_1/confirm", params={}, ids=("pi_1", "ch_A"))

    verdict = h.judge()
    assert (verdict.word, verdict.hazard) == ("clean", None)
    assert [(s.attempt.step, s.number) for s in verdict.operations[0].attempts] == [
        ("create", 1),
        ("confirm", 1),
        ("confirm", 2),
    ]


def test_two_intents_confirmed_for_one_order_are_a_duplicate(history):
    h = history()
    h.intent("ord_1")
    created(h, "K1", "pi_1")
    confirmed(h, "K2", "pi_1", "ch_A", lost=True)
    created(h, "K3", "pi_2")
    confirmed(h, "K4", "pi_2", "ch_B")

    verdict = h.judge()
    assert verdict.word == "duplicate"
    assert (verdict.worst.pair, verdict.worst.charges) == ((2, 4), ("ch_A", "ch_B"))
    assert (verdict.cause, verdict.worst.difference) == (
        "attempt_in_key",
        "idempotency key 'K1' became 'K3'",
    )


def test_a_second_intent_is_in_danger_where_the_first_was_told_of(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    created(h, "K1", "pi_1")
    confirmed(h, "K2", "pi_1", "ch_A", rule="r#0", moved=None, lost=True)
    created(h, "K3", "pi_2")
    confirmed(h, "K4", "pi_2", "ch_A")

    assert (h.judge().word, h.judge().hazard) == ("clean", "attempt_in_key")


def test_an_intent_that_nobody_was_told_of_endangers_nobody(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    created(h, "K1", "pi_1", rule="r#0", delivery="none")
    created(h, "K2", "pi_2")
    confirmed(h, "K3", "pi_2", "ch_A")

    assert (h.judge().word, h.judge().hazard) == ("clean", None)


def test_an_intent_that_the_server_made_twice_under_one_key_endangers_nobody(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    created(h, "K1", "pi_1")
    confirmed(h, "K2", "pi_1", "ch_A", rule="r#0", moved=None, lost=True)
    created(h, "K1", "pi_2", forgotten_by="cache_write_window")
    confirmed(h, "K3", "pi_2", "ch_A")

    assert (h.judge().word, h.judge().hazard) == ("clean", None)


@pytest.mark.parametrize("why", ["server_lost_record", "cache_write_window"])
def test_two_intents_that_the_server_made_of_one_are_its_own_duplicate(history, why):
    h = history()
    h.intent("ord_1")
    created(h, "K1", "pi_1")
    confirmed(h, None, "pi_1", "ch_A", lost=True)
    created(h, "K1", "pi_2", forgotten_by=why)
    confirmed(h, None, "pi_2", "ch_B")

    assert (flags(h), h.judge().cause) == (("server_made",), why)


def test_for_a_confirmation_the_object_is_the_key(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    created(h, "K1", "pi_1")
    confirmed(h, None, "pi_1", "ch_A", lost=True, rule="r#0")
    h.post(None, path=f"{INTENT}/pi_1/confirm", params={}, ids=("pi_1", "ch_A"))

    assert (h.judge().word, h.judge().hazard) == ("clean", None)


def test_a_second_refund_is_a_duplicate_with_its_own_ids(history):
    h = history()
    h.post("K1", charge="ch_A")
    refunded(h, "ch_A", 500, delivery="none", rules=("r#0",))
    refunded(h, "ch_A", 500)
    h.attempts[-1].moved = Moved(
        kind="refund", id="re_ch_B", amount=500, currency="usd", charge="ch_A"
    )

    found = {one.operation: one for one in h.judge().operations}
    assert found["op_1"].charges == ("ch_A",)
    assert found["op_1 (refund)"].verdict == "duplicate"
    assert found["op_1 (refund)"].charges == ("re_ch_A", "re_ch_B")
    assert found["op_1 (refund)"].explanation.startswith("re_ch_B was created beside re_ch_A")


def test_a_refund_of_nothing_known_is_no_payment(history):
    h = history()
    h.post("R1", path="/v1/refunds", params={"charge": "ch_0"}, status=404)

    assert [one.operation for one in h.judge().operations] == ["op_1 (refund)"]


def test_ledgers_of_failed_payments_hold_nothing(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", status=402, params={**BASE, "description": "ord_1"})

    assert (h.judge().charges, h.judge().operations[0].charges) == (0, ())
