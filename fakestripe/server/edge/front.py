"""The front of one port in the running loop: bound to its number, guarded, served, and closed.

What a profile says of the port itself (listen, accept) takes effect here at once; everything from
the first byte of a request on is the business of the port behind it. A port may have two doors,
in the clear and under TLS: they are one port, and what strikes it strikes both.
"""

from typing import Final

from fakestripe.faults.rules import Profile
from fakestripe.server.app import Port
from fakestripe.server.edge.door import Door
from fakestripe.server.edge.edge import Edge
from fakestripe.server.edge.gate import Gate
from fakestripe.server.edge.ways import Reached, Ways
from fakestripe.server.edge.windows import Windows

SHUTDOWN: Final = 0.05
"""Seconds that aiohttp waits for handlers at the end; 0 would mean for ever."""


class Front:
    """One port in the running loop: bound to its number, and served.

    ``https_number`` is where it listens under TLS beside that; None: nowhere. ``refused`` says of
    each host that was asked for in vain why, where the port is a proxy.
    """

    def __init__(
        self, port: Port, ways: Ways, number: int, https_number: int | None = None
    ) -> None:
        self._port, self._ways = port, ways
        self.refused: dict[str, str] = {}
        self._edge = Edge(port.accounts)
        self._gate = Gate(port, self._edge)
        context = None if ways.identity is None else ways.identity.context
        if ways.hosts is None or context is None:
            self._web = port.bare()
            self._door = Door(self._web, self._gate, context if ways.secure else None)
        else:
            from fakestripe.server.intercept import requests  # noqa: PLC0415  # only if asked
            from fakestripe.server.intercept.proxy import Proxy  # noqa: PLC0415

            proxy = Proxy(ways.hosts, context)
            self.refused = proxy.refused
            handler = requests.Requests(port.handle, proxy)
            self._web = port.bare(handler.handle)
            self._door = Door(self._web, self._gate, context if ways.secure else None, proxy)
            handler.returns = self._door.readmit
        self._numbers = {self._door: (number, ways.secure)}
        if https_number is not None:
            self._numbers[Door(self._web, self._gate, context)] = (https_number, True)
        self._windows = Windows(list(self._numbers), self._edge)
        self.url = ""
        self.https_url: str | None = None

    async def open(self) -> None:
        """Bind; raises ``OSError`` where the port is taken."""
        urls = []
        for door, (number, secure) in self._numbers.items():
            door.open(self._ways.host, number)
            urls.append(_url(door, "https" if secure else "http"))
        self.url, self.https_url = urls[0], urls[1] if len(urls) > 1 else None
        self._port.reached = Reached(self._ways, *map(_number, urls))
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
        for door in self._numbers:
            door.close()
            await door.empty()
        await self._port.stop()
        self._web.pre_shutdown()
        await self._web.shutdown(SHUTDOWN)
        for door in self._numbers:
            await door.rest()


def _url(door: Door, scheme: str) -> str:
    host, number = door.sockets[0].getsockname()[:2]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{number}"


def _number(url: str) -> int:
    return int(url.rpartition(":")[2])
