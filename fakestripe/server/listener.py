"""The server in a thread of its own, with ``start()`` and ``stop()``.

asyncio's loop is given the real clock, so that a suite under freezegun does not stop its timers
(uvloop has its own, in C).
"""

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self, TypeVar

from fakestripe.bank.journal import Sink
from fakestripe.faults.rules import Customers
from fakestripe.server.account import Mode
from fakestripe.server.accounts import Accounts
from fakestripe.server.app import Port
from fakestripe.server.edge.front import Front
from fakestripe.server.edge.ways import Ways
from fakestripe.server.ports import Ports
from fakestripe.server.real_time import Real

if TYPE_CHECKING:
    from fakestripe.server.edge.tls import Identity
    from fakestripe.server.intercept.hosts import Hosts

TURNS: Final = 3
"""Turns of the loop in which a closed transport lets go of its socket."""

GLANCE: Final = 0.05
"""Seconds between two looks at whether the server still runs that has work to do."""

T = TypeVar("T")


class Server:
    """A server in a thread of its own.

    ``shared`` makes all API keys one account, as a test or a ``check`` run wants it; else every
    key has its own. ``customers`` is "strict", "any", or how many people are there. ``start()``
    returns when it listens, ``stop()`` when nothing of it is left. ``sink`` gets every line of
    the journal. ``new_loop`` makes the event loop (``uvloop.new_event_loop`` works). ``tls`` is
    True for a throw-away authority, which lives as long as the server, or an ``Identity``.

    ``https_port`` is a second port of the same, under TLS; ``intercept`` makes every port an HTTP
    proxy too, which is api.stripe.com itself and tunnels to the hosts of ``allow``. Where one of
    them asks for it, the identity is of ``identity``, else of a throw-away authority.
    """

    def __init__(  # noqa: PLR0913  # all by keyword, each a fact of the port
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        shared: bool = True,
        customers: Customers = "strict",
        mode: Mode = "fixture",
        sink: Sink | None = None,
        seed: int = 0,
        new_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop,
        tls: "bool | Identity" = False,
        https_port: int | None = None,
        intercept: bool = False,
        allow: Iterable[str] = (),
        identity: "Identity | None" = None,
    ) -> None:
        self._new_loop = new_loop
        self._tls, self._https_number = tls, https_port
        self._hosts = _hosts(intercept=intercept, allow=allow)
        self._given = identity if isinstance(tls, bool) else tls
        self._identity: Identity | None = None
        self._ways = Ways(host)
        accounts = Accounts(shared=shared, customers=customers, mode=mode, sink=sink, seed=seed)
        self.ports = Ports(accounts, self._further)
        self.port = Port(accounts, self.ports)
        self.url = ""
        self.https_url: str | None = None
        self.refused: Mapping[str, str] = {}
        self._number = port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None
        self._failure: BaseException | None = None

    def start(self) -> Self:
        """Bind and serve; raises ``OSError`` where the port is taken.

        Raises ``TlsError`` where TLS is asked for and trustme is not installed.
        """
        self._identity = self._who()
        secure = bool(self._tls)
        self._ways = Ways(self._ways.host, self._identity, secure, self._hosts)
        self._thread = threading.Thread(target=self._run, name="fakestripe", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            self._thread.join()
            self._forget()
            raise self._failure
        return self

    def _who(self) -> "Identity | None":
        """Return who the server is under TLS."""
        if not (self._tls or self._hosts is not None or self._https_number is not None):
            return None
        if self._given is not None:
            return self._given
        from fakestripe.server.edge.tls import Identity  # noqa: PLC0415  # cryptography, only if asked

        return Identity.made(self._ways.host)

    def _forget(self) -> None:
        """Remove the certificate of a throw-away authority of our own."""
        if self._given is None and self._identity is not None:
            self._identity.close()

    @property
    def ca_file(self) -> str | None:
        """The file by which clients can trust a throw-away authority; None without one."""
        return None if self._identity is None else self._identity.ca_file

    @property
    def ca_pem(self) -> bytes | None:
        """The certificate in that file, which is there where no file can be written, too."""
        return None if self._identity is None else self._identity.ca_pem

    @property
    def intercepts(self) -> bool:
        """Whether it is an HTTP proxy too."""
        return self._hosts is not None

    def stop(self) -> None:
        """Stop serving; safe to call twice."""
        if self._loop is None or self._thread is None or self._stop is None:
            return
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._forget()

    def call(self, work: Callable[[], T]) -> T:
        """Run ``work`` in the server's loop, between requests, and return its result.

        Where the server has stopped, or stops before it comes to it, it runs here.
        """
        loop, thread = self._loop, self._thread
        if loop is None or thread is None or not thread.is_alive() or loop.is_closed():
            return work()
        if self.ours():
            return work()
        done: Future[T] = Future()
        with suppress(RuntimeError):  # closed since we looked
            loop.call_soon_threadsafe(_into, done, work)
        while not done.done() and thread.is_alive():
            wait([done], GLANCE)
        return done.result() if done.done() else work()

    def ours(self) -> bool:
        """Whether the caller runs in the server's thread, and so must not wait for it."""
        return self._thread is threading.current_thread()

    def _run(self) -> None:
        loop = self._new_loop()
        if isinstance(loop, asyncio.BaseEventLoop):
            loop.time = Real.monotonic  # type: ignore[method-assign]
        self._loop = loop
        try:
            loop.run_until_complete(self._serve())
        except BaseException as failure:  # noqa: BLE001  # raised again in start()
            self._failure = failure
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            self._ready.set()

    def _further(self, accounts: Accounts, number: int) -> Front:
        """Return what listens on a further port, as this server does on its own."""
        return Front(Port(accounts, self.ports), self._ways, number)

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        front = Front(self.port, self._ways, self._number, self._https_number)
        try:
            await front.open()
            self.refused = front.refused
            self.port.accounts.announce()
            self.url, self.https_url = front.url, front.https_url
            self.ports.number = int(self.url.rpartition(":")[2])
            self._ready.set()
            await self._stop.wait()
        finally:
            await asyncio.gather(front.close(), self.ports.end())
            await _rest()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def _hosts(*, intercept: bool, allow: Iterable[str]) -> "Hosts | None":
    """Return whom a proxy tunnels to, None for a port that is no proxy."""
    if not intercept:
        return None
    from fakestripe.server.intercept.hosts import Hosts  # noqa: PLC0415  # only if asked

    return Hosts.allowing(allow)


async def _rest() -> None:
    """End what still runs in this loop, and let what is closing close."""
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for _ in range(TURNS):
        await asyncio.sleep(0)


def _into(done: "Future[T]", work: Callable[[], T]) -> None:
    try:
        done.set_result(work())
    except BaseException as problem:  # noqa: BLE001  # raised again in the caller's thread
        done.set_exception(problem)
