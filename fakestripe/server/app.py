"""The aiohttp application: one handler feeds each request to an exchange and performs it.

There is no middleware and no access log: each would cost a tenth of the speed. A client that
leaves never stops an exchange; what is sent to it then is dropped.
"""

import asyncio
import gc
import itertools
import logging
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from aiohttp import web
from msgspec import structs

from fakestripe.exchange import Exchange
from fakestripe.faults import plan
from fakestripe.faults.fate import Steps
from fakestripe.protocol.attempt import opened
from fakestripe.protocol.effects import Send
from fakestripe.protocol.mistake import bug_reply
from fakestripe.protocol.request import Request
from fakestripe.resources.routes import PLAIN
from fakestripe.server import reading
from fakestripe.server.account import Account
from fakestripe.server.accounts import Accounts
from fakestripe.server.barriers import Barriers
from fakestripe.server.connections import Connections, Seen
from fakestripe.server.guests import guest_of
from fakestripe.server.log import confess
from fakestripe.server.ports import Ports
from fakestripe.server.presence import Presence
from fakestripe.server.real_time import Real
from fakestripe.server.waiting import Waiting
from fakestripe.server.wire import Line

if TYPE_CHECKING:
    from fakestripe.server.edge.ways import Reached

Handle: TypeAlias = Callable[[web.BaseRequest], Awaitable[Any]]

QUIET: Final = logging.getLogger("fakestripe.http")
"""aiohttp tells of every client that leaves in the middle; bugs of ours are journalled."""
QUIET.propagate = False
QUIET.addHandler(logging.NullHandler())


FAILURES: Final = 32
"""Requests that could not be read between two looks for what they leave."""
_failed = itertools.count(1)


def _let_go(_: logging.LogRecord) -> bool:
    """Free what requests hold that could not be read: each a cycle with all that came of it.

    A head that is too long leaves half a megabyte, and a server collects rarely by itself.
    """
    if next(_failed) % FAILURES == 0:
        gc.collect()
    return False


QUIET.addFilter(_let_go)
ADMIN: Final = "/_fakestripe/"
LINGER: Final = 1.0
"""Seconds in which the rest of a refused body is taken, so that its sender reads the refusal."""
FORBIDDEN: Final = 403
MASK: Final = 2**64 - 1
PATIENCE: Final = 60.0
"""Seconds after which a verdict waits no longer for what may still move money."""
PAUSE: Final = 0.002


