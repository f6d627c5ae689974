"""Further keys in the hands of a test: with a cap, a list of endpoints, an end, or permissions."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from fakestripe.protocol.further_key import Wrong, key_of
from fakestripe.protocol.permissions import Right
from fakestripe.server.account import Account

T = TypeVar("T")


class Within(Protocol):
    """Runs work on the account, between requests."""

    def __call__(self, work: Callable[[Account], T], /) -> T:
        """Return what the work returns."""


class FurtherKeys:
    """Makes the further keys of one account."""

    def __init__(self, within: Within) -> None:
        self._within = within

    def key(  # noqa: PLR0913  # the fields of a key
        self,
        key: str | None = None,
        *,
        daily_usd_cap: str | int | None = None,
        allowed_endpoints: Sequence[str] | None = None,
        expires_at: float | None = None,
        refunds_give_back: bool | None = None,
        permissions: dict[str, Right] | None = None,
    ) -> str:
        """Return a further API key: a vault key, or with ``permissions`` a restricted one.

        ``daily_usd_cap`` is dollars as text, "450.00", a day by the account's clock (UTC);
        ``expires_at`` epoch seconds of that clock. Raises ``ValueError`` for what cannot be a key.
        """
        __tracebackhide__ = True
        asked = {
            "key": key,
            "daily_usd_cap": daily_usd_cap,
            "allowed_endpoints": allowed_endpoints,
            "expires_at": expires_at,
            "refunds_give_back": refunds_give_back,
            "permissions": permissions,
        }
        try:
            rules = key_of(asked)
        except Wrong as wrong:
            raise ValueError(f"fakestripe.key(…): {wrong}") from None
        made: str = self._within(lambda account: account.key(rules))
        return made
