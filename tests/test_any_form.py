"""Whatever is sent to any endpoint: Stripe's shape, and no money but what was asked for.

Forms are thrown at an account in which every kind of object exists, so that many of them get far.
"""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.form import parse
from fakestripe.resources.endpoint import Delete
from fakestripe.resources.routes import ROUTES

CARD = "card[number]=4242424242424242&card[exp_month]=8&card[exp_year]=2030"
CHARGE = "amount=2000&currency=usd"
WORLD = {
    "charge": ("/v1/charges", f"{CHARGE}&source=tok_visa"),
    "hold": ("/v1/charges", f"{CHARGE}&source=tok_visa&capture=false"),
    "refund": ("/v1/refunds", "charge={charge}&amount=100"),
    "customer": ("/v1/customers", "source=tok_visa&email=a@example.com"),
    "poor": ("/v1/customers", ""),
    "token": ("/v1/tokens", CARD),
    "method": ("/v1/payment_methods", f"type=card&{CARD}"),
    "intent": ("/v1/payment_intents", CHARGE),
    "held": (
        "/v1/payment_intents",
        f"{CHARGE}&payment_method=pm_card_visa&confirm=true&capture_method=manual",
    ),
}
"""One object of each kind, in the order in which they are made."""
ENDPOINTS = sorted((type(route).__name__.upper(), route.pattern) for route in ROUTES)
NAMED = {
    "charges": ("charge", "hold"),
    "refunds": ("refund",),
    "customers": ("customer", "poor"),
    "payment_methods": ("method",),
    "payment_intents": ("intent", "held"),
    "balance_transactions": (),
    "events": (),
    "tokens": ("token",),
}
"""What the id in a path may name, by the word before it."""

NAMES = st.sampled_from(
    [
        *("amount", "currency", "source", "customer", "capture", "description", "receipt_email"),
        *(
            "metadata[a]",
            "metadata",
            "metadata[a][b]",
            "metadata[]",
            "expand[]",
            "expand",
            "expand[0]",
        ),
        *("shipping[name]", "shipping[address][line1]", "shipping", "address[city]", "address"),
        *("statement_descriptor", "transfer_group", "fraud_details[user_report]", "fraud_details"),
        *(
            "charge",
            "payment_intent",
            "reason",
            "id",
            "email",
            "name",
            "default_source",
            "validate",
        ),
        *("card[number]", "card[exp_month]", "card[exp_year]", "card", "card[token]", "type"),
        *("payment_method", "confirm", "capture_method", "off_session", "amount_to_capture"),
        *("cancellation_reason", "payment_method_types[]", "setup_future_usage", "return_url"),
        *(
            "source[object]",
            "source[number]",
            "billing_details[email]",
            "foo",
            "a[",
            "]",
            "",
            "[]",
        ),
        *("application_fee_amount", "payment_method_data[type]", "confirmation_method"),
        *("limit", "starting_after", "ending_before", "created", "created[gte]", "types[]"),
    ]
)
VALUES = st.sampled_from(
    [
        *(
            "2000",
            "500",
            "1",
            "0",
            "-1",
            "1.5",
            "99999999999",
            "usd",
            "JPY",
            "xyz",
            "true",
            "false",
        ),
        *("tok_visa", "tok_chargeDeclined", "tok_x", "pm_card_visa", "pm_card_chargeDeclined"),
        *(
            "{charge}",
            "{hold}",
            "{customer}",
            "{poor}",
            "{token}",
            "{method}",
            "{intent}",
            "{held}",
        ),
        *(
            "card",
            "manual",
            "automatic",
            "safe",
            "duplicate",
            "a@example.com",
            "nobody",
            "abandoned",
        ),
        *(
            "customer",
            "data.customer",
            "latest_charge.refunds",
            "charge.customer",
            "sources",
            "x.y",
        ),
        *(
            "4242424242424242",
            "4000000000000002",
            "13",
            "2030",
            "",
            "x" * 600,
            "%00",
            "%FF",
            "¤",
            "&",
        ),
    ]
) | st.text(max_size=6)
FORMS = st.lists(st.tuples(NAMES, VALUES), max_size=7).map(
    lambda pairs: "&".join(f"{name}={value}" for name, value in pairs)
)
STARTS = st.sampled_from(
    [
        *(
            "",
            f"{CHARGE}&source=tok_visa&",
            f"{CHARGE}&customer={{customer}}&",
            f"type=card&{CARD}&",
        ),
        *("charge={charge}&", "payment_intent={held}&", f"{CHARGE}&payment_method=pm_card_visa&"),
        *("source=tok_visa&", f"{CARD}&", f"{CHARGE}&payment_method={{method}}&confirm=true&"),
    ]
)
TYPES = {"api_error", "card_error", "idempotency_error", "invalid_request_error"}


