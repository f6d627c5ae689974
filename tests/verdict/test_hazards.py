"""No second charge yet, but another fault would make one: more keys than payments."""

import pytest
from history import BASE, ORDER, History

from fakestripe.protocol.lesson import Identity, Lesson

SHAPE = "POST /v1/charges"
PAIRS = (("amount", "2000"), ("currency", "usd"), ("source", "tok_visa"))


def retried(history, first, second, **facts):
    """A first attempt that was lost before it charged, and a second that charged."""
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post(first, lost=True, rule="r#0", **facts)
    h.post(second, charge="ch_A")
    return h.judge()


def test_a_new_key_is_a_hazard_and_the_word_stays(history):
    verdict = retried(history, "3e0e88a13e361417ccbc", "7e4722334e12878bdccd")

    assert (verdict.word, verdict.hazard) == ("clean", "fresh_key_per_attempt")
    assert verdict.operations[0].pair == (1, 2)
    assert verdict.operations[0].danger == (
        "another fault would make a second charge: the idempotency key changed between attempt 1 "
        "and attempt 2. Make the key once per payment, outside whatever is retried, and pass it "
        "in."
    )


def test_the_same_key_is_none(history):
    assert retried(history, "K1", "K1").hazard is None


def test_without_keys_every_arrival_is_one(history):
    assert retried(history, None, None).hazard == "no_key"


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429])
@pytest.mark.parametrize("delivery", ["intact", "altered"])
def test_an_arrival_that_was_plainly_refused_does_not_count(history, status, delivery):
    refused = {"status": status, "delivery": delivery}
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", rule="r#0", **refused)
    h.post("K2", charge="ch_A")

    assert h.judge().hazard is None


@pytest.mark.parametrize("status", [409, 500, 502])
def test_an_arrival_whose_outcome_is_open_counts(history, status):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", status=status, delivery="altered", rule="r#0")
    h.post("K2", charge="ch_A")

    assert h.judge().hazard == "attempt_in_key"


def test_a_refusal_that_never_arrived_counts(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", status=402, delivery="none", rule="r#0")
    h.post("K2", charge="ch_A")

    assert h.judge().hazard == "attempt_in_key"


def test_a_key_that_was_told_its_decline_does_not_count(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", charge="ch_1", status=402, delivery="none", rule="r#0")
    h.post("K1", status=402, key_state="replay")
    h.post("K2", charge="ch_2")

    assert h.judge().hazard is None


def test_a_client_that_reads_back_may_use_a_new_key(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", lost=True, rule="r#0")
    h.get()
    h.post("K2", charge="ch_A")

    assert h.judge().hazard is None


def test_a_read_of_something_else_is_no_read_back(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", lost=True, rule="r#0")
    h.get("/v1/customers/cus_1")
    h.post("K2", charge="ch_A")

    assert h.judge().hazard == "attempt_in_key"


def test_a_duplicate_has_no_hazard_beside(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True)
    h.post("K2", charge="ch_B")

    assert h.judge().hazard is None


def test_as_many_keys_as_payments_are_none(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1", count=2)
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.post("K2", charge="ch_B")
    third = h.judge().hazard
    h.post("K3", lost=True)

    assert (third, h.judge().hazard) == (None, "separate_submissions")


def test_without_intents_a_parameter_must_name_the_payment(history):
    h = history()
    h.profile("r#0")
    h.post("K1", lost=True, rule="r#0")
    h.post("K2", charge="ch_A")
    named, h = h.judge(), history()
    h.profile("r#0")
    h.post("K1", lost=True, rule="r#0", params=BASE)
    h.post("K2", charge="ch_A", params=BASE)

    assert (named.hazard, h.judge().hazard) == ("attempt_in_key", None)


def test_two_accounts_make_two_keys_of_one(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", lost=True, rule="r#0")
    h.post("K1", charge="ch_A", account="acct_2")

    assert h.judge().hazard == "key_under_another_account"


def test_keys_that_no_cause_tells_apart_are_no_hazard(history):
    """For a confirmation the object is the key; under one idempotency key nothing is wrong."""
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    path = "/v1/payment_intents/{}/confirm"
    params = {"return_url": "ord_1"}
    h.post("K1", path=path.format("pi_1"), lost=True, rule="r#0", params=params)
    h.post("K1", path=path.format("pi_2"), params=params)

    assert h.judge().hazard is None


def learnt(count, names=()):
    identity = Identity(
        shape=SHAPE, parameters=PAIRS, count=count, amount=2000, currency="usd", names=names
    )
    volatile = {SHAPE: names}
    lesson = Lesson(identities=(identity,), volatile=volatile)
    h = History(mode="check", lesson=lesson, client_exits=[0])
    h.profile("r#0")
    return h


def test_where_nothing_is_meant_to_be_charged_there_is_no_danger():
    """Two orders with a card that is declined: learnt as requests that charge nothing."""
    h = learnt(0)
    h.post("K1", status=402, lost=True, rule="r#0", params=BASE)
    h.post("K2", status=402, lost=True, rule="r#0", params=BASE)

    assert h.judge().hazard is None


def test_among_twins_only_more_keys_than_payments_are_a_hazard():
    """Two keys in one operation may be two payments that nothing tells apart."""
    h = learnt(3)
    h.post("K1", lost=True, rule="r#0", params=BASE)
    h.post("K2", charge="ch_2", params=BASE)
    h.post("K3", charge="ch_3", params=BASE)
    enough = h.judge().hazard
    h.post("K4", charge="ch_4", params=BASE)

    assert (enough, h.judge().hazard) == (None, "attempt_in_key")


def test_two_keys_for_one_name_are_a_hazard_however_few_there_are():
    h = learnt(3, ("metadata.ref",))
    ref = {**BASE, "metadata[ref]": "r1"}
    h.post("K1", lost=True, rule="r#0", params=ref)
    h.post("K2", charge="ch_2", params=ref)

    assert h.judge().hazard == "attempt_in_key"


def test_orders_with_names_of_their_own_share_nothing(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", charge="ch_1", lost=True, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_1",))
    h.post("K2", charge="ch_2", params={**ORDER, "metadata[order_id]": "ord_2"})

    assert h.judge().hazard is None