class Port:
    """What serves one port: its accounts, its connections, its held exchanges.

    ``ports`` are the further ports of its server, where it has any; ``reached`` is how it is
    reached, where that is for us to say.
    """

    def __init__(self, accounts: Accounts, ports: Ports | None = None) -> None:
        self.accounts = accounts
        self.ports = ports
        self.reached: Reached | None = None
        self.waiting = Waiting(accounts)
        self.presence = Presence()
        self.entering = 0
        self.barriers = Barriers()
        self._large = asyncio.Semaphore(reading.AT_ONCE)
        self.connections = Connections()
        self._running: dict[Line, Exchange] = {}
        accounts.on_reset = self.free

    async def handle(self, raw: web.BaseRequest) -> Any:
        """Answer one request."""
        foreign = self.accounts.guard.foreign(raw.headers, raw.path)
        if foreign is not None:
            return web.json_response({"error": foreign}, status=FORBIDDEN)
        if raw.path.startswith(ADMIN):
            return await self._admin(raw)
        line = Line(raw, self.presence, self.barriers)
        try:
            seen = self.connections.count(raw.transport)
            begun = await self._broken_off(raw, line, seen) if self.accounts.reads else b""
            if begun is None:
                return line
            rest = reading.arrived(raw) or await reading.whole(raw, line, self._large)
            request = _request(raw, begun + rest if begun else rest, seen)
            await self._run(line, request)
            while line.again:
                line.again = False
                await self._run(line, self._resent(request))
        except (web.HTTPException, ConnectionError):
            raise
        except Exception as bug:  # noqa: BLE001  # law 6: ours, and kept for the report
            confess(bug)
            self.accounts.anyone().bank.journal.bug(bug)
            await line.perform(Send(bug_reply(bug)))
        return line

    async def _run(self, line: Line, request: Request) -> None:
        """Let a request that is fully read go its way."""
        account, holder, refusal = guest_of(request, self.accounts)
        self._sweep()
        exchange = Exchange(request, account.bank, account.profile, refusal, holder)
        await self._perform(line, exchange, exchange.run())

    def _resent(self, request: Request) -> Request:
        """Return a request as a proxy sends it once more: on a connection of its own."""
        number, count = self.connections.another()
        return structs.replace(
            request, connection=number, request_on_connection=count, resent=True
        )

    async def _broken_off(self, raw: web.BaseRequest, line: Line, seen: Seen) -> bytes | None:
        """Let a rule at ``reading`` strike: None; else return what was read of the body."""
        head = _request(raw, b"", seen)
        account, holder, refusal = guest_of(head, self.accounts)
        bank, profile = account.bank, account.profile
        known = opened(head, arrival=0, account=bank.account, at=0.0, step=None)
        rule = plan.reading(profile, head, known, bank)
        if rule is None:
            return b""
        body, whole = await reading.some(raw, line, rule.do[0])
        if plan.used_up(rule, bank):  # by another that was quicker with its body
            return body
        self._sweep()
        exchange = Exchange(_request(raw, body, seen), bank, profile, refusal, holder)
        await self._perform(line, exchange, exchange.broken_off(rule, whole=whole))
        return None

    async def _perform(self, line: Line, exchange: Exchange, steps: Steps[None]) -> None:
        self._running[line] = exchange
        line.journal = exchange.bank.journal
        try:
            effect = line.begin(steps)
            if effect is not None:
                await line.follow(steps, effect)
        except Exception as bug:  # noqa: BLE001  # law 6: ours, and kept for the report
            confess(bug)
            exchange.broke(bug)
            line.drop()
        finally:
            del self._running[line]

    async def _admin(self, raw: web.BaseRequest) -> web.StreamResponse:
        from fakestripe.server.admin import routes  # noqa: PLC0415  # verdict, YAML: if asked

        return await routes.answer(raw, self)

    def _sweep(self) -> None:
        """Note which running exchanges have lost their client, before a new arrival is placed."""
        for line, exchange in self._running.items():
            if line.left:
                exchange.client_left()

    def quiet(self, of: Collection[Account] | None = None) -> bool:
        """Whether the truth is settled: nothing that runs can move money or reach its client.

        ``of`` are the accounts that it is asked of; what a neighbour holds is no matter of theirs.
        What may run: a hang whose client is there, and what lost its client after the commit.
        A webhook under way may make its receiver pay; what waits at the door has yet to be read.
        """
        self._sweep()
        owners = None if of is None else [account.webhooks for account in of]
        journals = None if of is None else [account.bank.journal for account in of]
        return not (self.accounts.courier.busy(owners) or self.entering) and all(
            exchange.settled if line.left else line.ended
            for line, exchange in self._running.items()
            if not line.forgotten and (journals is None or exchange.bank.journal in journals)
        )

    async def settled(self, of: Collection[Account] | None = None) -> None:
        """Return when the port is quiet, or after ``PATIENCE`` seconds."""
        ends = Real.monotonic() + PATIENCE
        while not self.quiet(of) and Real.monotonic() < ends:  # noqa: ASYNC110  # no one event says so
            await asyncio.sleep(PAUSE)

    def bare(self, handle: Handle | None = None) -> web.Server:
        """Return the port without an application: routes are ours, and each layer costs time.

        ``handle`` may stand before the port's own handler.
        """
        loop = asyncio.get_running_loop()
        request: Any = partial(web.BaseRequest, loop=loop, client_max_size=reading.BODY_LIMIT)
        handle = handle or self.handle
        return web.Server(
            handle,
            request_factory=request,
            access_log=None,
            logger=QUIET,
            lingering_time=LINGER,
        )

    def free(self, account: Account) -> None:
        """End the connections on which an account's exchanges are held, and no neighbour's."""
        self.barriers.forget(account.bank.journal)
        for line, exchange in list(self._running.items()):
            if exchange.bank.journal is account.bank.journal:
                line.forget()

    def wake_all(self) -> None:
        """Let every held exchange go on."""
        self.presence.wake_all()
        self.barriers.wake_all()

    async def stop(self, _: web.Application | None = None) -> None:
        """Let every held exchange go on, for good, and whoever waits for arrivals."""
        self.waiting.stop()
        self.presence.stop()
        self.barriers.wake_all()
        await self.accounts.courier.close()


def _request(raw: web.BaseRequest, body: bytes, seen: Seen) -> Request:
    return Request(
        method=raw.method,
        path=raw.path,
        query=raw.raw_path.partition("?")[2],
        headers=raw.headers,
        body=body,
        connection=seen[0],
        request_on_connection=seen[1],
        digest=_digest(raw, body),
    )


def _digest(raw: web.BaseRequest, body: bytes) -> str:
    """Return sixteen characters that are equal, in one process, for byte-identical requests."""
    return f"{hash((raw.method, raw.raw_path, raw.raw_headers, body)) & MASK:016x}"


def make_app(port: Port, handle: Handle | None = None) -> web.Application:
    """Return the application of one port; ``handle`` may stand before the port's own handler."""
    app = web.Application(client_max_size=reading.BODY_LIMIT)
    handle = handle or port.handle
    for pattern in PLAIN:  # aiohttp finds these in a table, and the rest by a pattern
        app.router.add_route("*", pattern, handle)
    app.router.add_route("*", "/{path:.*}", handle)
    app.on_shutdown.append(port.stop)
    return app
