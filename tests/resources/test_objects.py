"""No documented key is forgotten, none invented: checked against the installed official SDK."""

import stripe

SENT_BUT_HIDDEN = {"destination", "dispute", "order"}
"""In real answers, not in the SDK's types (stripe-facts 4.2)."""
OPTIONAL = {"authorization_code", "level3", "presentment_details", "refunds", "transfer"}
"""Left out of a plain charge (stripe-facts 4.2)."""
ON_REQUEST = {
    "cash_balance",
    "invoice_credit_balance",
    "sources",
    "subscriptions",
    "tax",
    "tax_ids",
}
"""Parts of a customer that are sent when expanded, or when used."""
NEWER = {"business_name", "individual_name"}
"""Given only where a customer has them."""


def documented(kind: type) -> set[str]:
    return {name for name in kind.__annotations__ if not name.startswith("_")} - {
        "deleted",
        "OBJECT_NAME",
    }


def test_a_charge_has_every_documented_key(account):
    charge = account.post("amount=2000&currency=usd&source=tok_visa").json

    assert set(charge) - SENT_BUT_HIDDEN == documented(stripe.Charge) - OPTIONAL


def test_a_customer_has_every_documented_key(account):
    customer = account.post("", path="/v1/customers").json

    assert set(customer) == documented(stripe.Customer) - ON_REQUEST - NEWER


def test_a_card_has_every_key_that_a_charge_shows(account):
    card = account.post("amount=2000&currency=usd&source=tok_visa").json["source"]

    assert set(card) <= documented(stripe.Card) | {"wallet"}
    assert documented(stripe.Card) - set(card) == {
        *("account", "available_payout_methods", "currency", "default_for_currency"),
        *("description", "iin", "issuer", "networks", "status"),
    }


def test_an_error_has_no_key_of_its_own(account):
    answer = account.post("amount=2000&currency=usd&source=tok_chargeDeclined")

    assert set(answer.json["error"]) <= documented(stripe.ErrorObject)


def test_the_sdk_reads_what_is_answered(account):
    charge = account.post("amount=2000&currency=usd&source=tok_visa&metadata[a]=b").json
    read = stripe.Charge.construct_from(charge, "sk_test_x")

    assert read.to_dict() == charge
    assert read.payment_method_details.card.checks.cvc_check == "pass"


def test_a_payment_intent_has_every_documented_key(account):
    intent = account.post("amount=2000&currency=usd", path="/v1/payment_intents").json

    assert documented(stripe.PaymentIntent) - set(intent) == {
        *("hooks", "payment_details", "presentment_details"),  # sent where they are used
    }
    assert set(intent) <= documented(stripe.PaymentIntent)


def test_a_payment_method_has_every_documented_key_of_a_card(account):
    form = "type=card&card[token]=tok_visa"
    method = account.post(form, path="/v1/payment_methods").json
    card, kind = method["card"], stripe.PaymentMethod

    assert set(method) <= documented(kind)
    assert documented(kind.Card) - set(card) == {"description", "iin", "issuer"}
    assert set(card) <= documented(kind.Card)


def test_a_token_has_every_documented_key_of_a_card(account):
    form = "card[number]=4242424242424242&card[exp_month]=8&card[exp_year]=2030"
    token = account.post(form, path="/v1/tokens").json

    assert documented(stripe.Token) - set(token) == {"bank_account"}
    assert set(token) <= documented(stripe.Token)


def test_a_declined_confirmation_has_no_key_of_its_own(account):
    form = "amount=2000&currency=usd&payment_method=pm_card_visa_chargeDeclined&confirm=true"
    error = account.post(form, path="/v1/payment_intents").json["error"]
    last = error["payment_intent"]["last_payment_error"]

    assert set(error) <= documented(stripe.ErrorObject)
    assert set(last) <= documented(stripe.PaymentIntent.LastPaymentError)


def test_a_refund_has_every_documented_key(account):
    charge = account.post("amount=2000&currency=usd&source=tok_visa").json["id"]
    refund = account.post(f"charge={charge}", path="/v1/refunds").json

    assert set(refund) <= documented(stripe.Refund)
    assert documented(stripe.Refund) - set(refund) == {
        *("description", "failure_balance_transaction", "failure_reason", "instructions_email"),
        *("next_action", "pending_reason", "presentment_details"),  # sent where they are used
    }


def test_a_balance_transaction_has_every_documented_key(account):
    account.post("amount=2000&currency=usd&source=tok_visa")
    [made] = account.get("/v1/balance_transactions").json["data"]

    assert set(made) == documented(stripe.BalanceTransaction)
    assert set(made["fee_details"][0]) == documented(stripe.BalanceTransaction.FeeDetail)


def test_an_event_has_every_documented_key(account):
    account.post("amount=2000&currency=usd&source=tok_visa")
    [event] = account.get("/v1/events").json["data"]

    assert documented(stripe.Event) - set(event) == {"account", "context"}  # of Connect
    assert set(event) <= documented(stripe.Event)
    assert set(event["request"]) == documented(stripe.Event.Request)


def test_a_balance_has_every_documented_key(account):
    balance = account.get("/v1/balance").json

    assert set(balance) <= documented(stripe.Balance)
    assert documented(stripe.Balance) - set(balance) == {
        *("connect_reserved", "instant_available", "issuing", "refund_and_dispute_prefunding"),
    }
    assert set(balance["pending"][0]) == documented(stripe.Balance.Pending)
