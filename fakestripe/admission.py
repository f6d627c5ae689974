"""How a request comes in by a further key: what the key allows, and what is held of its cap.

Whether it may come in at all is decided before its idempotency key is claimed, whatever it would
cost. Money is held once it is certain to execute: a replay, a twin in flight and a request that
cannot be read or made ask no cap. What is held here is settled in ``Bank.commit``, or let go.
"""

from typing import Any, Final

from fakestripe.bank.keys import Hold, Holder, Keys, admit
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.refusals import ProxyRefusal
from fakestripe.protocol.reply import Reply
from fakestripe.resources.desk import Desk
from fakestripe.resources.endpoint import Delete, Post

DECLINED: Final = 402


class Admission:
    """One request of a further key; it counts on the day on which it arrived."""

    __slots__ = ("attempt", "hold", "holder", "keys")

    def __init__(self, holder: Holder, keys: Keys, attempt: Attempt) -> None:
        self.holder, self.keys, self.attempt = holder, keys, attempt
        self.hold: Hold | None = None
        attempt.api_key = holder.shown

    def admit(self, now: float) -> None:
        """Let the request in; raises what ``keys.admit`` does, noted in the journal."""
        attempt = self.attempt
        try:
            admit(self.holder, attempt.method, attempt.path, now, attempt.account)
        except StripeError:
            attempt.policy = "permission_denied"
            raise
        attempt.policy = "allowed"

    def reserve(self, endpoint: Post | Delete, desk: Desk, command: Any) -> None:
        """Hold what the request is about to charge; raises ``ProxyRefusal`` beyond the cap.

        Nothing is held for what cannot be charged at all: its own refusal is for ``make``.

        Asked again right before the commit: while a request stood still, another may have
        changed what it is about to charge.
        """
        self.let_go()
        self.hold = None
        spends = endpoint.spends if isinstance(endpoint, Post) else None
        price = None if spends is None else spends(desk, command)
        if price is not None:
            self.attempt.cap_usd_cents = self.holder.rules.cap
            try:
                self.hold = self.keys.reserve(self.holder, *price, self.attempt.at)
            except ProxyRefusal:
                if _stands(endpoint, desk, command):
                    raise

    def let_go(self) -> None:
        """Release what is still held."""
        if self.hold is not None:
            self.keys.release(self.hold)


def _stands(endpoint: Post | Delete, desk: Desk, command: Any) -> bool:
    """Return whether a bank would be asked at all: what is refused before that meets no cap."""
    try:
        refusal = endpoint.make(desk, command).refusal
    except StripeError:
        return False
    return refusal is None or refusal.status == DECLINED


def refused(refusal: ProxyRefusal, attempt: Attempt) -> Reply:
    """Return the proxy's answer, noted in the journal; nothing of Stripe is in it."""
    attempt.policy = refusal.policy
    attempt.api_key = attempt.api_key or refusal.shown
    attempt.cap_usd_cents, attempt.spent_usd_cents = refusal.cap, refusal.spent
    return Reply(refusal.status, refusal.body, origin="edge", error_code=refusal.policy)
