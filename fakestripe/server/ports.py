"""Further ports of one server, each with accounts of its own: who opens, lists and closes them.

A port begins without faults, without requests and without neighbours. What lives on one is never
touched by what happens on another; all of them end with the server.
"""

import asyncio
import errno
import itertools
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from msgspec import Struct

from fakestripe.server.accounts import Accounts

MOST: Final = 256
"""More further ports than that are a test that forgets to close them."""


class PortError(Exception):
    """A port that cannot be opened or closed: the text says why, ``status`` how it is answered."""

    def __init__(self, said: str, status: int) -> None:
        super().__init__(said)
        self.status = status


class Listening(Protocol):
    """What is bound to a port: ``open`` raises ``OSError`` where it is taken."""

    url: str

    async def open(self) -> None:
        """Bind, and serve from now on."""

    async def close(self) -> None:
        """End all connections, and free the port."""


class Further(Struct, frozen=True):
    """One further port: ``id`` marks its lines in the journal, ``owner`` is who opened it.

    A number may be used again, an ``id`` never is.
    """

    id: str
    number: int
    owner: str | None
    accounts: Accounts
    listening: Listening

    @property
    def url(self) -> str:
        """The base URL."""
        return self.listening.url


class Ports:
    """The further ports of one server, by number.

    ``main`` are the accounts of its own port, ``listen`` binds accounts to a number; ``within``
    are the numbers that may be handed out (None: any).
    """

    def __init__(self, main: Accounts, listen: Callable[[Accounts, int], Listening]) -> None:
        self.main = main
        self.number = 0
        self.within: range | None = None
        self._listen = listen
        self._open: dict[int, Further] = {}
        self._opening = 0
        self._count = itertools.count(1)
        self._closed = False

    def __iter__(self) -> Iterator[Further]:
        return iter(list(self._open.values()))

    async def open(
        self, make: Callable[[str], Accounts], number: int, owner: str | None
    ) -> Further:
        """Serve the accounts that ``make`` makes for an id, on a port; 0 is a free one.

        Raises ``PortError``: 400 outside the range, 409 for one that is taken, or one too many.
        """
        if len(self._open) + self._opening >= MOST:
            raise PortError(f"{MOST} further ports are open: close some before opening more", 409)
        name = f"port_{next(self._count)}"
        accounts = make(name)
        self._opening += 1
        try:
            listening = await self._bound(accounts, number)
        finally:
            self._opening -= 1
        if self._closed:
            await listening.close()
            raise PortError("the server stops", 503)
        accounts.announce()
        bound = int(listening.url.rpartition(":")[2])
        found = self._open[bound] = Further(name, bound, owner, accounts, listening)
        return found

    async def _bound(self, accounts: Accounts, number: int) -> Listening:
        """Return what listens on a number, or on the first free one where it is 0."""
        for candidate in self._candidates(number):
            listening = self._listen(accounts, candidate)
            try:
                await listening.open()
            except OSError as failure:
                await listening.close()
                if failure.errno != errno.EADDRINUSE:
                    said = f"cannot listen on port {candidate}: {failure.strerror or failure}"
                    raise PortError(said, 400) from None
                continue
            return listening
        if number == 0:
            raise PortError(f"no port of {self._shown()} is free: close one, or widen it", 409)
        raise PortError(f"port {number} is taken: choose another, or 0 for a free one", 409)

    def _candidates(self, number: int) -> list[int]:
        """Return the numbers to try, in order."""
        if self.within is None or (number and number in self.within):
            return [number]
        if number:
            raise PortError(f"port {number} is not in {self._shown()}", 400)
        return [each for each in self.within if each not in self._open]

    def _shown(self) -> str:
        within = self.within or range(1)
        return f"the range {within.start}-{within.stop - 1} (--port-range)"

    async def close(self, number: int, owner: str | None, *, anybody: bool) -> Further:
        """Close a port and end what it serves.

        Raises ``PortError``: 409 for the server's own, 404 for one that is not open, or not the
        caller's (``anybody`` may close any).
        """
        if number == self.number:
            raise PortError(f"port {number} is the server's own: it ends with the server", 409)
        found = self._open.get(number)
        if found is None or not (anybody or found.owner == owner):
            raise PortError(
                f"port {number} is no further port of yours: GET ports lists them", 404
            )
        del self._open[number]
        await found.listening.close()
        return found

    async def end(self) -> None:
        """Close all of them, for good."""
        self._closed = True
        found, self._open = list(self._open.values()), {}
        await asyncio.gather(*(each.listening.close() for each in found))
