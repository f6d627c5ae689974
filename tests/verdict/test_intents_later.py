"""Intents that come late, intents that only the ledger knows of, and who has told whom."""

import pytest
from history import BASE, ORDER, History
from test_flags import confirmed, created

from fakestripe.bank.operations import Operations
from fakestripe.protocol.lesson import Identity, Lesson

PAIRS = (("amount", "2000"), ("currency", "usd"), ("source", "tok_visa"))


def test_intents_declared_later_regroup_the_verdict_and_not_the_faults(history):
    """The server placed both under names of its own; the journal keeps that, for rules to meet."""
    h = history()
    h.post("a1b2c3d4e5f6", charge="ch_1")
    h.post("f6e5d4c3b2a1", charge="ch_2")
    operations = Operations()
    for attempt in h.attempts:
        operations.place(attempt)
    h.intent("ord_1")
    found = h.judge().worst

    assert (found.operation, found.verdict) == ("ord_1", "duplicate")
    assert [(seen.operation, seen.number) for seen in found.attempts] == [
        ("ord_1", 1),
        ("ord_1", 2),
    ]
    assert [(each.attempt.operation, each.attempt.attempt) for each in found.attempts] == [
        ("op_1", 1),
        ("op_2", 1),
    ]


def test_a_confirmation_carries_no_amount_and_is_counted_by_the_charge_that_it_made(history):
    h = history()
    h.intent("cheap", 2000)
    h.intent("dear", 3500)
    for number, intent in enumerate(("pi_1", "pi_2"), 1):
        created(h, f"C{number}", intent, params={"payment_method": "pm_card_visa"})
        confirmed(h, f"F{number}", intent, f"ch_{number}")
    h.attempts[-1].moved = type(h.attempts[-1].moved)(
        kind="charge", id="ch_2", amount=3500, currency="usd", payment_intent="pi_2"
    )
    found = {one.operation: one.charges for one in h.judge().operations}

    assert found == {"cheap": ("ch_1",), "dear": ("ch_2",)}


def test_a_refund_by_its_intent_belongs_to_the_operation_that_made_it(history):
    h = history()
    created(h, "C1", "pi_1")
    confirmed(h, "F1", "pi_1", "ch_1")
    h.post("R1", path="/v1/refunds", params={"payment_intent": "pi_1"})

    assert [name for name, _, _ in h.placed()] == ["op_1", "op_1", "op_1"]
    assert h.placed()[-1] == ("op_1", 1, "first")


LOST = {"lost": True}


@pytest.mark.parametrize(
    ("facts", "exits", "plain"),
    [
        ([{"charge": "ch_1"}], [0], "clean"),
        ([{"charge": "ch_1", **LOST}, LOST], [1], "orphan"),
        ([LOST, LOST], [0], "missing"),
        ([LOST, LOST], [1], "unpaid"),
        ([{"charge": "ch_1", "params": {**BASE, "amount": "2500"}}], [0], "overcharged"),
    ],
    ids=str,
)
def test_replays_without_a_fault_replace_every_word_but_a_duplicate(facts, exits, plain):
    words = []
    for replayed in (False, True):
        identity = Identity(
            shape="POST /v1/charges", parameters=PAIRS, count=1, amount=2000, currency="usd"
        )
        lesson = Lesson(identities=(identity,), replayed=replayed)
        h = History(mode="check", client_exits=exits, lesson=lesson)
        for each in facts:
            h.post("K1", **{"params": BASE, **each})
        h.post("K1", key_state="replay", params=facts[-1].get("params", BASE), **_again(facts))
        words.append(h.judge().operations[0].verdict)

    assert words == [plain, "inconclusive"]


def _again(facts):
    made = facts[0].get("charge")
    lost = made is None or facts[0].get("lost", False)
    return {"lost": True} if lost else {"ids": (made,)}


def test_replays_without_a_fault_leave_a_duplicate():
    identity = Identity(
        shape="POST /v1/charges", parameters=PAIRS, count=1, amount=2000, currency="usd"
    )
    lesson = Lesson(identities=(identity,), replayed=True)
    h = History(mode="check", client_exits=[0], lesson=lesson)
    h.post("K1", charge="ch_1", params=BASE, lost=True)
    h.post("K2", charge="ch_2", params=BASE)

    assert h.judge().word == "duplicate"


@pytest.mark.parametrize(
    ("tell", "told"),
    [
        (lambda h: h.post("K1", key_state="replay", ids=("ch_A",)), True),
        (lambda h: h.get("/v1/charges/ch_A", "ch_A"), True),
        (lambda h: h.get("/v1/charges", "ch_0", "ch_A"), True),
        (lambda h: h.get("/v1/payment_intents/pi_1", "pi_1", "ch_A"), True),
        (lambda h: h.outcome("ord_1", "paid", "ch_A"), True),
        (lambda h: h.outcome("ord_1", "paid"), False),
        (lambda h: h.get("/v1/charges", "ch_0"), False),
        (lambda h: h.post("K1", key_state="replay", ids=("ch_A",), delivery="partial"), False),
        (lambda h: h.post("K1", key_state="replay", ids=("ch_A",), delivery="altered"), False),
        (lambda h: h.post("K1", status=409, ids=("ch_A",)), False),
    ],
)
def test_a_charge_is_told_by_an_unaltered_answer_with_its_id_or_an_outcome(history, tell, told):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, rule="r#0", params=ORDER)
    tell(h)
    h.outcome("ord_1", "paid")
    reasons = h.judge().operations[0].reasons

    assert ("outcome_unknown" in reasons) is not told


def test_a_step_on_an_object_carries_its_makers_identity():
    """A confirmation says nothing of its payment: it is counted where its intent is."""
    identity = Identity(
        shape="POST /v1/payment_intents",
        parameters=(("amount", "2000"), ("currency", "usd"), ("source", "tok_visa")),
        count=1,
        amount=2000,
        currency="usd",
    )
    h = History(mode="check", client_exits=[0], lesson=Lesson(identities=(identity,)))
    for number in (1, 2):
        created(h, f"C{number}", f"pi_{number}", params=BASE)
        confirmed(h, f"F{number}", f"pi_{number}", f"ch_{number}", lost=number == 1)
    found = h.judge()

    assert [(one.verdict, one.charges) for one in found.operations] == [
        ("duplicate", ("ch_1", "ch_2"))
    ]
