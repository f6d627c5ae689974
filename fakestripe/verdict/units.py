"""What is judged as one: arrivals placed again with all intents known, and counted together.

A unit is a declared intent, a pool of intents that no request names, a learnt identity, or an
operation that nothing was said about. Refunds are units of their own. Here nothing is judged:
a unit only knows what was intended, what stands, and which arrivals led there.
"""

from collections.abc import Hashable, Iterable
from typing import Final, Literal

from msgspec import Struct, field

from fakestripe.bank.operations import Operations
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.labels import label
from fakestripe.protocol.operation import shape_of
from fakestripe.verdict.finding import Intended, Seen
from fakestripe.verdict.records import Records
from fakestripe.verdict.truth import Live, Truth, truth_of

REFUND: Final = "refund"


class Placed(Struct):
    """One operation with its arrivals and what they made."""

    name: str
    number: int
    home: Hashable
    names: frozenset[tuple[str, str]]
    attempts: list[Attempt] = field(default_factory=list)
    live: list[Live] = field(default_factory=list)
    refunds: list[Live] = field(default_factory=list)


class Unit(Struct, kw_only=True):
    """What is judged as one.

    ``names`` are the intents it stands for, ``identity`` the learnt one it is counted under, if
    several of that were intended, ``excess`` how many of its charges are too many there.
    ``stray`` marks what fits nothing that was intended, ``twins`` what nothing but the order of
    arrival tells apart, ``named`` what a name in its parameters does. ``operation_of`` says for
    every arrival which operation it was placed in, since a pool holds several.
    """

    name: str
    attempts: list[Attempt]
    live: list[Live]
    intended: Intended | None = None
    names: tuple[str, ...] = ()
    kind: Literal["payment", "refund"] = "payment"
    stray: bool = False
    excess: int | None = None
    twins: bool = False
    named: bool = False
    identity: int | None = None
    operation_of: dict[int, int] = {}
    seen: tuple[Seen, ...] = ()


def placed_of(records: Records) -> list[Placed]:
    """Return all operations, by the same rules as the server's, with all intents known."""
    operations = Operations(joint=records.header.mode != "serve")
    operations.configure(records.selector, records.header.lesson)
    for intent in records.intents:
        operations.declare(intent)
    truth = truth_of(records.attempts)
    found: dict[int, Placed] = {}
    for attempt in records.attempts:
        where = operations.locate(attempt)
        if where is None:
            continue
        operation = where.operation
        placed = found.get(operation.number)
        if placed is None:
            placed = Placed(operation.name, operation.number, operation.home, operation.names)
            found[operation.number] = placed
        placed.names = operation.names
        _attach(placed, attempt, truth)
    return list(found.values())


def unit_of(name: str, placed: Iterable[Placed], intended: Intended | None = None) -> Unit:
    """Return the payments of some operations as one unit."""
    found = list(placed)
    attempts = [a for one in found for a in one.attempts if a.step != REFUND]
    live = [charge for one in found for charge in one.live]
    return Unit(
        name=name,
        attempts=sorted(attempts, key=lambda attempt: attempt.arrival),
        live=sorted(live, key=lambda charge: charge.id),
        intended=intended,
        operation_of={a.arrival: one.number for one in found for a in one.attempts},
    )


def _attach(placed: Placed, attempt: Attempt, truth: Truth) -> None:
    placed.attempts.append(attempt)
    charge = truth.charges.get(attempt.arrival)
    refund = truth.refunds.get(attempt.arrival)
    if charge is not None:
        placed.live.append(charge)
    if refund is not None:
        placed.refunds.append(refund)


def line_up(name: str, attempts: Iterable[Attempt]) -> tuple[Seen, ...]:
    """Return arrivals numbered and labelled as one operation, each step for itself."""
    before: dict[str, Attempt] = {}
    flying: dict[str, list[Attempt]] = {}
    keys: dict[str, set[tuple[str, str | None]]] = {}
    count: dict[str, int] = {}
    lined = []
    for attempt in attempts:
        shape = shape_of(attempt.method, attempt.path)
        key = (attempt.account, attempt.idempotency_key)
        known = keys.setdefault(shape, set())
        same = attempt.idempotency_key is not None and key in known
        aloft = flying.setdefault(shape, [])
        said = label(attempt, before.get(shape), aloft, same_key=same)
        count[shape] = count.get(shape, 0) + 1
        lined.append(Seen(attempt, name, count[shape], said))
        known.add(key)
        before[shape] = attempt
        flying[shape] = [other for other in aloft if _flies(other, attempt)] + [attempt]
    return tuple(lined)


def _flies(other: Attempt, attempt: Attempt) -> bool:
    return other.ended_s is None or other.ended_s > attempt.started_s
