"""The table of words: the ledger against intents, crossed with what is believed."""

import pytest
from history import BASE, ORDER

LEDGERS = {
    "once": [{"charge": "ch_A"}],
    "untold": [{"charge": "ch_A", "lost": True}],
    "more": [{"charge": "ch_A", "lost": True}, {"charge": "ch_B"}],
    "fewer": [{"lost": True}],
    "too much": [{"charge": "ch_A", "params": {**ORDER, "amount": "2500"}}],
    "too little": [{"charge": "ch_A", "params": {**ORDER, "amount": "1500"}}],
}
TABLE = {
    ("once", "paid"): "clean",
    ("once", "failed"): "orphan",
    ("once", "unknown"): "clean",
    ("once", "hung"): "inconclusive",
    ("untold", "paid"): "inconclusive",
    ("untold", "failed"): "orphan",
    ("untold", "unknown"): "inconclusive",
    ("untold", "hung"): "inconclusive",
    ("more", "paid"): "duplicate",
    ("more", "failed"): "duplicate",
    ("more", "unknown"): "duplicate",
    ("more", "hung"): "duplicate",
    ("fewer", "paid"): "missing",
    ("fewer", "failed"): "unpaid",
    ("fewer", "unknown"): "inconclusive",
    ("fewer", "hung"): "inconclusive",
    ("too much", "paid"): "overcharged",
    ("too much", "failed"): "overcharged",
    ("too much", "unknown"): "overcharged",
    ("too much", "hung"): "overcharged",
    ("too little", "paid"): "undercharged",
    ("too little", "unknown"): "undercharged",
}


def told(history, ledger, belief):
    """Write a history in which something was lost and came back, so that proof is there."""
    hung = belief == "hung"
    h = history(mode="check" if hung else "fixture", client_exits=[None] if hung else None)
    h.profile("r#0")
    h.intent("ord_1")
    h.intent("proof")
    h.post("P", lost=True, rule="r#0", params={**BASE, "description": "proof"})
    h.post("P", charge="ch_proof", params={**BASE, "description": "proof"})
    h.outcome("proof", "paid")
    for number, facts in enumerate(LEDGERS[ledger], 1):
        h.post(f"K{number}", **facts)
    if belief in ("paid", "failed"):
        h.outcome("ord_1", belief)
    return h.judge()


@pytest.mark.parametrize(("ledger", "belief"), TABLE)
def test_the_table_of_words(history, ledger, belief):
    verdict = told(history, ledger, belief)
    found = next(one for one in verdict.operations if one.operation == "ord_1")

    assert found.verdict == verdict.word == TABLE[ledger, belief]
    assert found.believed == belief


REASONS = {
    ("once", "hung"): ("client_hung",),
    ("untold", "paid"): ("outcome_unknown",),
    ("untold", "unknown"): ("outcome_unknown",),
    ("fewer", "unknown"): ("outcome_unknown",),
    ("fewer", "hung"): ("client_hung",),
}


@pytest.mark.parametrize(("ledger", "belief"), REASONS)
def test_doubt_has_its_reason(history, ledger, belief):
    assert told(history, ledger, belief).reasons == REASONS[ledger, belief]


