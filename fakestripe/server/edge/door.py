"""The listening sockets of one port, and how a connection comes from there to aiohttp.

We accept by ourselves, because only so can a fault strike a connection before anything of it is
read, its TLS handshake included, and only so can a port stop listening and begin again while the
connections that it has live on. Connections that are inside are never touched here, until the end.
"""

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, cast
from weakref import WeakSet

from fakestripe.server.edge.addresses import all_bound

if TYPE_CHECKING:
    from fakestripe.server.intercept.proxy import Proxy

BACKLOG: Final = 1024
BATCH: Final = 128
"""Connections that are accepted in one turn of the loop."""

EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
RESPITE: Final = 0.2
"""Seconds without accepting where there is no room for another socket."""
MOST_FILES: Final = 10_000
"""Open files with which no further connection is accepted: the kernel keeps what comes then."""

BEGUN: Final = 10
"""Turns of the loop in which a request that has arrived is begun."""

TURNS: Final = 100
"""Turns of the loop in which ended connections let go of their sockets."""


class Porter(Protocol):
    """Who stands at the door: what a new connection meets, and what becomes of it."""

    def meets(self, peer: Any) -> Any:
        """Count a connection of ``peer``; return what it meets, None where it may come in."""

    def holds(self, client: socket.socket, met: Any) -> Awaitable[bool]:
        """Let it meet that; return whether it may come in after all, else it is over."""

    def over(self, met: Any) -> None:
        """Know that it is over, or that what it sent meanwhile has been begun."""


class Door:
    """The listening sockets, and the connections that are not inside yet.

    ``tls`` is who the port is to its clients, where it speaks TLS; ``proxy`` what it does with
    those that take it for a proxy, where it is one.
    """

    def __init__(
        self,
        serve: Callable[[], asyncio.BaseProtocol],
        porter: Porter,
        tls: ssl.SSLContext | None = None,
        proxy: "Proxy | None" = None,
    ) -> None:
        self._serve, self._porter, self._tls, self._proxy = serve, porter, tls, proxy
        self._loop = asyncio.get_running_loop()
        self._entering: dict[asyncio.Task[None], socket.socket] = {}
        self._inside: WeakSet[socket.socket] = WeakSet()
        self._watched: list[socket.socket] = []
        self._lets_in = False
        self.sockets: list[socket.socket] = []

    def open(self, host: str, number: int) -> None:
        """Listen at every address of a host; raises ``OSError`` where one is taken."""
        self.sockets = all_bound(host, number)
        for listening in self.sockets:
            listening.listen(BACKLOG)
        self.let_in()

    def let_in(self) -> None:
        """Accept what comes, from now on."""
        self._lets_in = True
        self._watch()

    def _watch(self) -> None:
        if self._lets_in and not self._watched:
            self._watched = list(self.sockets)
            for listening in self._watched:
                self._loop.add_reader(listening.fileno(), self._accept, listening)

    def keep_out(self) -> None:
        """Accept what has come already, and nothing more."""
        for listening in self._watched:
            self._accept(listening)
        self._lets_in = False
        self._unwatch()

    def _unwatch(self) -> None:
        for listening in self._watched:
            self._loop.remove_reader(listening.fileno())
        self._watched = []

    def _accept(self, listening: socket.socket) -> None:
        try:
            _check_room(listening)
            for client, peer in self.waiting(listening):
                self.admit(client, peer)
        except OSError as failure:
            if failure.errno not in EXHAUSTED:
                raise
            self._unwatch()  # the kernel keeps what comes meanwhile
            self._loop.call_later(RESPITE, self._watch)

    def waiting(self, listening: socket.socket) -> Iterator[tuple[socket.socket, Any]]:
        """Yield the connections that wait to be accepted, each with its client's address."""
        with suppress(BlockingIOError, InterruptedError):
            for _ in range(BATCH):
                with suppress(ConnectionAbortedError):
                    yield listening.accept()

    def admit(self, client: socket.socket, peer: Any) -> None:
        """Let a connection in, once it has met what it must."""
        self.lead(client, self._enter(client, self._porter.meets(peer)))

    def lead(self, client: socket.socket, way: Coroutine[Any, Any, None]) -> None:
        """Take care of a connection until it is inside, or over."""
        client.settimeout(0)
        entering = self._loop.create_task(way)
        self._entering[entering] = client
        entering.add_done_callback(self._entered)

    async def _enter(self, client: socket.socket, met: Any) -> None:
        if met is None:
            await self._go_on(client)
            return
        with ExitStack() as held:
            held.callback(self._porter.over, met)
            if await self._porter.holds(client, met):
                await self._go_on(client, held.close)
                for _ in range(BEGUN):
                    await asyncio.sleep(0)
            else:
                client.close()

    def readmit(self, client: socket.socket, asked: str) -> None:
        """Let a connection of ours in again that took us for a proxy, and asked for somebody."""
        self.lead(client, self._go_on(client, asked=asked))

    async def _go_on(
        self,
        client: socket.socket,
        idles: Callable[[], None] | None = None,
        asked: str | None = None,
    ) -> None:
        """Let a connection in, by the way that it asks for."""
        if self._proxy is None:
            await self._come_in(client, self._tls)
            return
        way = await self._proxy.way(client, idles or _nothing, asked)
        if way is None:
            client.close()
        else:
            context = {"port": self._tls, "tls": self._proxy.context, "clear": None}[way]
            await self._come_in(client, context)

    async def _come_in(self, client: socket.socket, tls: ssl.SSLContext | None) -> None:
        if tls is not None:
            self._inside.add(client)
        self._entering.pop(cast("asyncio.Task[None]", asyncio.current_task()), None)
        with suppress(OSError):  # the client left, or does not trust us
            await self._loop.connect_accepted_socket(self._serve, client, ssl=tls)

    def _entered(self, task: "asyncio.Task[None]") -> None:
        self._entering.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            raise cast(BaseException, task.exception())

    def close(self) -> None:
        """Listen no more."""
        self._lets_in = False
        self._unwatch()
        for listening in self.sockets:
            listening.close()

    async def empty(self) -> None:
        """End every connection that is not inside yet."""
        entering = list(self._entering.items())
        for task, _ in entering:
            task.cancel()
        await asyncio.gather(*(task for task, _ in entering), return_exceptions=True)
        for _, client in entering:
            client.close()

    async def rest(self) -> None:
        """Return when the ended connections have let go of their sockets.

        Under TLS a client that never answers a goodbye would keep one for half a minute.
        """
        for client in list(self._inside):
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
        for _ in range(TURNS):
            if all(client.fileno() < 0 for client in self._inside):
                return
            await asyncio.sleep(0)


def _check_room(listening: socket.socket) -> None:
    """Raise ``OSError`` where so many files are open already, whatever the system allows."""
    lowest_free = os.dup(listening.fileno())
    os.close(lowest_free)
    if lowest_free >= MOST_FILES:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


def _nothing() -> None:
    """Do nothing: nobody waits for what a connection sends that met no rule."""
