"""fakestripe as an aiohttp application, in the test's own loop.

``create_app`` serves every fault from ``reading`` on under pytest-aiohttp's ``aiohttp_client``
and ``aiohttp_server``. No thread is started for it, so nothing here may wait for the loop that
it is called from.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar

from aiohttp import web

from fakestripe.faults.rules import Customers, Profile
from fakestripe.server.accounts import Accounts
from fakestripe.server.app import Port, make_app
from fakestripe.server.control.control import Control

CONTROL: Final = web.AppKey("CONTROL", Control)

T = TypeVar("T")


def create_app(
    profile: str | Profile | None = None, *, customers: Customers = "strict", seed: int = 0
) -> web.Application:
    """Return fakestripe as an application; ``app[CONTROL]`` is what a test holds of it.

    Raises ``ValueError`` for a profile with a rule at listen or accept: its port is not ours.
    """
    __tracebackhide__ = True
    accounts = Accounts(shared=True, customers=customers, mode="fixture", seed=seed)
    accounts.has_edge = False
    port = Port(accounts)
    home = OwnLoop(port)
    app = make_app(port, home.handle)
    app.on_startup.append(home.start)
    app.on_cleanup.append(home.end)
    app[CONTROL] = control = Control(port, home)
    if profile is not None:
        control.use(profile)
    return app


class OwnLoop:
    """The loop that serves the application, known once it has started."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running: set[asyncio.Task[Any]] = set()

    async def start(self, _: web.Application) -> None:
        """Remember the loop."""
        self._loop = asyncio.get_running_loop()

    async def handle(self, request: web.BaseRequest) -> Any:
        """Answer a request to its end: aiohttp's test server cancels whose client has left."""
        task = asyncio.ensure_future(self._port.handle(request))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def end(self, _: web.Application) -> None:
        """Return when nothing of it runs any more."""
        await asyncio.gather(*self._running, return_exceptions=True)

    @property
    def url(self) -> str:
        """An application does not know its address: who serves it does."""
        raise RuntimeError(
            "this fakestripe is an application: ask who serves it for the address, "
            'client.make_url("/") of aiohttp_client or server.make_url("/") of aiohttp_server'
        )

    @property
    def ca_file(self) -> str | None:
        """None: who serves an application decides whom clients trust."""
        return None

    def ours(self) -> bool:
        """Whether the caller runs in the serving loop."""
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return self._loop is None

    def call(self, work: Callable[[], T]) -> T:
        """Run ``work`` between requests and return its result."""
        if self._loop is None or not self._loop.is_running() or self.ours():
            return work()

        async def turn() -> T:
            return work()

        return asyncio.run_coroutine_threadsafe(turn(), self._loop).result()
