"""The account's clock in the hands of a test: moved by a duration, or set to an instant.

Moving it moves no socket and no timer. The instant comes from the test alone: what the machine,
freezegun or time-machine say is never asked.
"""

from collections.abc import Callable
from typing import Any

from fakestripe.protocol import duration
from fakestripe.server.account import Account


class Clock:
    """``within`` runs a deed on the account, between requests."""

    def __init__(self, within: Callable[[Callable[[Account], Any]], Any]) -> None:
        self._within = within

    def now(self) -> float:
        """Return the account's time in epoch seconds."""
        return float(self._within(lambda account: account.bank.clock.now()))

    def advance(self, by: Any) -> None:
        """Move the clock by a duration: ``"25h"``, a ``timedelta``, or seconds."""
        __tracebackhide__ = True
        seconds = seconds_of(by)
        self._within(lambda account: account.advance(seconds, "test"))

    def set(self, to: Any) -> None:
        """Set the clock to an instant: epoch seconds, or an aware ``datetime``."""
        __tracebackhide__ = True
        now = moment_of(to)
        self._within(lambda account: account.set_clock(now, "test"))


def seconds_of(given: Any) -> float:
    """Return a duration in seconds: a word, a ``timedelta``, or a number of seconds."""
    __tracebackhide__ = True
    call = f"fakestripe.clock.advance({given!r})"
    if isinstance(given, str):
        try:
            return duration.seconds(given)
        except ValueError as wrong:
            raise ValueError(f"{call}: {wrong}") from None
    if hasattr(given, "total_seconds"):
        return float(given.total_seconds())
    if isinstance(given, int | float) and not isinstance(given, bool):
        return float(given)
    raise TypeError(f'{call}: write a duration, such as "25h", a timedelta, or seconds')


def moment_of(given: Any) -> float:
    """Return an instant in epoch seconds: a number, or an aware ``datetime``."""
    __tracebackhide__ = True
    call = f"fakestripe.clock.set({given!r})"
    if isinstance(given, int | float) and not isinstance(given, bool):
        return float(given)
    if not hasattr(given, "timestamp"):
        raise TypeError(f"{call}: write epoch seconds, or a datetime with a time zone")
    if given.tzinfo is None:
        raise ValueError(f"{call}: the datetime has no time zone; add tzinfo=timezone.utc")
    return float(given.timestamp())
