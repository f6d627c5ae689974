"""Capturing and canceling payment intents (stripe-facts 3.2, 8)."""

import pytest

INTENTS = "/v1/payment_intents"
HELD = "amount=2000&currency=usd&payment_method=pm_card_visa&confirm=true&capture_method=manual"
UNEXPECTED = "payment_intent_unexpected_state"


def create(account, form: str = HELD):
    return account.post(form, path=INTENTS).json


def capture(account, intent: str, form: str = "", **rest):
    return account.post(form, path=f"{INTENTS}/{intent}/capture", **rest)


def cancel(account, intent: str, form: str = "", **rest):
    return account.post(form, path=f"{INTENTS}/{intent}/cancel", **rest)


def types(account) -> list[str]:
    return [event.type for event in account.bank.ledger.events.events]


def test_a_manual_intent_is_held_until_it_is_captured(account):
    held = create(account)
    (charge,) = account.charges

    assert (held["status"], held["amount_capturable"]) == ("requires_capture", 2000)
    assert (held["amount_received"], held["latest_charge"]) == (0, charge.id)
    assert (charge.status, charge.captured, charge.paid) == ("succeeded", False, True)
    assert charge.payment_method_details.card.capture_before == charge.created + 604_800
    assert types(account)[-1] == "payment_intent.amount_capturable_updated"


def test_what_is_captured_is_received(account):
    held = create(account)
    path = f"{INTENTS}/{held['id']}/capture"
    steps = account.begin("metadata[a]=b", "K1", path=path).to_the_end()
    paid, moved, (charge,) = steps.answer, steps.attempt.moved, account.charges

    assert paid.json == {
        **held,
        "amount_capturable": 0,
        "amount_received": 2000,
        "metadata": {"a": "b"},
        "status": "succeeded",
    }
    assert paid.stored_under("K1")
    assert (charge.captured, charge.amount_captured, charge.amount_refunded) == (True, 2000, 0)
    assert charge.balance_transaction[:21] == f"txn_{held['id'][3:20]}"
    assert (moved.kind, moved.charge, moved.amount) == ("capture", charge.id, 2000)
    assert moved.payment_intent == held["id"]
    assert (steps.attempt.step, steps.attempt.moves) == ("capture", True)
    assert types(account)[-2:] == ["charge.captured", "payment_intent.succeeded"]


def test_a_part_may_be_captured_and_the_rest_is_released(account):
    held = create(account)
    paid = capture(account, held["id"], "amount_to_capture=1500").json
    (charge,) = account.charges
    (rest,) = account.get("/v1/refunds", f"charge={charge.id}").json["data"]

    assert (paid["amount"], paid["amount_received"], paid["amount_capturable"]) == (2000, 1500, 0)
    assert (charge.amount_captured, charge.amount_refunded) == (1500, 500)
    assert (rest["amount"], rest["balance_transaction"]) == (500, None)


def test_what_was_captured_is_not_captured_again(account):
    held = create(account)
    first = capture(account, held["id"], key="K1")
    again = capture(account, held["id"], key="K2")

    assert (again.status, again.error["code"]) == (400, UNEXPECTED)
    assert again.error["message"] == (
        "This PaymentIntent could not be captured because it has already been captured."
    )
    assert again.json["error"]["payment_intent"] == first.json
    assert again.stored_under("K2")
    assert capture(account, held["id"], key="K1").replays(first)


def test_what_was_never_authorised_cannot_be_captured(account):
    intent = create(account, "amount=2000&currency=usd")
    refused = capture(account, intent["id"])

    assert (refused.status, refused.error["code"]) == (400, UNEXPECTED)
    assert refused.error["message"] == (
        "This PaymentIntent could not be captured because it has a status of "
        "requires_payment_method. Only a PaymentIntent with one of the following statuses may be "
        "captured: requires_capture."
    )
    assert refused.json["error"]["payment_intent"] == intent


def test_more_than_was_authorised_cannot_be_captured(account):
    held = create(account)
    refused = capture(account, held["id"], "amount_to_capture=2001", key="K1")

    assert (refused.status, refused.error["code"]) == (400, "amount_too_large")
    assert refused.error["message"] == (
        "The payment could not be captured because the requested capture amount is greater than "
        "the amount you can capture for this charge. Contact us via "
        "https://support.stripe.com/contact/ for help."
    )
    assert refused.json["error"]["payment_intent"] == held
    assert refused.stored_under("K1")


