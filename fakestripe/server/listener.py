"""Binds a port and runs it, in a thread with ``start()`` and ``stop()`` or in the running loop.

asyncio's loop is given the real clock, so that a suite under freezegun does not stop its timers
(uvloop has its own, in C).
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, Self, TypeVar

from aiohttp import web

from fakestripe.bank.journal import Sink
from fakestripe.faults.rules import Customers
from fakestripe.server.account import Mode
from fakestripe.server.accounts import Accounts
from fakestripe.server.app import Port
from fakestripe.server.ports import Ports
from fakestripe.server.real_time import Real

SHUTDOWN: Final = 0.05
"""Seconds that aiohttp waits for handlers at the end; 0 would mean for ever."""

TURNS: Final = 3
"""Turns of the loop in which a closed transport lets go of its socket."""

T = TypeVar("T")


class Listener:
    """One bound port in the running loop."""

    def __init__(self, port: Port, host: str, number: int) -> None:
        self._port, self._host, self._number = port, host, number
        self._runner: web.ServerRunner | None = None
        self.url = ""

    async def open(self) -> None:
        """Bind; raises ``OSError`` where the port is taken."""
        self._runner = web.ServerRunner(self._port.bare(), shutdown_timeout=SHUTDOWN)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._number, backlog=1024)
        await site.start()
        host, number = self._runner.addresses[0][:2]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{number}"

    async def close(self) -> None:
        """Let held exchanges go, end all connections, free the port."""
        await self._port.stop()
        if self._runner is not None:
            await self._runner.cleanup()


class Server:
    """A server in a thread of its own.

    ``shared`` makes all API keys one account, as a test or a ``check`` run wants it; else every
    key has its own. ``customers`` is "strict", "any", or how many people are there. ``start()``
    returns when it listens, ``stop()`` when nothing of it is left. ``sink`` gets every line of
    the journal. ``new_loop`` makes the event loop (``uvloop.new_event_loop`` works).
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
    ) -> None:
        self._new_loop = new_loop
        accounts = Accounts(shared=shared, customers=customers, mode=mode, sink=sink, seed=seed)
        self.ports = Ports(accounts, self._further)
        self.port = Port(accounts, self.ports)
        self.url = ""
        self._host, self._number = host, port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None
        self._failure: BaseException | None = None

    def start(self) -> Self:
        """Bind and serve; raises ``OSError`` where the port is taken."""
        self._thread = threading.Thread(target=self._run, name="fakestripe", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure
        return self

    def stop(self) -> None:
        """Stop serving; safe to call twice."""
        if self._loop is None or self._thread is None or self._stop is None:
            return
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def call(self, work: Callable[[], T]) -> T:
        """Run ``work`` in the server's loop, between requests, and return its result."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None or not thread.is_alive() or loop.is_closed():
            return work()
        if self.ours():
            return work()
        done: Future[T] = Future()
        loop.call_soon_threadsafe(_into, done, work)
        return done.result()

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

    def _further(self, accounts: Accounts, number: int) -> Listener:
        """Return what listens on a further port, as this server does on its own."""
        return Listener(Port(accounts, self.ports), self._host, number)

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        listener = Listener(self.port, self._host, self._number)
        try:
            await listener.open()
            self.port.accounts.announce()
            self.url = listener.url
            self.ports.number = int(self.url.rpartition(":")[2])
            self._ready.set()
            await self._stop.wait()
        finally:
            await asyncio.gather(listener.close(), self.ports.end())
            await _rest()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


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
