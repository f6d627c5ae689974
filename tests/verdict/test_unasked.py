"""Where nobody said what was intended: a second charge is a duplicate only if it must be one."""

import pytest
from history import BASE, ORDER


def twice(history, first=None, second=None):
    h = history()
    h.profile("r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0", **(first or {}))
    h.post("K2", charge="ch_B", **(second or {}))
    return h


def test_a_lost_charge_made_again_is_a_duplicate_where_a_parameter_names_it(history):
    verdict = twice(history).judge()

    assert (verdict.word, verdict.operations[0].intended) == ("duplicate", None)


@pytest.mark.parametrize(
    "params",
    [
        BASE,
        {"amount": "2000", "currency": "usd", "customer": "cus_1", "capture": "false"},
        {"amount": "2000", "currency": "usd", "source[object]": "card", "source[number]": "4242"},
        {**BASE, "automatic_payment_methods[enabled]": "true", "capture_method": "manual"},
        {**BASE, "payment_method_types[]": "card", "return_url": "https://example.org/done"},
        {**BASE, "receipt_email": "a@example.org", "shipping[name]": "A"},
        {**BASE, "metadata[try]": "1"},
        {**BASE, "metadata[at]": "1700000000"},
    ],
    ids=str,
)
def test_a_lost_charge_made_again_is_ambiguous_where_nothing_names_it(history, params):
    verdict = twice(history, {"params": params}, {"params": params}).judge()

    assert (verdict.word, verdict.reasons) == ("inconclusive", ("ambiguous_repeat",))


@pytest.mark.parametrize("name", ["o1", "100", "1234567890", "2026-11-30", "20261130", "true"])
def test_a_short_name_or_an_old_time_names_a_payment_as_well(history, name):
    params = {**BASE, "metadata[order_id]": name}

    assert twice(history, {"params": params}, {"params": params}).judge().word == "duplicate"


@pytest.mark.parametrize(
    "value", ["7", "12", "1700000000", "1700000000123", "1700000000.5", "2023-11-14T22:13:20Z"]
)
def test_a_count_and_the_time_of_sending_name_nothing(history, value):
    params = {**BASE, "metadata[value]": value}

    assert twice(history, {"params": params}, {"params": params}).judge().word == "inconclusive"


def test_a_charge_that_was_told_may_be_bought_again(history):
    h = history()
    h.post("K1", charge="ch_A")
    h.post("K2", charge="ch_B")

    assert (h.judge().word, h.judge().reasons[0]) == ("inconclusive", "ambiguous_repeat")


def test_a_charge_that_was_read_back_may_be_bought_again(history):
    h = history()
    h.post("K1", charge="ch_A", lost=True)
    h.get("/v1/charges", "ch_A")
    h.post("K2", charge="ch_B")

    assert h.judge().word == "inconclusive"


def test_two_that_ran_at_once_may_be_two_purchases(history):
    h = history()
    h.post("K1", charge="ch_A", lasts=5.0)
    h.post("K2", charge="ch_B")

    assert h.judge().word == "inconclusive"


def test_one_key_that_made_both_is_a_duplicate(history):
    h = history()
    h.post("K1", charge="ch_A")
    h.advance(90_000)
    h.post("K1", charge="ch_B", key_state="expired", replayed_from=1)

    verdict = h.judge()
    assert (verdict.word, verdict.cause) == ("duplicate", "key_older_than_retention")


def test_other_orders_are_other_payments(history):
    h = history()
    h.post("K1", charge="ch_A")
    h.post("K1", key_state="replay", ids=("ch_A",))
    h.post("K2", charge="ch_B", params={**ORDER, "metadata[order_id]": "ord_2"})

    assert h.judge().word == "clean"


def test_a_decline_and_then_another_card_is_clean(history):
    """D02: one failed and one succeeded charge are not a duplicate."""
    h = history()
    declined = {**ORDER, "source": "tok_chargeDeclined"}
    h.post("K1", charge="ch_1", status=402, params=declined)
    h.post("K1", status=402, key_state="replay", params=declined)
    h.post("K1", status=400, key_state="mismatch", error_type="idempotency_error")
    h.post("K2", charge="ch_2")

    verdict = h.judge()
    assert (verdict.word, verdict.hazard) == ("clean", None)


@pytest.mark.parametrize(
    ("status", "word"),
    [(402, "clean"), (400, "clean"), (404, "inconclusive"), (500, "inconclusive")],
)
def test_no_charge_is_fine_only_where_a_refusal_was_delivered(history, status, word):
    h = history()
    h.post("K1", status=status)
    h.post("K9", charge="ch_9", params=BASE)
    h.post("K9", key_state="replay", ids=("ch_9",), params=BASE)

    assert h.judge().operations[0].verdict == word


def test_missing_and_unpaid_need_intents(history):
    h = history(mode="check", client_exits=[1])
    h.profile("r#0")
    h.post("K1", lost=True, rule="r#0")
    h.post("K1", lost=True, rule="r#0")

    assert (h.judge().word, h.judge().reasons) == ("inconclusive", ("outcome_unknown",))


@pytest.mark.parametrize("reported", ["ord_1", "op_1"])
def test_an_outcome_is_about_the_operation_that_carries_its_name(history, reported):
    h = history()
    h.profile("r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.outcome(reported, "failed")

    assert (h.judge().word, h.judge().operations[0].believed) == ("orphan", "failed")


def test_an_outcome_is_about_the_operation_whose_charge_it_names(history):
    h = history()
    h.profile("r#0")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.outcome("whatever", "paid", "ch_A")

    assert h.judge().word == "clean"


def test_an_outcome_about_nothing_is_nobodys(history):
    h = history()
    h.post("K1", charge="ch_A")
    h.outcome("ord_7", "failed")

    assert h.judge().operations[0].believed == "unknown"


def test_two_keys_of_which_nothing_says_whose_they_are_are_no_pass(history):
    h = history()
    h.profile("r#0")
    h.post("K1", lost=True, rule="r#0", params=BASE)
    h.post("K2", charge="ch_A", params=BASE)

    verdict = h.judge()
    assert (verdict.word, verdict.reasons) == ("inconclusive", ("ambiguous_repeat",))
    assert verdict.hazard is None


def test_what_one_key_made_twice_is_a_duplicate_with_another_purchase_between(history):
    h = history()
    h.post("K1", charge="ch_1", params=BASE, lost=True)
    h.post("K2", charge="ch_2", params=BASE, lost=True)
    h.post("K1", charge="ch_3", params=BASE, key_state="expired", replayed_from=1)

    assert (h.judge().word, h.judge().worst.pair) == ("duplicate", (1, 3))


def test_a_purchase_that_proves_nothing_does_not_hide_that_the_server_made_the_rest(history):
    """K2 may be a second purchase: only what K1 made twice is too many."""
    h = history()
    h.post("K1", charge="ch_1", params=BASE, lost=True)
    h.post("K1", charge="ch_2", params=BASE, lost=True, forgotten_by="cache_write_window")
    h.post("K2", charge="ch_3", params=BASE)
    found = h.judge().worst

    assert (found.cause, found.flags) == ("cache_write_window", ("server_made",))