def test_the_last_outcome_of_an_operation_counts(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A")
    h.outcome("ord_1", "failed")
    h.outcome("ord_1", "paid")

    assert h.judge().operations[0].believed == "paid"


def test_a_failed_charge_never_counts(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", status=402)
    h.post("K2", charge="ch_B")
    h.post("K2", key_state="replay", ids=("ch_B",))

    verdict = h.judge()
    assert (verdict.word, verdict.charges) == ("clean", 1)
    assert verdict.operations[0].charges == ("ch_B",)


def test_an_error_that_names_a_charge_has_not_told_of_it(history):
    """A confirmation of what has succeeded already is refused, with the intent in the error."""
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.post("K1", status=400, ids=("ch_A",))

    assert (h.judge().word, h.judge().reasons) == ("inconclusive", ("outcome_unknown",))


def test_an_outcome_that_names_the_charge_has_told_it(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.outcome("ord_1", "paid", "ch_A")

    assert h.judge().word == "clean"


def test_a_charge_of_another_operation_is_an_orphan_that_names_both(history):
    """D09: the answer of order A was read by the caller of order B."""
    h = history()
    h.intent("A")
    h.intent("B")
    h.post("KA", charge="ch_A", params={**BASE, "metadata[order]": "A"})
    h.post("KB", charge="ch_B", params={**BASE, "metadata[order]": "B"})
    h.outcome("B", "paid", "ch_A")

    verdict = h.judge()
    assert [(one.operation, one.verdict) for one in verdict.operations] == [
        ("A", "inconclusive"),
        ("B", "orphan"),
    ]
    assert verdict.worst.explanation == (
        "It was reported paid by ch_A, which belongs to A; its own charge is ch_B, which nobody "
        "was told of."
    )


def test_paid_by_a_charge_of_another_and_never_charged_is_missing(history):
    h = history()
    h.intent("A")
    h.intent("B")
    h.post("KA", charge="ch_A", params={**BASE, "metadata[order]": "A"})
    h.outcome("B", "paid", "ch_A")

    assert h.judge().word == "missing"


def test_a_pool_is_counted_and_not_blamed_one_by_one(history):
    h = history()
    for name in ("a", "b", "c"):
        h.intent(name)
    h.post("K1", charge="ch_1", params=BASE)
    h.outcome("a", "paid")
    h.outcome("b", "paid")

    found = h.judge().operations[0]
    assert (found.operation, found.intended.count) == ("a, b, c", 3)
    assert (found.verdict, found.believed) == ("missing", "unknown")


@pytest.mark.parametrize(
    ("charges", "beliefs", "word"),
    [
        (2, ("paid", "paid"), "inconclusive"),
        (2, ("paid", "failed"), "orphan"),
        (1, ("paid", "failed"), "unpaid"),
        (1, ("paid", "paid"), "missing"),
        (0, ("failed", "failed"), "unpaid"),
        (1, ("failed", "failed"), "orphan"),
        (0, ("paid", "failed"), "missing"),
        (3, ("paid", "failed"), "duplicate"),
        (1, ("failed",), "inconclusive"),
    ],
    ids=str,
)
def test_several_beliefs_of_one_pool(history, charges, beliefs, word):
    h = history()
    h.intent("a")
    h.intent("b")
    for number in range(charges):
        h.post(f"K{number}", charge=f"ch_{number}", params=BASE)
    h.post("K9", status=402, params={**BASE, "amount": "5000"})
    for name, belief in zip(("a", "b"), beliefs, strict=False):
        h.outcome(name, belief)

    found = {one.operation: one for one in h.judge().operations}
    assert found["a, b"].verdict == word


def test_an_exact_pool_is_filled_before_one_for_anything(history):
    h = history()
    h.intent("any", None)
    h.intent("exact", 2000)
    h.post("K1", charge="ch_1", params=BASE)
    h.post("K2", charge="ch_2", params={**BASE, "description": "x"})

    found = {one.operation: one for one in h.judge().operations}
    assert (found["exact"].charges, found["any"].charges) == (("ch_1",), ("ch_2",))


def test_a_charge_that_fits_no_pool_is_in_doubt(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", params={**BASE, "amount": "3000"})

    verdict = h.judge()
    assert verdict.word == "inconclusive"
    assert "intent_unmatched" in verdict.reasons
    nearest = "nearest request: arrival 1, POST /v1/charges amount=3000 currency=usd"
    assert verdict.notes == (f"nothing matched ord_1 (1 of 2000); {nearest}",)


def test_nobody_is_called_missing_while_a_charge_fits_nothing(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", params={**BASE, "amount": "3000"})
    h.outcome("ord_1", "paid")

    assert h.judge().word == "inconclusive"


def test_in_check_a_charge_that_fits_nothing_doubles_one_of_its_amount(history):
    h = history(mode="check", client_exits=[0])
    h.intent("ord_1")
    h.post("K1", charge="ch_A")
    h.post("K2", charge="ch_B", params={**BASE, "description": "drifted"})

    assert [one.verdict for one in h.judge().operations] == ["inconclusive", "duplicate"]


def test_a_charge_that_fits_nothing_and_was_made_twice_is_a_duplicate(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", params={**ORDER, "metadata[order_id]": "ord_7"}, lost=True)
    h.post("K2", charge="ch_B", params={**ORDER, "metadata[order_id]": "ord_7"})
    h.post("K3", charge="ch_C")

    assert h.judge().word == "duplicate"


def test_another_currency_is_another_payment(history):
    h = history()
    h.intent("ord_1", currency="eur")
    h.post("K1", charge="ch_A")

    found = h.judge().operations[0]
    assert (found.verdict, found.reasons) == ("inconclusive", ("intent_unmatched",))


def test_any_amount_will_do_where_none_is_intended(history):
    h = history()
    h.intent("ord_1", None)
    h.post("K1", charge="ch_A", params={**ORDER, "amount": "77"})
    h.post("K1", key_state="replay", ids=("ch_A",))

    assert h.judge().word == "clean"


def test_what_one_key_made_twice_is_a_duplicate_however_few_there_are(history):
    h = history()
    h.intent("ord_1", count=3)
    h.post("K1", charge="ch_A", lost=True)
    h.post("K1", charge="ch_B", key_state="new", forgotten_by="server_lost_record")

    assert h.judge().word == "duplicate"


def test_words_are_told_worst_first(history):
    h = history()
    h.intent("ord_1", count=2)
    h.post("K1", charge="ch_A", params={**ORDER, "amount": "2500"})
    h.outcome("ord_1", "paid")

    assert h.judge().word == "overcharged"
