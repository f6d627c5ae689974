"""``fakestripe_sweep``: a client that is a function, struck at each request with every fault.

The rules are those of ``fakestripe sweep``; in place of a process there is a call, and in place
of its exit status whether it returned. Every run has a server of its own.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias

import pytest

from fakestripe import verdict
from fakestripe.faults.rules import FAULT_FREE, Profile
from fakestripe.protocol import duration
from fakestripe.protocol.lesson import Lesson
from fakestripe.pytest_plugin.serving import failure, served
from fakestripe.server.control import closing
from fakestripe.server.control.control import Control
from fakestripe.server.control.marked import check_customers
from fakestripe.sweeping import rounds, telling
from fakestripe.sweeping.cells import Cell, Made, Plain, plain_of
from fakestripe.sweeping.menu import named
from fakestripe.sweeping.plans import Conditions, Plan, profile_of, text_of
from fakestripe.sweeping.rounds import Scope, Swept

Client: TypeAlias = Callable[[Control], Any]
Call: TypeAlias = Callable[[Control], None]

CUSTOMERS: Final = "fakestripe_customers"
HANG: Final = "3s"
WIDTH: Final = 96
MONEYLESS: Final = "without a fault no money moved: requests came, and none that charges"
DIFFERENT: Final = "the two runs without faults differ, so there is nothing to compare with:\n  "
PROFILE: Final = "The profile of the first of them; under fault_profiles/ it can be used by name."
WAITING: Final = "this client is async and a loop runs: write await fakestripe_sweep.swept(client)"


class Sweeper:
    """Call it with the client: a function, sync or async, that gets a server and pays there.

    A client that returns believes it was paid, one that raises that it was not. Each call of it
    is handed a ``fakestripe`` of its own (``.url``, ``.api_key``, ``.ca_file``).
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def __call__(  # noqa: PLR0913  # the flags of the command
        self,
        client: Client,
        *,
        faults: Sequence[str] = (),
        persistent: bool = False,
        depth: int = 1,
        hit: int = 1,
        max_hang: str | None = None,
    ) -> None:
        """Fail the test unless nothing red, doubtful or dangerous was found.

        ``faults`` are names of columns (all of them if left out); ``persistent``, ``depth`` and
        ``hit`` are as the flags of the command.
        """
        __tracebackhide__ = True
        scope = _scope(faults, persistent=persistent, depth=depth, hit=hit)
        self._sweep(scope, lambda control: _called(client, control), max_hang)

    async def swept(  # noqa: PLR0913  # the flags of the command
        self,
        client: Client,
        *,
        faults: Sequence[str] = (),
        persistent: bool = False,
        depth: int = 1,
        hit: int = 1,
        max_hang: str | None = None,
    ) -> None:
        """Do the same in a test that runs in a loop; an async client is awaited there."""
        __tracebackhide__ = True
        loop = asyncio.get_running_loop()
        scope = _scope(faults, persistent=persistent, depth=depth, hit=hit)

        def call(control: Control) -> None:
            result = client(control)
            if inspect.isawaitable(result):
                asyncio.run_coroutine_threadsafe(_awaited(result), loop).result()

        await asyncio.to_thread(self._sweep, scope, call, max_hang)

    def _sweep(self, scope: Scope, call: Call, max_hang: str | None) -> None:
        __tracebackhide__ = True
        longest = max_hang or self._config.getini("fakestripe_max_hang") or HANG
        conditions = Conditions(hang=duration.seconds(longest))
        plain = self._taught(call)

        def perform(plans: Sequence[Plan]) -> list[Made]:
            profiles = [profile_of(plan, conditions, plan.name) for plan in plans]
            return [self._run(call, profile, plain.lesson)[0] for profile in profiles]

        found = rounds.sweep(scope, plain, perform)
        for cell in found.cells:
            for bug in cell.bugs:
                raise bug
        if telling.exit_status(found):
            raise failure(_report(found, conditions))

    def _taught(self, call: Call) -> Plain:
        """Call the client twice without faults and return what that teaches."""
        __tracebackhide__ = True
        runs = [self._run(call, FAULT_FREE, None) for _ in range(2)]
        for _, problem in runs:
            if problem is not None:
                raise problem
        first, second = (verdict.records_of(made.journal) for made, _ in runs)
        if not any(attempt.moves for attempt in second.attempts):
            silent = closing.NO_REQUEST.format(url="any of its servers")
            raise failure(MONEYLESS if second.attempts else silent)
        differences = verdict.differences(first, second)
        if differences:
            raise failure(DIFFERENT + "\n  ".join(differences))
        return plain_of(second, verdict.learn(first, second))

    def _run(
        self, call: Call, profile: Profile, lesson: Lesson | None
    ) -> tuple[Made, Exception | None]:
        """Call the client once; return the run, and what the client raised."""
        problem = None
        with served(self._config) as control:
            customers = check_customers(CUSTOMERS, self._config.getini(CUSTOMERS))
            control.begin(None, customers)
            _begin(control, profile, lesson)
            try:
                call(control)
            except Exception as raised:  # noqa: BLE001  # what it raises is what it believes
                problem = raised
            status = 0 if problem is None else 1
            header = {"client_exits": [status]}
            control.within(lambda account: account.bank.journal.note("header", header))
            control.ended()
            journal = control.within(lambda account: account.bank.journal)
        return Made(journal, (status,)), problem


def _begin(control: Control, profile: Profile, lesson: Lesson | None) -> None:
    header = {"mode": "check", "lesson": lesson, "declared": True}
    control.within(lambda account: account.bank.journal.note("header", header))
    control.within(lambda account: account.bank.operations.configure(lesson=lesson))
    if profile is not FAULT_FREE:
        control.use(profile)


def _called(client: Client, control: Control) -> None:
    result = client(control)
    if not inspect.isawaitable(result):
        return
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(_awaited(result))
        return
    if inspect.iscoroutine(result):
        result.close()
    raise failure(WAITING)


async def _awaited(result: Awaitable[Any]) -> None:
    await result


def _scope(faults: Sequence[str], *, persistent: bool, depth: int, hit: int) -> Scope:
    __tracebackhide__ = True
    return Scope(kinds=named(faults), persistent=persistent, depth=depth, hit=hit)


def _report(found: Swept, conditions: Conditions) -> str:
    """Return the report of the command, and the profiles of what is red."""
    told = telling.told(found, again=_again, sources=lambda _: "below", width=WIDTH)
    smallest: dict[tuple[str, str | None], Cell] = {}
    for cell in telling.red(found):
        smallest.setdefault((cell.verdict.word, cell.verdict.cause), cell)
    files = [text_of(cell.plan, conditions) for cell in smallest.values()]
    return "\n\n".join([told, *(f"# {PROFILE}\n{text}".rstrip() for text in files)])


def _again(cell: Cell) -> str:
    """Return the call that makes no more than the runs of one cell's faults."""
    faults = list(dict.fromkeys(aim.kind.name for aim in cell.plan.aims))
    more = ", persistent=True" if cell.plan.last.lasting else ""
    more += f", depth={len(cell.plan.aims)}" if len(cell.plan.aims) > 1 else ""
    return f"fakestripe_sweep(client, faults={faults!r}{more})  # {cell.plan.name}"
