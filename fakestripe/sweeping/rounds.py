"""The rounds of a sweep: first every slot times every fault, then what only a fault brought about.

A slot's faults end where no request comes any more: what is struck in the second round is what
the first one's runs had, and the runs without faults had not. A run that is red already is not
followed: its remedy comes first. Of runs that cannot differ, one is followed.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from fakestripe.sweeping import slots
from fakestripe.sweeping.cells import NEVER, Cell, Made, Plain, judged
from fakestripe.sweeping.menu import Kind, race
from fakestripe.sweeping.plans import Aim, Plan
from fakestripe.sweeping.requests import Place
from fakestripe.sweeping.slots import Slot
from fakestripe.sweeping.traces import trace_of
from fakestripe.verdict.words import RED

Perform: TypeAlias = Callable[[Sequence[Plan]], Sequence[Made | None]]
"""Makes the runs of some plans; None where there was no time for one."""


class Scope(Struct, frozen=True, kw_only=True):
    """How far a sweep goes.

    ``persistent``: each fault also from its slot on; ``depth`` faults in one run at most;
    ``hit`` of the operations that are alike; ``replicas`` at once.
    """

    kinds: tuple[Kind, ...]
    persistent: bool = False
    depth: int = 1
    hit: int = 1
    replicas: int = 1


class Swept(Struct, frozen=True):
    """A sweep that came to its end; ``unrun`` are the plans there was no time for.

    ``beyond`` are the slots that only a fault brought about and nothing struck.
    """

    scope: Scope
    plain: Plain
    slots: tuple[Slot, ...]
    cells: tuple[Cell, ...]
    unrun: tuple[Plan, ...] = ()
    beyond: tuple[Slot, ...] = ()
    alike: int = 0


def sweep(scope: Scope, plain: Plain, perform: Perform) -> Swept:
    """Make all runs, round by round."""
    known = slots.found(plain.requests, plain.lesson, scope.hit)
    cells: list[Cell] = []
    unrun: list[Plan] = []
    plans = first(scope, known)
    struck: set[Place] = set()
    beyond: tuple[Slot, ...] = ()
    alike = 0
    for depth in range(1, scope.depth + 1):
        struck |= {plan.last.slot.place for plan in plans}
        done = _done(plans, perform, plain)
        unrun += [plan for plan, cell in zip(plans, done, strict=True) if cell is None]
        made = [cell for cell in done if cell is not None]
        cells += made
        heads, dropped = _heads(made)
        alike += dropped if depth < scope.depth else 0
        plans = [plan for cell in heads for plan in _deeper(scope, cell, plain)]
        beyond = tuple({slot.place: slot for cell in heads for slot in _new(cell, plain)}.values())
    left = tuple(slot for slot in beyond if slot.place not in struck)
    return Swept(scope, plain, known, tuple(cells), tuple(unrun), left, alike)


def first(scope: Scope, known: Iterable[Slot]) -> list[Plan]:
    """Return the plans of the first round: every slot times every fault."""
    return [
        Plan((Aim(slot, kind, lasting),))
        for slot in known
        for lasting in ((False, True) if scope.persistent else (False,))
        for kind in (*scope.kinds, *([race(scope.replicas)] if scope.replicas > 1 else []))
        if applies(kind, slot, lasting=lasting)
    ]


def applies(kind: Kind, slot: Slot, *, lasting: bool) -> bool:
    """Return whether a fault says anything of its own of a slot."""
    if kind.race:
        return slot.executes and slot.is_step and not lasting
    return slot.executes or kind.idle is not None


def _done(plans: Sequence[Plan], perform: Perform, plain: Plain) -> list[Cell | None]:
    return [
        None if made is None else judged(plan, made, plain)
        for plan, made in zip(plans, perform(plans), strict=True)
    ]


def _heads(cells: Iterable[Cell]) -> tuple[list[Cell], int]:
    """Return the runs to follow, and how many of them were like another."""
    fit = [cell for cell in cells if _may_lead_on(cell)]
    heads = list({trace_of(cell): cell for cell in reversed(fit)}.values())[::-1]
    return heads, len(fit) - len(heads)


def _may_lead_on(cell: Cell) -> bool:
    aim = cell.plan.last
    return cell.status != RED and cell.word != NEVER and not (aim.lasting or aim.kind.race)


def _new(cell: Cell, plain: Plain) -> list[Slot]:
    """Return the slots that a run has and the runs without faults had not."""
    addresses = slots.addresses_of(plain.requests, plain.lesson)
    known = plain.places | {aim.slot.place for aim in cell.plan.aims}
    homes = {request.home for request in plain.requests}
    numbers = {r.home: r.number for r in plain.requests}
    for request in cell.requests:
        if request.home is not None and (request.home, request.shape) not in addresses:
            several = len({home for home in homes if home is not None}) > 1
            number = numbers.get(request.home) if several else None
            addresses[request.home, request.shape] = slots.Address(number=number)
    return [
        slots.slot_of(request, addresses)
        for request in cell.requests
        if request.place not in known and request.home in homes | {None}
    ]


def _deeper(scope: Scope, cell: Cell, plain: Plain) -> list[Plan]:
    """Return the plans that strike what a run's fault brought about."""
    return [
        Plan((*cell.plan.aims, Aim(slot, kind)))
        for slot in _new(cell, plain)
        for kind in scope.kinds
        if applies(kind, slot, lasting=False)
    ]
