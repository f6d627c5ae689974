"""stripe-python: one of each thing that a shop asks of Stripe, told as one line of JSON."""

import json
import os
from pathlib import Path
from typing import Any

import stripe

BASE = os.environ["STRIPE_API_BASE"]


def client_of(key: str) -> stripe.StripeClient:
    return stripe.StripeClient(key, base_addresses={"api": BASE})


client = client_of(os.environ["STRIPE_API_KEY"])
V1 = client.v1


def purchase(**more: Any) -> Any:
    source = {} if "customer" in more else {"source": "tok_visa"}
    return {"amount": 2000, "currency": "usd", **source, **more}


def refusal(call: Any, *arguments: Any) -> stripe.StripeError:
    try:
        call(*arguments)
    except stripe.StripeError as refused:
        return refused
    raise AssertionError("it was not refused")


def told(refused: stripe.StripeError) -> dict[str, Any]:
    """Return what every refusal tells."""
    error = refused.error
    return {
        "class": type(refused).__name__,
        "status": refused.http_status,
        "code": error.code,
        "param": error.param,
        "message": error.message,
    }


def charges() -> dict[str, Any]:
    customer = V1.customers.create({"email": "jenny@example.com", "source": "tok_visa"})
    paid = V1.charges.create(purchase(customer=customer.id))
    full = V1.charges.retrieve(paid.id, {"expand": ["customer", "balance_transaction"]})
    declined = refusal(V1.charges.create, purchase(source="tok_chargeDeclinedInsufficientFunds"))
    again = {"idempotency_key": "ord_2"}
    V1.charges.create(purchase(), again)
    return {
        "paid": [paid.id, paid.amount, paid.currency, paid.paid, paid.source.last4],
        "expanded": [
            full.customer.email,
            full.balance_transaction.fee,
            full.balance_transaction.net,
        ],
        "declined": told(declined),
        "declined_charge": [declined.error.decline_code, declined.error.charge],
        "mismatch": told(refusal(V1.charges.create, purchase(amount=2001), again)),
        "missing": told(refusal(V1.charges.retrieve, "ch_missing")),
        "stranger": told(refusal(client_of("nobody").v1.charges.create, purchase())),
        **refunds(paid.id),
    }


def refunds(charge: str) -> dict[str, Any]:
    part = V1.refunds.create({"charge": charge, "amount": 500})
    rest = {"charge": charge, "amount": 1501}
    return {
        "refund": [part.charge, part.amount, part.status],
        "beyond": told(refusal(V1.refunds.create, rest)),
    }


def intents() -> dict[str, Any]:
    terms = {"amount": 3000, "currency": "usd", "payment_method_types": ["card"]}
    intent = V1.payment_intents.create(terms)
    paid = V1.payment_intents.confirm(intent.id, {"payment_method": "pm_card_visa"})
    bad = {"payment_method": "pm_card_chargeDeclinedExpiredCard", "confirm": True}
    declined = refusal(V1.payment_intents.create, terms | bad)
    told_of = declined.error.payment_intent
    return {
        "intent": [intent.status, paid.status, paid.latest_charge, paid.amount_received],
        "intent_declined": told(declined),
        "intent_state": [told_of.status, told_of.latest_charge, told_of.last_payment_error.code],
    }


def pages() -> dict[str, Any]:
    for _ in range(9):
        V1.charges.create(purchase())
    return {"listed": [charge.id for charge in V1.charges.list({"limit": 5}).auto_paging_iter()]}


def webhook() -> dict[str, Any]:
    payload = Path(os.environ["WEBHOOK_PAYLOAD"]).read_text(encoding="utf-8")
    signed = os.environ["WEBHOOK_SIGNATURE"], os.environ["WEBHOOK_SECRET"]
    event = client.construct_event(payload, *signed)
    forged = refusal(client.construct_event, payload + " ", *signed)
    return {
        "event": [event.type, event.data.object.object, event.data.object.amount],
        "forged": type(forged).__name__,
    }


print(json.dumps({**charges(), **intents(), **pages(), **webhook()}))
