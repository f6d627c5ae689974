"""What a connection meets before anything of it is read: the rules at ``accept``.

Connections are counted from the moment a profile takes effect on the port; calls of the admin
side come on connections too. A fault is journalled before it strikes. Nothing is read here, also
no TLS handshake: what a client has sent meanwhile waits in the kernel, for whoever serves it.
"""

import asyncio
import socket
from contextlib import suppress
from functools import partial
from typing import Any, Final

from msgspec import Struct

from fakestripe.faults import plan
from fakestripe.faults.kinds import Close, Fault, Hang, Reset, Wait
from fakestripe.faults.rules import FAULT_FREE, Profile
from fakestripe.faults.wording import shown
from fakestripe.server import kernel
from fakestripe.server.app import Port
from fakestripe.server.edge.edge import Edge
from fakestripe.server.wire import SETTLE

GOODBYE: Final = 1.0
"""Seconds in which a client may notice a FIN before its socket goes; nginx lingers alike."""
CHUNK: Final = 65536


class Met(Struct, frozen=True):
    """What a connection meets, where it is from, and the line of the journal that tells of it."""

    peer: Any
    faults: tuple[Fault, ...]
    line: dict[str, Any]

    @property
    def comes_in(self) -> bool:
        """Whether the connection is served in the end."""
        return all(isinstance(fault, Wait) for fault in self.faults)


class Gate:
    """The rules at ``accept`` of one port, and how many connections came since they hold."""

    def __init__(self, port: Port, edge: Edge) -> None:
        self._port, self._edge = port, edge
        self._profile = FAULT_FREE
        self._count = 0
        self._has_rules = False

    def take(self, profile: Profile) -> None:
        """Count from one again, under the rules of a profile."""
        self._profile, self._count = profile, 0
        self._has_rules = any(rule.at == "accept" for rule in profile.rules)

    def meets(self, peer: Any) -> Met | None:
        """Count a connection; note the rule that it meets, where it meets one."""
        self._port.connections.forget(peer)  # of an earlier one that never sent a request
        if not self._has_rules:
            return None
        self._count += 1
        rule = plan.accepted(self._profile, self._count, self._edge.fired)
        if rule is None:
            return None
        line = self._edge.strikes(
            "connection",
            rule.name,
            connection=self._port.connections.expected(peer),
            point="accept",
            faults=[shown(fault) for fault in rule.do],
            client_left=False,
        )
        met = Met(peer, rule.do, line)
        self._port.entering += met.comes_in
        return met

    def over(self, met: Met) -> None:
        """Know that a connection is over, or that what it sent meanwhile has been begun."""
        self._port.entering -= met.comes_in

    async def holds(self, client: socket.socket, met: Met) -> bool:
        """Let the faults strike in their order; return whether the connection goes on."""
        for fault in met.faults:
            await self._strikes(client, fault, met.line)
            if not isinstance(fault, Wait):
                self._port.connections.forget(met.peer)
                return False
        return True

    async def _strikes(self, client: socket.socket, fault: Fault, line: dict[str, Any]) -> None:
        match fault:
            case Wait(seconds):
                await self._port.presence.hold(seconds)
            case Hang(seconds):
                await self._port.presence.hold(seconds, partial(kernel.gone, client))
            case Reset():
                await asyncio.sleep(SETTLE)
        if kernel.gone(client):
            self._edge.amend(line, client_left=True)
        if isinstance(fault, Reset):
            kernel.linger(client)
        elif isinstance(fault, Close | Hang):
            await finished(client)


async def finished(client: socket.socket) -> None:
    """Send a FIN, and take what the client still sends, until it leaves too.

    A socket that is closed over unread bytes sends a RST, and the client may see either.
    """
    loop = asyncio.get_running_loop()
    with suppress(OSError, TimeoutError):
        client.shutdown(socket.SHUT_WR)
        async with asyncio.timeout(GOODBYE):
            while await loop.sock_recv(client, CHUNK):
                pass
