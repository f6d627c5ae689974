"""Every POST of every resource under a key: the rows of stripe-facts 1.2, walked over the routes.

A new route needs a row here, or the first test fails: a form that succeeds, one that validation
refuses, and, where a bank may decline, one that it declines.
"""

from typing import Any, NamedTuple

import pytest

from fakestripe.faults.kinds import Wait
from fakestripe.faults.rules import FAULT_FREE, Match, Profile, Rule
from fakestripe.resources.endpoint import Post
from fakestripe.resources.routes import ROUTES

CARD = "card[number]=4242424242424242&card[exp_month]=8&card[exp_year]=2030"
WRONG_CARD = CARD.replace("4242424242424242", "4242424242424241")
CHARGE = "amount=2000&currency=usd"
DECLINING = "pm_card_visa_chargeDeclined"
HELD = f"{CHARGE}&payment_method=pm_card_visa&confirm=true&capture_method=manual"


class Row(NamedTuple):
    """How a route is used; ``names`` and ``part`` say which object of ``WORLD`` the path names."""

    valid: str = ""
    invalid: str = "foo=1"
    declined: str | None = None
    names: str = ""
    part: str = ""


ROWS = {
    "/v1/charges": Row(
        f"{CHARGE}&source=tok_visa",
        f"{CHARGE}&source=tok_x",
        f"{CHARGE}&source=tok_chargeDeclined",
    ),
    "/v1/charges/{id}": Row("description=x", "foo=1", names="charge"),
    "/v1/charges/{id}/capture": Row("amount=1500", "amount=0", names="held charge"),
    "/v1/charges/{id}/refund": Row("amount=500", "amount=0", names="charge"),
    "/v1/charges/{id}/refunds": Row("amount=500", "amount=0", names="charge"),
    "/v1/charges/{id}/refunds/{part}": Row("metadata[a]=b", names="charge", part="refund"),
    "/v1/refunds": Row("charge={charge}&amount=500", "charge={charge}&amount=0"),
    "/v1/refunds/{id}": Row("metadata[a]=b", names="refund"),
    "/v1/customers": Row("email=a@b.c", "source=tok_x", "source=tok_chargeDeclined"),
    "/v1/customers/{id}": Row(
        "name=Ann", "source=tok_x", "source=tok_chargeDeclined", names="customer"
    ),
    "/v1/customers/{id}/sources": Row(
        "source=tok_visa", "source=tok_x", "source=tok_chargeDeclined", names="customer"
    ),
    "/v1/tokens": Row(CARD, "card[number]=4242424242424242", WRONG_CARD),
    "/v1/payment_methods": Row(f"type=card&{CARD}", "type=card", f"type=card&{WRONG_CARD}"),
    "/v1/payment_methods/{id}/attach": Row(
        "customer={customer}", "customer=cus_x", names="method"
    ),
    "/v1/payment_methods/{id}/detach": Row(names="attached method"),
    "/v1/payment_intents": Row(
        f"{CHARGE}&payment_method=pm_card_visa&confirm=true",
        "amount=1&currency=usd",
        f"{CHARGE}&payment_method={DECLINING}&confirm=true",
    ),
    "/v1/payment_intents/{id}": Row("amount=3000", "amount=1", names="intent"),
    "/v1/payment_intents/{id}/confirm": Row(
        "payment_method=pm_card_visa",
        "payment_method=pm_x",
        f"payment_method={DECLINING}",
        names="intent",
    ),
    "/v1/payment_intents/{id}/capture": Row(
        "amount_to_capture=1500", "amount_to_capture=0", names="held intent"
    ),
    "/v1/payment_intents/{id}/cancel": Row(
        "cancellation_reason=abandoned", "cancellation_reason=x", names="held intent"
    ),
}

WORLD = {
    "charge": ("/v1/charges", f"{CHARGE}&source=tok_visa"),
    "held charge": ("/v1/charges", f"{CHARGE}&source=tok_visa&capture=false"),
    "refund": ("/v1/refunds", "charge={charge}&amount=100"),
    "customer": ("/v1/customers", "source=tok_visa"),
    "method": ("/v1/payment_methods", f"type=card&{CARD}"),
    "attached method": ("/v1/payment_methods/pm_card_visa/attach", "customer={customer}"),
    "intent": ("/v1/payment_intents", CHARGE),
    "held intent": ("/v1/payment_intents", HELD),
}
"""The objects that paths and forms name, in the order in which they are made."""

POSTS = [route.pattern for route in ROUTES if isinstance(route, Post)]


