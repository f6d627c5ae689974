"""What an exchange writes into its attempt: the key's state, the answer, who is to blame."""

import pytest
from msgspec import structs

from fakestripe.faults.kinds import Reply, Wait
from fakestripe.protocol.headers import refused_key

INVALID = "amount=abc&currency=usd&source=tok_visa"
OTHER = "amount=3000&currency=usd&source=tok_visa"
TWINS = {
    "same request": {},
    "other parameters": {"form": OTHER},
    "other endpoint": {"form": "", "path": "/v1/customers"},
}


def test_a_client_that_is_seen_to_have_left_changes_nothing(account, charge_form):
    account.fault("claimed", Wait(30.0))
    first = account.begin(charge_form, "K1")
    account.elapsed = 2.0
    first.exchange.client_left()
    first.to_the_end()

    assert (first.attempt.left_s, first.attempt.client_left_at) == (2.0, account.now)
    assert len(account.charges) == 1


def test_a_store_that_shows_a_key_late_lets_a_twin_execute(account, charge_form):
    account.bank.idempotency.write_window = 0.05
    account.post(charge_form, "K1")
    twin = account.begin(charge_form, "K1").to_the_end()

    assert (twin.attempt.key_state, twin.attempt.forgotten_by) == ("new", "cache_write_window")
    assert len(account.charges) == 2


@pytest.mark.parametrize(
    ("form", "key", "state"),
    [(None, None, "absent"), (None, "K1", "new"), (None, "", "refused"), (INVALID, "K1", "new")],
)
def test_the_state_of_a_key_is_journalled(account, charge_form, form, key, state):
    steps = account.begin(form or charge_form, key).to_the_end()

    assert steps.attempt.key_state == state


@pytest.mark.parametrize(
    ("twin", "state"), [("other parameters", "mismatch"), ("other endpoint", "mismatch")]
)
def test_a_mismatch_is_journalled_with_the_request_that_bound_the_key(
    account, charge_form, twin, state
):
    account.post(charge_form, "K1")
    steps = account.begin(**{"key": "K1"} | TWINS[twin]).to_the_end()

    assert (steps.attempt.key_state, steps.attempt.replayed_from) == (state, 1)
    assert (steps.attempt.error_type, steps.attempt.error_code) == ("idempotency_error", None)


def test_a_conflict_is_journalled_with_the_request_that_holds_the_key(account, charge_form):
    account.fault("claimed", Wait(1.0))
    first = account.begin(charge_form, "K1")
    twin = account.begin(charge_form, "K1").to_the_end()

    assert (twin.attempt.key_state, twin.attempt.replayed_from) == ("in_flight", 1)
    assert twin.attempt.error_code == "idempotency_key_in_use"
    assert first.attempt.ended_s is None


def test_an_answer_put_in_place_of_the_truth_is_altered(account, charge_form):
    account.fault("committed", Reply(stripe="rate_limit"))
    first = account.begin(charge_form, "K1").to_the_end()

    assert (first.attempt.delivery, first.attempt.outcome) == ("altered", "refused")
    assert (first.attempt.status, first.attempt.error_code) == (429, "rate_limit")
    assert (first.attempt.ids, first.attempt.charge) == ((), account.charges[0].id)


def test_who_is_refused_in_front_is_journalled_as_such(account, charge_form):
    account.refusal = refused_key("sk_live_0123456789")
    refused = account.begin(charge_form, "K1").to_the_end()

    assert (refused.attempt.outcome, refused.attempt.status) == ("refused", 401)
    assert (refused.attempt.key_state, len(account.charges)) == ("absent", 0)


def test_a_parameter_that_is_not_emulated_is_unsupported(account, charge_form):
    refused = account.begin(f"{charge_form}&on_behalf_of=acct_1").to_the_end()

    assert (refused.attempt.outcome, refused.answer.status) == ("unsupported", 400)
    assert refused.answer.headers["Fakestripe-Unsupported"] == "on_behalf_of"


def test_a_list_tells_of_every_payment_on_it(account, charge_form):
    made = [account.post(charge_form).json["id"] for _ in range(3)]
    listed = account.begin(b"", path="/v1/charges", method="GET").to_the_end()

    assert listed.attempt.ids == tuple(reversed(made))
    assert listed.attempt.operation is None


def test_a_customer_is_no_payment(account):
    made = account.begin("", path="/v1/customers").to_the_end()

    assert (made.attempt.ids, made.attempt.charge, made.attempt.moved) == ((), None, None)


def test_a_path_beyond_utf_8_is_an_unknown_object(account):
    answer = account.get("/v1/charges/\udcff")

    assert (answer.status, answer.error["message"]) == (404, "No such charge: 'ÿ'")
    assert account.bank.journal.attempts[-1].path == "/v1/charges/ÿ"


def test_parameters_of_a_post_may_stand_in_the_query(account):
    answer = account.post("currency=usd&source=tok_visa", query="amount=2000")

    assert answer.json["amount"] == 2000
    assert account.bank.journal.attempts[-1].parameters["amount"] == "2000"


def test_a_profile_without_rules_decides_nothing(account, charge_form):
    account.profile = structs.replace(account.profile, rules=())

    assert account.post(charge_form).status == 200
    assert account.bank.matched == {}
