"""Webhook endpoints of one account: who is told of which events, signed as Stripe signs.

An event is told after its commit, and whatever becomes of the answer; ``deliveries`` knows what
befalls it. Only loopback addresses and the hosts that the server was told of are called: a test
must not reach anybody by accident. The time in a signature is the real one, since receivers
compare it with their own clock.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import UNSET, structs

from fakestripe.bank import Bank
from fakestripe.bank.ids import base62
from fakestripe.protocol.declared import PLAIN, Delivery, Webhook
from fakestripe.protocol.errors import encode
from fakestripe.resources.events import event_object
from fakestripe.server.webhooks.courier import Courier, Letter
from fakestripe.server.webhooks.deliveries import Ahead, Turn, Way
from fakestripe.server.webhooks.endpoint import Endpoint, signature

ANY: Final = "*"
_SECRET: Final = 32


def check_target(url: str, hosts: Collection[str] = ()) -> None:
    """Raise ``ValueError`` for a URL that may not be called."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        fine = parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:
        host, fine = "", False
    if not fine:
        raise ValueError(f"{url!r} is no URL of a webhook: write http://127.0.0.1:8000/webhooks")
    if not _is_loopback(host) and host not in hosts and ANY not in hosts:
        raise ValueError(
            f"{url!r} is not on this machine: webhooks go to loopback addresses, and to the hosts "
            f"that the server is told of (serve --webhook-host {host})"
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Webhooks:
    """The endpoints of one account and of those that it acts for; what is told is journalled."""

    def __init__(self, bank: Bank, courier: Courier) -> None:
        self._bank, self._courier = bank, courier
        self._own: list[Endpoint] = []
        self._profiles: list[Endpoint] = []
        self._everywhere, self._rule = PLAIN, ""
        self._turns: dict[str, Turn] = {}
        self._made = 0

    def __iter__(self) -> Iterator[Endpoint]:
        return iter([*self._profiles, *self._own])

    def add(self, asked: Webhook) -> Endpoint:
        """Add an endpoint."""
        self._own.append(self._endpoint(asked))
        return self._own[-1]

    def follow(self, asked: Iterable[Webhook], everywhere: Delivery | None, rule: str) -> None:
        """Have the endpoints of a profile in place of those of the profile before.

        ``everywhere`` is what befalls the events of all endpoints that say nothing themselves,
        and ``rule`` the name of that in the journal.
        """
        self._profiles = [self._endpoint(each) for each in asked]
        self._everywhere, self._rule = everywhere or PLAIN, rule

    def clear(self) -> None:
        """Forget all endpoints, and what is under way to them."""
        self._own, self._profiles = [], []
        self._turns.clear()
        self._courier.drop(self)

    def _endpoint(self, asked: Webhook) -> Endpoint:
        self._made += 1
        text = f"{self._bank.seed}:{self._bank.account}:{self._made}"
        digest = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=40).digest(), "big")
        return Endpoint(
            id=f"we_1{base62(digest, 23)}",
            url=asked.url,
            enabled_events=asked.enabled_events,
            secret=asked.secret or f"whsec_{base62(digest, _SECRET)}",
            api_version=asked.api_version,
            delivery=asked.delivery,
        )

    def listen(self, bank: Bank) -> None:
        """Tell what happens in a bank from now on."""
        bank.ledger.events.listener = partial(self._told, bank)

    def _told(self, bank: Bank, place: int) -> None:
        """Send an event to whom it may concern; called within the commit that wrote it."""
        log = bank.ledger.events
        kind = log.events[place].type
        ways = [(each, self._way(each, kind)) for each in self if each.wants(kind)]
        if ways:
            log.pending[place] = sum(way.delivery.copies for _, way in ways)
        for endpoint, way in ways:
            if way.delivery.late or way.delivery.never:
                _note(bank, place, endpoint, way, _HELD)
            if not way.delivery.never:
                log.awaited += self._set_out(bank, place, endpoint, way)

    def _way(self, endpoint: Endpoint, kind: str) -> Way:
        """Return what befalls an event: what its endpoint says goes before what a profile does."""
        if endpoint.delivery.strikes(kind):
            return Way(endpoint.delivery, None)
        if self._everywhere.strikes(kind):
            return Way(self._everywhere, self._rule)
        return Way(PLAIN, None)

    def _set_out(self, bank: Bank, place: int, endpoint: Endpoint, way: Way) -> list[Ahead]:
        """Send all copies of an event; return what its answer is to wait for."""
        asked = way.delivery
        earlier = self._earlier(endpoint, way) if asked.out_of_order else None
        answered = [
            self._courier.send(self._letter(bank, place, endpoint, way))
            for _ in range(asked.copies)
        ]
        if earlier is not None:
            earlier.let(answered)
        if asked.before_answer:
            way.ahead = Ahead(answered, asked.before_answer)
        return [] if way.ahead is None else [way.ahead]

    def _earlier(self, endpoint: Endpoint, way: Way) -> Turn | None:
        """Return the event that this one overtakes; where there is none, this one is held."""
        earlier = self._turns.pop(endpoint.id, None)
        if earlier is not None and not earlier.over:
            way.overtakes = True
            return earlier
        self._turns[endpoint.id] = way.turn = Turn(way.delivery.out_of_order)
        return None

    def _letter(self, bank: Bank, place: int, endpoint: Endpoint, way: Way) -> Letter:
        return Letter(
            owner=self,
            url=endpoint.url,
            write=partial(_body, bank, place, endpoint.api_version),
            sign=partial(signature, endpoint.secret),
            note=partial(_note, bank, place, endpoint, way),
            broke=bank.journal.bug,
            wait=way.wait,
        )


def _body(bank: Bank, place: int, version: str | None) -> bytes:
    """Return an event as it is sent; only its name of the version follows the endpoint [G]."""
    log = bank.ledger.events
    event = event_object(bank.ledger, place, log.events[place])
    if version is not None:
        event = structs.replace(event, api_version=version)
    return encode(structs.replace(event, account=bank.connected_as or UNSET))


_HELD: Final = {"attempt": 0, "status": None, "problem": None, "delivered": False}
"""What is known of an event that does not set out now."""


def _note(bank: Bank, place: int, endpoint: Endpoint, way: Way, tried: dict[str, Any]) -> None:
    """Journal one attempt to deliver; without what a URL may hide, or the secret."""
    log = bank.ledger.events
    event = event_object(bank.ledger, place, log.events[place])
    parts = urlsplit(endpoint.url)
    url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    known = {"event": event.id, "type": event.type, "endpoint": endpoint.id, "url": url}
    faults = way.words
    rules = [way.rule] if faults and way.rule is not None else []
    bank.journal.note("webhook", {**known, **tried, "faults": list(faults), "rules": rules})
    if rules and not way.told:
        way.told = True
        bank.fired[rules[0]] = bank.fired.get(rules[0], 0) + 1
    if tried["delivered"]:
        log.pending[place] -= 1
