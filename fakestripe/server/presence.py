"""Which clients are still there: one watcher for all exchanges that take time.

aiohttp tells a handler nothing when its client leaves (and must not cancel it: an exchange runs
to its end). Who holds until its client leaves says how that is seen, so one task looks for all of
them, every few milliseconds, for as long as there are any.
"""

import asyncio
from collections.abc import Callable
from typing import Final

INTERVAL: Final = 0.01


class Presence:
    """The exchanges that hold, and what to do when their client leaves or the server stops."""

    def __init__(self) -> None:
        self._held: dict[asyncio.Event, Callable[[], bool] | None] = {}
        self._watcher: asyncio.Task[None] | None = None
        self._stopping = False

    async def hold(self, seconds: float | None, until: Callable[[], bool] | None = None) -> None:
        """Return after ``seconds``, at shutdown, or once ``until`` finds the client gone."""
        if self._stopping or (until is not None and until()):
            return
        woken = asyncio.Event()
        self._held[woken] = until
        if until is not None and self._watcher is None:
            self._watcher = asyncio.create_task(self._watch())
        try:
            async with asyncio.timeout(seconds):
                await woken.wait()
        except TimeoutError:
            pass
        finally:
            self._held.pop(woken, None)

    async def _watch(self) -> None:
        try:
            while self._held:
                await asyncio.sleep(INTERVAL)
                for woken, has_left in list(self._held.items()):
                    if has_left is not None and has_left():
                        woken.set()
                        self._held.pop(woken, None)
        finally:
            self._watcher = None

    def wake_all(self) -> None:
        """Let every held exchange go on: a reset of the account, or shutdown."""
        for woken in list(self._held):
            woken.set()

    def stop(self) -> None:
        """Let every held exchange go on and hold none from now on."""
        self._stopping = True
        self.wake_all()
        if self._watcher is not None:
            self._watcher.cancel()
