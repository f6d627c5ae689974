"""Where a port is served, and how a caller waits until nothing that runs can move money any more.

A client that has given up leaves exchanges behind, and some of them commit later: a verdict given
before would be wrong. Who waits must not be the loop that serves.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from fakestripe.server.app import PATIENCE, PAUSE, Port
from fakestripe.server.real_time import Real

T = TypeVar("T")


class Home(Protocol):
    """Where a port is served: a loop in a thread, or the loop of the test itself."""

    @property
    def url(self) -> str:
        """The base URL, without a slash at its end."""

    @property
    def ca_file(self) -> str | None:
        """The file by which clients can trust it, where it speaks TLS by an authority of ours."""

    def call(self, work: Callable[[], T]) -> T:
        """Run ``work`` between requests and return its result."""

    def ours(self) -> bool:
        """Whether the caller runs in the serving loop, and so must not wait for it."""


def settle(home: Home, port: Port) -> None:
    """Wait from another thread; in the serving loop it returns at once.

    The first look is one turn of the loop, in which it learns who has left.
    """
    ends = Real.monotonic() + PATIENCE
    home.call(port.quiet)
    while not home.call(port.quiet):
        if home.ours() or Real.monotonic() > ends:
            return
        threading.Event().wait(PAUSE)


async def settled(home: Home, port: Port) -> None:
    """Wait in any loop, the serving one included."""
    for _ in range(2):
        await asyncio.sleep(0)
    ends = Real.monotonic() + PATIENCE
    while not home.call(port.quiet):
        if Real.monotonic() > ends:
            return
        await asyncio.sleep(PAUSE)
