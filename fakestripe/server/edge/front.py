"""The front of one port in the running loop: bound to its number, guarded, served, and closed.

What a profile says of the port itself (listen, accept) takes effect here at once; everything from
the first byte of a request on is the business of the port behind it.
"""

from typing import TYPE_CHECKING, Final

from fakestripe.faults.rules import Profile
from fakestripe.server.app import Port
from fakestripe.server.edge.door import Door
from fakestripe.server.edge.edge import Edge
from fakestripe.server.edge.gate import Gate
from fakestripe.server.edge.windows import Windows

if TYPE_CHECKING:
    from fakestripe.server.edge.tls import Identity

SHUTDOWN: Final = 0.05
"""Seconds that aiohttp waits for handlers at the end; 0 would mean for ever."""


class Front:
    """One port in the running loop: bound to its number, and served."""

    def __init__(
        self, port: Port, host: str, number: int, identity: "Identity | None" = None
    ) -> None:
        self._port, self._host, self._number = port, host, number
        self._scheme = "http" if identity is None else "https"
        self._web = port.bare()
        self._edge = Edge(port.accounts)
        self._gate = Gate(port, self._edge)
        self._door = Door(self._web, self._gate, None if identity is None else identity.context)
        self._windows = Windows(self._door, self._edge)
        self.url = ""

    async def open(self) -> None:
        """Bind; raises ``OSError`` where the port is taken."""
        self._door.open(self._host, self._number)
        host, number = self._door.sockets[0].getsockname()[:2]
        self.url = f"{self._scheme}://{f'[{host}]' if ':' in host else host}:{number}"
        self._port.accounts.attend(self._take)

    def _take(self, profile: Profile) -> None:
        """Let a profile take effect on the port itself."""
        self._edge.begin()
        self._gate.take(profile)
        self._windows.take(profile)

    async def close(self) -> None:
        """Let held exchanges go, end all connections, free the port."""
        self._port.accounts.attend(None)
        self._windows.end()
        self._door.close()
        await self._door.empty()
        await self._port.stop()
        self._web.pre_shutdown()
        await self._web.shutdown(SHUTDOWN)
        await self._door.rest()