def test_an_authorisation_can_be_captured_for_seven_days(account):
    one, two = create(account)["id"], create(account)["id"]
    account.now += 604_800

    assert capture(account, one).json["status"] == "succeeded"

    account.now += 1
    late = capture(account, two)

    assert (late.status, late.error["code"]) == (400, "charge_expired_for_capture")


def test_a_charge_of_an_intent_is_captured_through_the_intent(account):
    held = create(account)
    refused = account.post("", "K1", path=f"/v1/charges/{held['latest_charge']}/capture")

    assert refused.status == 400
    assert refused.error["message"] == (
        f"Charge {held['latest_charge']} was created by a PaymentIntent. To capture it, capture "
        f"the PaymentIntent {held['id']} instead."
    )
    assert refused.stored_under("K1")


@pytest.mark.parametrize(
    ("form", "param"),
    [
        ("amount_to_capture=0", "amount_to_capture"),
        ("amount_to_capture=x", "amount_to_capture"),
        ("amount=1", "amount"),
        ("final_capture=false", "final_capture"),
    ],
)
def test_a_capture_that_cannot_be_is_refused(account, form, param):
    held = create(account)["id"]
    refused = capture(account, held, form, key="K1")

    assert (refused.status, refused.error["param"]) == (400, param)
    assert capture(account, held, key="K1").json["status"] == "succeeded"


def test_an_intent_is_canceled_with_its_reason(account):
    intent = create(account, "amount=2000&currency=usd&payment_method=pm_card_visa")
    account.now += 5
    path = f"{INTENTS}/{intent['id']}/cancel"
    steps = account.begin("cancellation_reason=abandoned", "K1", path=path).to_the_end()
    canceled, moved = steps.answer, steps.attempt.moved

    assert canceled.json == {
        **intent,
        "canceled_at": int(account.now),
        "cancellation_reason": "abandoned",
        "status": "canceled",
    }
    assert canceled.stored_under("K1")
    assert (moved.kind, moved.id, moved.charge) == ("cancel", intent["id"], None)
    assert (steps.attempt.step, steps.attempt.moves) == (None, False)
    assert types(account)[-1] == "payment_intent.canceled"


def test_canceling_lets_go_what_was_held(account):
    held = create(account)
    path = f"{INTENTS}/{held['id']}/cancel"
    steps = account.begin("", path=path).to_the_end()
    canceled, (charge,) = steps.answer.json, account.charges
    (refund,) = account.get("/v1/refunds", f"charge={charge.id}").json["data"]

    assert (canceled["status"], canceled["amount_capturable"]) == ("canceled", 0)
    assert canceled["cancellation_reason"] is None
    assert (charge.status, charge.captured, charge.refunded) == ("succeeded", False, True)
    assert (refund["amount"], refund["payment_intent"]) == (2000, held["id"])
    assert steps.attempt.moved.charge == charge.id


@pytest.mark.parametrize("status", ["succeeded", "canceled"])
def test_what_is_settled_cannot_be_canceled(account, status):
    intent = create(account)["id"]
    first = capture(account, intent) if status == "succeeded" else cancel(account, intent)
    refused = cancel(account, intent, key="K1")

    assert (refused.status, refused.error["code"]) == (400, UNEXPECTED)
    assert refused.error["message"] == (
        f"You cannot cancel this PaymentIntent because it has a status of {status}. Only a "
        "PaymentIntent with one of the following statuses may be canceled: "
        "requires_payment_method, requires_capture, requires_confirmation, requires_action, "
        "processing."
    )
    assert refused.json["error"]["payment_intent"] == first.json
    assert refused.stored_under("K1")


def test_a_reason_to_cancel_is_one_of_four(account):
    intent = create(account)["id"]
    refused = cancel(account, intent, "cancellation_reason=boredom")

    assert (refused.status, refused.error["param"]) == (400, "cancellation_reason")
    assert refused.error["message"] == (
        "Invalid cancellation_reason: must be one of duplicate, fraudulent, "
        "requested_by_customer, or abandoned"
    )
