"""Barriers: exchanges that wait for each other, so that a race of check and use is certain.

A barrier lets all go when its parties are there; one that times out lets go whoever came, says
how many, and stands down after three time-outs in a row.
"""

import asyncio
from typing import Final

from fakestripe.protocol.effects import Barrier

PATIENCE: Final = 3


class Barriers:
    """The barriers of one port, by name."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[asyncio.Future[int]]] = {}
        self._timed_out: dict[str, int] = {}

    async def hold(self, barrier: Barrier) -> int:
        """Return when the barrier lets go, with the number of parties that were there."""
        if self._timed_out.get(barrier.name, 0) >= PATIENCE:
            return 0
        waiting = self._waiting.setdefault(barrier.name, [])
        ticket: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        waiting.append(ticket)
        if len(waiting) >= barrier.parties:
            self._release(barrier.name)
            self._timed_out[barrier.name] = 0
            return ticket.result()
        try:
            async with asyncio.timeout(barrier.timeout):
                return await ticket
        except TimeoutError:
            self._timed_out[barrier.name] = self._timed_out.get(barrier.name, 0) + 1
            return self._release(barrier.name)

    def _release(self, name: str) -> int:
        waiting = self._waiting.pop(name, [])
        for ticket in waiting:
            if not ticket.done():
                ticket.set_result(len(waiting))
        return len(waiting)

    def wake_all(self) -> None:
        """Let every holder go on."""
        for name in list(self._waiting):
            self._release(name)
