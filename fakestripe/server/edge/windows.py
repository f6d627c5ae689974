"""When a port refuses connections or swallows them: the rules at ``listen``.

The kernel answers here (or does not), so nothing can be counted: a rule strikes when its window
opens, whether a client met it or not. Connections that are inside live on. Windows begin so many
seconds after their profile took effect; where two overlap, the earlier rule holds.
"""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from fakestripe.faults.kinds import Blackhole, Refuse
from fakestripe.faults.rules import Profile
from fakestripe.faults.wording import shown
from fakestripe.server import kernel
from fakestripe.server.edge.addresses import address_of, bound
from fakestripe.server.edge.door import BACKLOG, Door
from fakestripe.server.edge.edge import Edge

MOST_FILLERS: Final = 256
"""Connections of our own that fill a queue: Linux needs one, others have no queue so short."""
LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # where to reach a bind

Window: TypeAlias = Refuse | Blackhole


class Windows:
    """The windows of one port, at all its doors; at most one of them is open."""

    def __init__(self, doors: Sequence[Door], edge: Edge) -> None:
        self._doors, self._edge = doors, edge
        self._loop = asyncio.get_running_loop()
        self._began = 0.0
        self._rules: list[tuple[str, Window]] = []
        self._timers: list[asyncio.TimerHandle] = []
        self._open: tuple[str, Window] | None = None
        self._line: dict[str, Any] = {}
        self._fillers: list[socket.socket] = []

    def take(self, profile: Profile) -> None:
        """Close what is open, and begin the windows of a profile."""
        self.end()
        self._rules = [
            (rule.name, fault)
            for rule in profile.rules
            if rule.at == "listen"
            for fault in rule.do
            if isinstance(fault, Refuse | Blackhole)
        ]
        self._began = self._loop.time()
        for _, window in self._rules:
            for moment in (window.after, window.after + window.seconds):
                if moment > 0:
                    at = self._began + moment
                    self._timers.append(self._loop.call_at(at, self._turn, moment))
        self._turn(0.0)

    def end(self) -> None:
        """Close what is open, and open nothing more."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._rules.clear()
        self._turn(0.0)

    def _turn(self, moment: float) -> None:
        """Open and close what is due, so many seconds after the beginning."""
        due = next(
            (each for each in self._rules if 0 <= moment - each[1].after < each[1].seconds), None
        )
        if due is self._open:
            return
        if self._open is not None:
            self._close(self._open[1])
        self._open = due
        if due is not None:
            self._begin(*due)

    def _begin(self, rule: str, window: Window) -> None:
        fault = shown(window)
        self._line = self._edge.strikes("listen", rule, fault=fault, until_s=None)
        for door in self._doors:
            if isinstance(window, Refuse):
                _refuse(door)
            else:
                self._swallow(door)

    def _close(self, window: Window) -> None:
        if isinstance(window, Blackhole):
            self._drop_fillers()
        for door in self._doors:
            for sock in door.sockets:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                sock.listen(BACKLOG)
            door.let_in()
        self._edge.ends(self._line)

    def _swallow(self, door: Door) -> None:
        """Leave room for one connection more, and take it: the kernel drops what comes then."""
        door.keep_out()
        for listening in door.sockets:
            listening.listen(0)
            self._fill(listening)

    def _fill(self, listening: socket.socket) -> None:
        host, *rest = listening.getsockname()
        for _ in range(MOST_FILLERS):
            if kernel.full(listening):
                return
            filler = socket.socket(listening.family)
            filler.settimeout(0)
            with suppress(BlockingIOError):
                filler.connect((LOOPBACK.get(host, host), *rest))
            self._fillers.append(filler)

    def _drop_fillers(self) -> None:
        """End our own connections; whoever else is in the queue comes in."""
        ours = {filler.getsockname() for filler in self._fillers}
        for door in self._doors:
            for listening in door.sockets:
                for client, peer in door.waiting(listening):
                    if peer in ours:
                        client.close()
                    else:
                        door.admit(client, peer)
        for filler in self._fillers:
            filler.close()
        self._fillers.clear()


def _refuse(door: Door) -> None:
    """Close the listening sockets; deaf ones keep their place, and share it with nobody."""
    door.keep_out()
    for place, listening in enumerate(door.sockets):
        address = address_of(listening)
        listening.close()
        deaf = door.sockets[place] = bound(address)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
