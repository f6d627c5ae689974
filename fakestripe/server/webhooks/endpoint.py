"""One webhook endpoint as it stands, and how what goes there is signed (stripe-facts 8)."""

import hashlib
import hmac
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct

from fakestripe.protocol.declared import PLAIN, Delivery
from fakestripe.protocol.duration import word


class Endpoint(Struct, frozen=True):
    """One endpoint as it stands: ``secret`` is the key of its signatures."""

    id: str
    url: str
    enabled_events: tuple[str, ...]
    secret: str
    api_version: str | None = None
    delivery: Delivery = PLAIN

    @property
    def copies(self) -> int:
        """Return how often it is told of each event, at once."""
        return self.delivery.copies

    def shown(self) -> dict[str, Any]:
        """Return it as the admin side shows it: what goes wrong only where something does."""
        asked = self.delivery
        return {
            "id": self.id,
            "url": self.url,
            "enabled_events": self.enabled_events,
            "secret": self.secret,
            "copies": asked.copies,
            "api_version": self.api_version,
            **{name: _written(getattr(asked, name)) for name in asked.timing},
            **({} if asked.only == PLAIN.only else {"only": asked.only}),
        }

    def wants(self, kind: str) -> bool:
        """Return whether it is told of events of this type."""
        return any(fnmatchcase(kind, pattern) for pattern in self.enabled_events)


def _written(value: float) -> bool | str:
    return True if value is True else word(value)


def signature(secret: str, body: bytes, second: int) -> str:
    """Return the ``Stripe-Signature`` of a body (stripe-facts 8)."""
    signed = hmac.new(secret.encode(), f"{second}.".encode() + body, hashlib.sha256)
    return f"t={second},v1={signed.hexdigest()}"
