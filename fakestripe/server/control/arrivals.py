"""How a test waits for its client: in a thread of its own, or in any loop, and never by sleeping.

Who waits must not be the loop that serves, unless it lets that loop go on meanwhile. What did not
come is told together with what did.
"""

import asyncio
import threading
from typing import Final

from fakestripe.protocol.duration import word
from fakestripe.protocol.points import POINTS, Point
from fakestripe.server.account import Account
from fakestripe.server.accounts import SHARED
from fakestripe.server.app import Port
from fakestripe.server.control.home import Home
from fakestripe.server.waiting import Awaited, Waiter, told

SHOWN: Final = 8
"""How many arrivals are named where another one did not come."""
OWN_LOOP: Final = (
    "fakestripe.wait() would keep the loop from serving: await fakestripe.waited(…) instead"
)


class Arrivals:
    """What arrives at the one account of a port, for who waits for it."""

    def __init__(self, home: Home, port: Port) -> None:
        self._home, self._port = home, port

    def _account(self) -> Account:
        return self._port.accounts.named(SHARED)

    def _waiter(self, awaited: Awaited, done: "threading.Event | Woken") -> Waiter:
        """Begin to wait; raises ``ValueError`` for what cannot come."""
        if awaited.point is not None and awaited.point not in POINTS:
            raise ValueError(f"point={awaited.point!r}: there are {', '.join(POINTS)}")
        rules = [rule.name for rule in self._home.call(self._account).profile.rules]
        if awaited.rule is not None and awaited.rule not in rules:
            there = f"there are {', '.join(rules)}" if rules else "no profile with rules is set"
            raise ValueError(f"rule={awaited.rule!r} is not in the profile; {there}")
        accounts = self._port.accounts
        waiter = Waiter(lambda: awaited.holds(accounts.known(SHARED)), done.set)
        self._home.call(lambda: self._port.waiting.begin(waiter))
        return waiter

    def wait(
        self,
        attempts: int = 1,
        timeout: float = 10.0,
        *,
        ended: bool = False,
        point: Point | None = None,
        rule: str | None = None,
    ) -> int:
        """Return once so many ``attempts`` have arrived: how many there are then.

        ``ended`` waits until they have ended, ``point`` until they came that far, ``rule`` until
        a rule of the profile has struck too. Raises ``TimeoutError`` after ``timeout`` seconds,
        naming what arrived. In a loop, await ``waited``.
        """
        __tracebackhide__ = True
        if self._home.ours():
            raise RuntimeError(OWN_LOOP)
        awaited, woken = Awaited(attempts, ended, point, rule), threading.Event()
        waiter = self._waiter(awaited, woken)
        try:
            woken.wait(timeout)
        finally:
            self._home.call(lambda: self._port.waiting.end(waiter))
        return self._came(waiter, awaited, timeout)

    async def waited(
        self,
        attempts: int = 1,
        timeout: float = 10.0,  # noqa: ASYNC109  # the word of ``wait``
        *,
        ended: bool = False,
        point: Point | None = None,
        rule: str | None = None,
    ) -> int:
        """Do as ``wait`` does, in a loop that goes on meanwhile."""
        __tracebackhide__ = True
        awaited, woken = Awaited(attempts, ended, point, rule), Woken()
        waiter = self._waiter(awaited, woken)
        try:
            async with asyncio.timeout(timeout):
                await woken.event.wait()
        except TimeoutError:
            pass
        finally:
            self._home.call(lambda: self._port.waiting.end(waiter))
        return self._came(waiter, awaited, timeout)

    def _came(self, waiter: Waiter, awaited: Awaited, timeout: float) -> int:
        __tracebackhide__ = True
        account = self._home.call(self._account)
        known = told([account])
        if waiter.came:
            return int(known["attempts"])
        attempts = account.bank.journal.attempts
        named = [f"{each.method} {each.path}" for each in attempts[:SHOWN]]
        more = [f"and {len(attempts) - SHOWN} more"] if len(attempts) > SHOWN else []
        came = ", ".join([*named, *more]) or "nothing"
        when = "the server stopped" if self._port.waiting.stopped else f"after {word(timeout)}"
        raise TimeoutError(f"{when}, still awaited: {awaited}; arrived: {came}")


class Woken:
    """An event of the running loop that another thread may set."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.event = asyncio.Event()

    def set(self) -> None:
        """Wake who waits."""
        self._loop.call_soon_threadsafe(self.event.set)
