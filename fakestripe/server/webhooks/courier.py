"""Carries letters to webhook endpoints: each by itself, again after a while where it is refused.

Nothing waits for it but the end of the server and a verdict. The client session is made with the
first letter. What is under way ends with its owner, and all of it with the server.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final, TypeAlias

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from msgspec import Struct

from fakestripe.server.real_time import Real

WAITS: Final = (0.0, 0.05, 0.25, 1.0)
"""Seconds before each attempt."""
PATIENCE: Final = ClientTimeout(total=10.0)
FINE: Final = range(200, 300)
_HEADERS: Final = {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    "Accept": "*/*; q=0.5, application/xml",
    "Cache-Control": "no-cache",
}


Answered: TypeAlias = asyncio.Future[None]
"""Done once the receiver has answered the first attempt, or nothing will come of it any more."""


class Letter(Struct, frozen=True):
    """What goes to one endpoint: ``write`` makes its body, ``sign`` signs it at a second.

    ``note`` is told of every attempt, ``broke`` of a mistake of ours; ``owner`` is who may call
    it back. It sets out once ``wait`` returns.
    """

    owner: Any
    url: str
    write: Callable[[], bytes]
    sign: Callable[[bytes, int], str]
    note: Callable[[dict[str, Any]], None]
    broke: Callable[[Exception], None]
    wait: Callable[[], Awaitable[None]] | None = None


class Courier:
    """All letters of one port that are under way."""

    def __init__(self) -> None:
        self._session: ClientSession | None = None
        self._owners: dict[asyncio.Task[None], Any] = {}
        self._closed = False

    def busy(self, of: Collection[Any] | None = None) -> bool:
        """Whether something is under way: its receiver may yet do something about it.

        ``of`` are the owners that it is asked of, or all.
        """
        owners = self._owners.values()
        return bool(owners) if of is None else any(owner in of for owner in owners)

    def send(self, letter: Letter) -> Answered:
        """Take a letter; called in the loop that serves."""
        loop = asyncio.get_running_loop()
        answered: Answered = loop.create_future()
        if self._closed:
            answered.set_result(None)
            return answered
        task = loop.create_task(self._guarded(letter, answered))
        self._owners[task] = letter.owner
        task.add_done_callback(self._owners.pop)
        task.add_done_callback(lambda _: _settle(answered))
        return answered

    def drop(self, owner: Any) -> None:
        """Call back what is under way for an owner."""
        for task, whose in list(self._owners.items()):
            if whose is owner:
                task.cancel()

    async def close(self) -> None:
        """Call everything back, for good."""
        self._closed = True
        tasks = list(self._owners)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def _guarded(self, letter: Letter, answered: Answered) -> None:
        try:
            await self._carry(letter, answered)
        except Exception as bug:  # noqa: BLE001  # law 6: ours, and kept for the report
            letter.broke(bug)

    async def _carry(self, letter: Letter, answered: Answered) -> None:
        body = letter.write()
        if letter.wait is not None:
            await letter.wait()
        for attempt, wait in enumerate(WAITS, 1):
            await asyncio.sleep(wait)
            status, problem = await self._post(letter, body)
            delivered = status in FINE
            tried = {"attempt": attempt, "status": status, "problem": problem}
            letter.note({**tried, "delivered": delivered})
            _settle(answered)
            if delivered:
                return

    async def _post(self, letter: Letter, body: bytes) -> tuple[int | None, str | None]:
        """Return the status of the answer, or what kept one from coming."""
        signed = letter.sign(body, int(Real.wall()))
        headers = {**_HEADERS, "Stripe-Signature": signed}
        try:
            async with self._opened().post(
                letter.url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                return answer.status, None
        except (ClientError, OSError, TimeoutError, ValueError) as problem:
            return None, f"{type(problem).__name__}: {problem}"

    def _opened(self) -> ClientSession:
        if self._session is None:
            self._session = ClientSession(
                connector=TCPConnector(force_close=True, limit=0),
                cookie_jar=DummyCookieJar(),
                timeout=PATIENCE,
            )
        return self._session


def _settle(answered: Answered) -> None:
    if not answered.done():
        answered.set_result(None)
