"""What a spend-cap proxy answers in front of Stripe: one flat line of JSON, and no headers of it.

``{"error":"daily_usd_cap_exceeded","cap_usd":450.00,"spent_usd":450.01}`` is how such proxies
answer over a cap. That an endpoint, an end, a currency and an unknown key are refused in the same
manner, with 403 and 401, is a decision of ours. Dollars are written from whole cents.
"""

from typing import Final, Literal, TypeAlias

from msgspec import json

from fakestripe.protocol.further_key import dollars

Policy: TypeAlias = Literal[
    "allowed",
    "daily_usd_cap_exceeded",
    "endpoint_not_allowed",
    "key_expired",
    "currency_not_allowed",
    "unknown_key",
    "permission_denied",
]
"""What was decided of a request by the key it came with."""

OVER_CAP: Final = 429
FORBIDDEN: Final = 403
UNAUTHORIZED: Final = 401


class ProxyRefusal(Exception):  # noqa: N818  # an answer, raised where it is decided
    """An answer of the proxy: its status, its word, its body.

    ``cap`` and ``spent`` are cents, where a cap refused; ``shown`` is the key that it is about,
    masked, where nobody knows it otherwise.
    """

    def __init__(  # noqa: PLR0913  # the answer, and what it knows
        self,
        status: int,
        policy: Policy,
        rest: str,
        *,
        cap: int | None = None,
        spent: int | None = None,
        shown: str | None = None,
    ) -> None:
        super().__init__(policy)
        self.status = status
        self.policy: Policy = policy
        self.body = f'{{"error":"{policy}",{rest}}}'.encode()
        self.cap, self.spent, self.shown = cap, spent, shown


def over_cap(cap: int, spent: int) -> ProxyRefusal:
    """Return the refusal of a charge with which so many cents were spent, of so many."""
    rest = f'"cap_usd":{dollars(cap)},"spent_usd":{dollars(spent)}'
    return ProxyRefusal(OVER_CAP, "daily_usd_cap_exceeded", rest, cap=cap, spent=spent)


def other_endpoint(method: str, path: str, allowed: tuple[str, ...]) -> ProxyRefusal:
    """Return the refusal of an endpoint that is not on the key's list."""
    said = f'"endpoint":{_text(f"{method} {path}")},"allowed_endpoints":{_text(allowed)}'
    return ProxyRefusal(FORBIDDEN, "endpoint_not_allowed", said)


def expired(at: float) -> ProxyRefusal:
    """Return the refusal of a key whose time is over."""
    return ProxyRefusal(UNAUTHORIZED, "key_expired", f'"expires_at":{_text(at)}')


def other_currency(currency: str) -> ProxyRefusal:
    """Return the refusal of a charge that no cap in dollars could count."""
    why = f"this key has a cap in usd, and a charge in {currency} cannot be held against it"
    said = f'"currency":{_text(currency)},"message":{_text(why)}'
    return ProxyRefusal(FORBIDDEN, "currency_not_allowed", said)


def unknown_key(shown: str) -> ProxyRefusal:
    """Return the refusal of a vault key that nobody has made."""
    why = f"{shown} is not known here: make it by POST /_fakestripe/keys, or in a profile"
    rest = f'"message":{_text(why)}'
    return ProxyRefusal(UNAUTHORIZED, "unknown_key", rest, shown=shown)


def _text(value: object) -> str:
    return json.encode(value).decode()
