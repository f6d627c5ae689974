"""Who waits for a client: told by the lines of the journal, so that nobody who waits has to look.

While somebody waits, every line tells; while nobody does, no line costs more than before. What is
waited for is looked at again with each line, and never by a clock.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from fakestripe.protocol.points import ORDER, Point
from fakestripe.server.account import Account
from fakestripe.server.accounts import Accounts


class Awaited(Struct, frozen=True):
    """What is waited for: so many attempts, ended or at a point where asked, and a rule.

    At a point means there or past it: who looks later than it came finds it none the less.
    """

    attempts: int = 1
    ended: bool = False
    point: Point | None = None
    rule: str | None = None

    def holds(self, accounts: Sequence[Account]) -> bool:
        """Return whether it has come."""
        if self.rule is not None and not any(a.bank.fired.get(self.rule) for a in accounts):
            return False
        if sum(len(account.bank.journal.attempts) for account in accounts) < self.attempts:
            return False
        return self.come(accounts) >= self.attempts

    def come(self, accounts: Sequence[Account]) -> int:
        """Return how many attempts are as far as they are waited for."""
        return sum(
            (not self.ended or attempt.ended_s is not None)
            and (self.point is None or ORDER[attempt.last_point] >= ORDER[self.point])
            for account in accounts
            for attempt in account.bank.journal.attempts
        )

    def __str__(self) -> str:
        """Say it as a reader would."""
        far = f" that came to {self.point}" if self.point else ""
        if self.ended:
            far = f"{far} and have ended" if far else " that have ended"
        number = f"{self.attempts} attempt{'' if self.attempts == 1 else 's'}{far}"
        strike = f"a strike of rule {self.rule}" if self.rule else ""
        return " and ".join(said for said in (number if self.attempts else "", strike) if said)


def told(accounts: Sequence[Account]) -> dict[str, Any]:
    """Return what has come so far: attempts, how many of them ended, which rules struck."""
    attempts = [each for account in accounts for each in account.bank.journal.attempts]
    fired: Counter[str] = Counter()
    for account in accounts:
        fired.update(account.bank.fired)
    return {
        "attempts": len(attempts),
        "ended": sum(each.ended_s is not None for each in attempts),
        "rules_fired": dict(fired),
    }


class Waiter:
    """One who waits: ``came`` says whether it was worth it, ``done`` is told once."""

    def __init__(self, holds: Callable[[], bool], done: Callable[[], None]) -> None:
        self.holds, self.done = holds, done
        self.came = False


class Waiting:
    """All who wait at one port."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._waiters: list[Waiter] = []
        self.stopped = False

    def __len__(self) -> int:
        return len(self._waiters)

    def begin(self, waiter: Waiter) -> None:
        """Wait from now on; in the loop that serves, as ``end`` is."""
        if waiter.holds():
            waiter.came = True
        if waiter.came or self.stopped:
            waiter.done()
            return
        self._waiters.append(waiter)
        self._accounts.listen(self._tell)

    def end(self, waiter: Waiter) -> None:
        """Wait no longer."""
        if waiter in self._waiters:
            self._waiters.remove(waiter)
        if not self._waiters:
            self._accounts.listen(None)

    def _tell(self) -> None:
        for waiter in self._waiters:
            if not waiter.came and waiter.holds():
                waiter.came = True
                waiter.done()

    def stop(self) -> None:
        """Let everybody go, for good: nothing comes any more."""
        self.stopped = True
        for waiter in self._waiters:
            waiter.done()

    async def until(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Return whether it has come within ``seconds``, in the loop that serves."""
        woken = asyncio.Event()
        waiter = Waiter(holds, woken.set)
        self.begin(waiter)
        try:
            async with asyncio.timeout(seconds):
                await woken.wait()
        except TimeoutError:
            pass
        finally:
            self.end(waiter)
        return waiter.came