class Walk:
    """One route with an account in which its objects exist."""

    def __init__(self, account: Any, pattern: str) -> None:
        self.account, self.row = account, ROWS[pattern]
        self.made: dict[str, str] = {}
        for name, (path, form) in WORLD.items():
            self.made[name] = account.post(self._filled(form), path=path).json["id"]
        self.path = pattern.format(
            id=self.made.get(self.row.names), part=self.made.get(self.row.part)
        )
        self.other = "/v1/charges" if pattern == "/v1/customers" else "/v1/customers"

    def _filled(self, form: str) -> str:
        return form.format_map(self.made)

    def post(self, form: str, key: str = "K1", path: str | None = None) -> Any:
        return self.account.post(self._filled(form), key, path=path or self.path)

    def begin(self, form: str, key: str = "K1") -> Any:
        return self.account.begin(self._filled(form), key, path=self.path)

    @property
    def ledger(self) -> dict[str, dict[str, Any]]:
        """Everything that is written, as it stands."""
        ledger = self.account.bank.ledger
        kinds = {name: dict(c.by_id) for name, c in ledger._collections.items() if c.order}
        return kinds | {"events": dict(enumerate(ledger.events.events))}


@pytest.fixture(params=POSTS)
def walk(account, request):
    return Walk(account, request.param)


def test_every_post_has_a_row():
    assert sorted(ROWS) == sorted(POSTS)


def test_what_was_done_is_answered_again_and_done_once(walk):
    first = walk.post(walk.row.valid)
    stands = walk.ledger
    again = walk.post(walk.row.valid)

    assert first.status == 200
    assert first.stored_under("K1")
    assert again.replays(first)
    assert walk.ledger == stands


def test_a_known_key_with_other_parameters_is_refused(walk):
    first = walk.post(walk.row.valid)
    stands = walk.ledger
    other = walk.post(f"{walk.row.valid}&description=other")

    assert (other.status, other.error["type"]) == (400, "idempotency_error")
    assert "'K1'" in other.error["message"]
    assert other.executed_nothing("K1")
    assert walk.ledger == stands
    assert walk.post(walk.row.valid).replays(first)


def test_a_known_key_at_another_endpoint_is_refused(walk):
    first = walk.post(walk.row.valid)
    stands = walk.ledger
    other = walk.post(walk.row.valid, path=walk.other)

    assert (other.status, other.error["type"]) == (400, "idempotency_error")
    assert f"('{walk.other}' vs '{walk.path}')" in other.error["message"]
    assert walk.ledger == stands
    assert walk.post(walk.row.valid).replays(first)


def test_a_key_in_flight_is_a_409_and_its_first_request_goes_on(walk):
    walk.account.profile = Profile("p", (Rule("p#0", "claimed", (Wait(1.0),), Match(any=True)),))
    first = walk.begin(walk.row.valid)
    walk.account.profile = FAULT_FREE
    stands = walk.ledger
    twin = walk.post(walk.row.valid)

    assert (twin.status, twin.error["code"]) == (409, "idempotency_key_in_use")
    assert twin.executed_nothing("K1")
    assert walk.ledger == stands

    first.to_the_end()

    assert first.answer.stored_under("K1")
    assert walk.post(walk.row.valid).replays(first.answer)


@pytest.mark.parametrize("waits", [False, True])
def test_what_validation_refuses_is_not_kept_and_writes_nothing(walk, waits):
    """Whether or not a fault stands between the validation and the execution."""
    if waits:
        rule = Rule("p#0", "claimed", (Wait(1.0),), Match(any=True))
        walk.account.profile = Profile("p", (rule,))
    stands = walk.ledger
    refused = walk.begin(walk.row.invalid).to_the_end().answer
    walk.account.profile = FAULT_FREE

    assert (refused.status, refused.error["type"]) == (400, "invalid_request_error")
    assert refused.executed_nothing("K1")
    assert walk.ledger == stands
    assert walk.post(walk.row.valid).stored_under("K1")


@pytest.mark.parametrize(
    "pattern", [pattern for pattern in POSTS if ROWS[pattern].declined is not None]
)
def test_a_decline_is_answered_again_and_made_once(account, pattern):
    walk = Walk(account, pattern)
    first = walk.post(walk.row.declined)
    stands = walk.ledger
    again = walk.post(walk.row.declined)

    assert (first.status, first.error["type"]) == (402, "card_error")
    assert first.stored_under("K1")
    assert again.replays(first)
    assert walk.ledger == stands
    assert walk.post(walk.row.valid).error["type"] == "idempotency_error"
    assert walk.post(walk.row.valid, "K2").status == 200


@pytest.mark.parametrize("pattern", [pattern for pattern in POSTS if "{id}" in pattern])
def test_an_id_that_the_path_does_not_find_is_a_404_that_is_not_kept(account, pattern):
    walk = Walk(account, pattern)
    stands = walk.ledger
    missing = walk.post(walk.row.valid, path=pattern.format(id="x_nobody", part="y_nobody"))

    assert (missing.status, missing.error["code"]) == (404, "resource_missing")
    assert missing.executed_nothing("K1")
    assert walk.ledger == stands
    assert walk.post(walk.row.valid).stored_under("K1")