class World:
    """An account with one object of each kind."""

    def __init__(self, account) -> None:
        self.account = account
        self.names: dict[str, str] = {}
        for name, (path, form) in WORLD.items():
            self.names[name] = account.post(self.filled(form), path=path).json["id"]
        self.names["unknown"] = "x_unknown"

    def filled(self, text: str) -> str:
        """Put ids in place of the names of objects."""
        return re.sub(r"\{(\w+)\}", lambda found: self.names.get(found[1], found[0]), text)

    def path(self, pattern: str, choice: int) -> str:
        """Return a path of a pattern that names some object, or one that nobody knows."""
        kinds = (*NAMED.get(pattern.split("/")[2], ()), "unknown")
        name = self.names[kinds[choice % len(kinds)]]
        part = self.names["refund"] if "refunds" in pattern else "card_unknown"
        return pattern.replace("{id}", name).replace("{part}", part)

    @property
    def money(self) -> dict[str, tuple[int, int]]:
        """What stands in the ledger: of every charge its amount, and how much of it went back."""
        charges = self.account.charges
        return {c.id: (c.amount, c.amount_refunded) for c in charges if c.status != "failed"}


SENT = st.tuples(STARTS, FORMS | st.text(max_size=20)).map("".join)
KEYS = st.sampled_from([None, "K1", "", "é", "k" * 300])


@settings(derandomize=True, deadline=None, max_examples=40)
@given(SENT, st.integers(0, 2), KEYS)
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=" ".join)
def test_whatever_is_sent_is_answered_as_stripe_would(account_of, endpoint, sent, choice, key):
    world, (method, pattern) = World(account_of()), endpoint
    before, path = world.money, world.path(pattern, choice)
    body = world.filled(sent).encode("utf-8", "surrogatepass")
    query = body.decode("utf-8", "ignore") if method == "GET" else ""
    steps = world.account.begin(body, key, path=path, method=method, query=query)
    answer = steps.to_the_end().answer

    assert world.account.bank.journal.bugs == []
    assert answer.status in {200, 400, 402, 404}
    assert world.account.bank.journal.attempts[-1].outcome in {"answered", "unsupported"}
    if answer.status == 200:
        assert answer.json["object"]
        assert paid_for(parsed(body), before, world.money)
    else:
        assert answer.json["error"]["type"] in TYPES
        assert isinstance(answer.json["error"]["message"], str)
        assert set(answer.json) == {"error"}
        assert world.money == before
    assert conserved(world.account)


def parsed(body: bytes) -> dict:
    try:
        return parse(body)
    except StripeError:
        return {}


def paid_for(tree: dict, before: dict, after: dict) -> bool:
    """Whether every new charge is of the amount that was asked for."""
    made = [amount for name, (amount, _) in after.items() if name not in before]
    asked = tree.get("amount", "2000")
    return len(made) <= 1 and all(str(amount) == asked for amount in made)


def conserved(account) -> bool:
    """Whether what charges say went back is what refunds say, and never more than there was."""
    refunds = account.bank.ledger.collection("refund")
    return all(
        charge.amount_refunded
        == sum(refund.amount for refund in refunds.at(refunds.places(charge.id)))
        <= charge.amount
        for charge in account.charges
    )


def test_every_kind_of_object_is_thrown_at(account):
    world = World(account)

    assert {pattern.split("/")[2] for _, pattern in ENDPOINTS if "{id}" in pattern} <= NAMED.keys()
    assert len(world.money) == 3
    assert any(isinstance(route, Delete) for route in ROUTES)
    assert json.loads(account.get("/v1/charges").body)["data"]
