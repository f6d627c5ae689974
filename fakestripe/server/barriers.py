"""Barriers: exchanges that wait for each other, so that a race of check and use is certain.

Only those of one account, under one profile, wait for each other: neighbours have rules of the
same name. A barrier lets all go when its parties are there; one that times out lets go whoever
came and says how many. After three time-outs in a row all barriers of its rule stand down: a job
that is alone is held three times in vain, and not once for every operation.
"""

import asyncio
from typing import Final, TypeAlias

from fakestripe.bank.journal import Journal
from fakestripe.protocol.effects import Barrier

PATIENCE: Final = 3
Name: TypeAlias = tuple[Journal, int, str]


class Barriers:
    """The barriers of one port, by the run that they are of and by name, and their time-outs."""

    def __init__(self) -> None:
        self._waiting: dict[Name, list[asyncio.Future[int]]] = {}
        self._timed_out: dict[Name, int] = {}

    async def hold(self, barrier: Barrier, among: Journal) -> int:
        """Return when the barrier lets go, with the number of parties that were there.

        ``among`` is whose they all are: a run under one profile.
        """
        name = (among, among.profiles, barrier.name)
        rule = (among, among.profiles, barrier.rule)
        if self._timed_out.get(rule, 0) >= PATIENCE:
            return 0
        waiting = self._waiting.setdefault(name, [])
        ticket: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        waiting.append(ticket)
        if len(waiting) >= barrier.parties:
            self._release(name)
            self._timed_out.pop(rule, None)
            return ticket.result()
        try:
            async with asyncio.timeout(barrier.timeout):
                return await ticket
        except TimeoutError:
            self._timed_out[rule] = self._timed_out.get(rule, 0) + 1
            return self._release(name)

    def _release(self, name: Name) -> int:
        waiting = self._waiting.pop(name, [])
        for ticket in waiting:
            if not ticket.done():
                ticket.set_result(len(waiting))
        return len(waiting)

    def forget(self, among: Journal) -> None:
        """Let the holders of a run go on, and remember nothing of it."""
        for name in [name for name in self._waiting if name[0] is among]:
            self._release(name)
        for name in [name for name in self._timed_out if name[0] is among]:
            del self._timed_out[name]

    def wake_all(self) -> None:
        """Let every holder go on."""
        for name in list(self._waiting):
            self._release(name)
