"""Webhook endpoints of one account: who is told of which events, signed as Stripe signs.

An event is told after its commit, and whatever becomes of the answer. Only loopback addresses and
the hosts that the server was told of are called: a test must not reach anybody by accident. The
time in a signature is the real one, since receivers compare it with their own clock.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterable, Iterator
from fnmatch import fnmatchcase
from functools import partial
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import UNSET, Struct, structs

from fakestripe.bank import Bank
from fakestripe.bank.ids import base62
from fakestripe.protocol.declared import Webhook
from fakestripe.protocol.errors import encode
from fakestripe.resources.events import event_object
from fakestripe.server.courier import Courier, Letter

ANY: Final = "*"
_SECRET: Final = 32


class Endpoint(Struct, frozen=True):
    """One endpoint as it stands: ``secret`` is the key of its signatures."""

    id: str
    url: str
    enabled_events: tuple[str, ...]
    secret: str
    copies: int = 1
    api_version: str | None = None

    def wants(self, kind: str) -> bool:
        """Return whether it is told of events of this type."""
        return any(fnmatchcase(kind, pattern) for pattern in self.enabled_events)


def signature(secret: str, body: bytes, second: int) -> str:
    """Return the ``Stripe-Signature`` of a body (stripe-facts 8)."""
    signed = hmac.new(secret.encode(), f"{second}.".encode() + body, hashlib.sha256)
    return f"t={second},v1={signed.hexdigest()}"


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
        self._made = 0

    def __iter__(self) -> Iterator[Endpoint]:
        return iter([*self._profiles, *self._own])

    def add(self, asked: Webhook) -> Endpoint:
        """Add an endpoint."""
        self._own.append(self._endpoint(asked))
        return self._own[-1]

    def follow(self, asked: Iterable[Webhook]) -> None:
        """Have the endpoints of a profile in place of those of the profile before."""
        self._profiles = [self._endpoint(each) for each in asked]

    def clear(self) -> None:
        """Forget all endpoints, and what is under way to them."""
        self._own, self._profiles = [], []
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
            copies=asked.copies,
            api_version=asked.api_version,
        )

    def listen(self, bank: Bank) -> None:
        """Tell what happens in a bank from now on."""
        bank.ledger.events.listener = partial(self._told, bank)

    def _told(self, bank: Bank, place: int) -> None:
        """Send an event to whom it may concern; called within the commit that wrote it."""
        log = bank.ledger.events
        wanting = [each for each in self if each.wants(log.events[place].type)]
        if wanting:
            log.pending[place] = sum(endpoint.copies for endpoint in wanting)
        for endpoint in wanting:
            for _ in range(endpoint.copies):
                self._courier.send(self._letter(bank, place, endpoint))

    def _letter(self, bank: Bank, place: int, endpoint: Endpoint) -> Letter:
        return Letter(
            owner=self,
            url=endpoint.url,
            write=partial(_body, bank, place, endpoint.api_version),
            sign=partial(signature, endpoint.secret),
            note=partial(_note, bank, place, endpoint),
            broke=bank.journal.bug,
        )


def _body(bank: Bank, place: int, version: str | None) -> bytes:
    """Return an event as it is sent; only its name of the version follows the endpoint [G]."""
    log = bank.ledger.events
    event = event_object(bank.ledger, place, log.events[place])
    if version is not None:
        event = structs.replace(event, api_version=version)
    return encode(structs.replace(event, account=bank.connected_as or UNSET))


def _note(bank: Bank, place: int, endpoint: Endpoint, tried: dict[str, Any]) -> None:
    """Journal one attempt to deliver; without what a URL may hide, or the secret."""
    log = bank.ledger.events
    event = event_object(bank.ledger, place, log.events[place])
    parts = urlsplit(endpoint.url)
    url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    known = {"event": event.id, "type": event.type, "endpoint": endpoint.id, "url": url}
    bank.journal.note("webhook", {**known, **tried})
    if tried["delivered"]:
        log.pending[place] -= 1
