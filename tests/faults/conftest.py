"""One account, and arrivals stepped through it by hand: no socket, no clock, no thread."""

import pytest
from msgspec import Struct

from fakestripe.bank import Bank
from fakestripe.bank.journal import Journal
from fakestripe.exchange import Exchange
from fakestripe.faults.rules import Profile
from fakestripe.protocol.effects import (
    Barrier,
    Close,
    Cut,
    Drip,
    Effect,
    Hang,
    Misframe,
    Performed,
    Resend,
    Reset,
    Send,
    Wait,
)
from fakestripe.protocol.request import Request

NOON = 1_700_000_000.0
CHARGE = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]={order}"


class Arrived(Struct):
    """What came of one arrival: its attempt, and the effects in order."""

    exchange: Exchange
    effects: list[Effect]

    @property
    def attempt(self):
        return self.exchange.attempt

    @property
    def reply(self):
        sent = (e for e in self.effects if isinstance(e, Send | Drip | Misframe | Cut))
        return next((e.reply for e in sent), None)


class Wire:
    """Brings requests to one account under one profile, and performs every effect at once."""

    def __init__(self, profile: Profile | None = None) -> None:
        self.seconds = 0.0
        self.bank = Bank(
            "acct_test", wall=lambda: NOON, journal=Journal(lambda: self.seconds), customers="any"
        )
        self.profile = profile or Profile(name="none")
        self.arrivals = 0

    def request(self, method="POST", path="/v1/charges", order="ord_1", key=None, **more):
        self.arrivals += 1
        headers = {"authorization": "Bearer sk_test_x", **more.pop("headers", {})}
        if key is not None:
            headers["idempotency-key"] = key
        body = CHARGE.format(order=order).encode() if method == "POST" else b""
        facts = {
            "query": "",
            "body": body,
            "connection": self.arrivals,
            "request_on_connection": 1,
            "digest": str(self.arrivals),
            **more,
        }
        return Request(method=method, path=path, headers=headers, **facts)

    def arrive(self, method="POST", path="/v1/charges", **more):
        """Run one request to its end."""
        self.seconds += 1
        exchange = Exchange(self.request(method, path, **more), self.bank, self.profile)
        steps, effects = exchange.run(), []
        try:
            effect = next(steps)
            while True:
                effects.append(effect)
                effect = steps.send(_performed(effect))
        except StopIteration:
            return Arrived(exchange, effects)

    @property
    def charges(self):
        return self.bank.ledger.collection("charge").order


def _performed(effect: Effect) -> Performed:
    match effect:
        case Send(reply) | Drip(reply) | Misframe(reply):
            return Performed(bytes_sent=len(reply.body), delivered=True)
        case Barrier(parties=parties):
            return Performed(parties=parties)
        case Hang():
            return Performed(left=True)
        case Wait() | Reset() | Close() | Cut() | Resend():
            return Performed()


@pytest.fixture
def wire():
    """A wire under a profile: ``wire(profile)``."""
    return Wire
