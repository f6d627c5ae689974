"""From operations to units: what was declared, else what was learnt, else each for itself.

Counting is per identity: an excess is blamed on the operations that hold it, a lack is carried by
those that have nothing, and what nobody sent gets a unit without arrivals.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from fakestripe.bank.identities import Terms, fitting, terms_of
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.declared import Intent
from fakestripe.protocol.lesson import Identity, Lesson
from fakestripe.protocol.operation import flat_of, selected, shape_of
from fakestripe.verdict.finding import Intended
from fakestripe.verdict.records import Records
from fakestripe.verdict.refunds import refund_units
from fakestripe.verdict.units import REFUND, Placed, Unit, line_up, placed_of


def units_of(records: Records) -> list[Unit]:
    """Return everything that is judged, in order of first arrival."""
    placed = placed_of(records)
    lesson = records.header.lesson
    if records.intents:
        units = _declared(records.intents, placed)
    elif lesson is not None:
        units = list(_learnt(lesson, records.selector, placed))
    else:
        units = [_unit(found.name, [found]) for found in placed]
    units = [unit for unit in units if unit.attempts or unit.intended is not None]
    units += refund_units(lesson, placed)
    for unit in units:
        unit.seen = line_up(unit.name, unit.attempts)
    return sorted(units, key=lambda unit: unit.attempts[0].arrival if unit.attempts else 10**12)


def _unit(name: str, placed: Iterable[Placed], intended: Intended | None = None) -> Unit:
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


def _declared(intents: Iterable[Intent], placed: list[Placed]) -> list[Unit]:
    by_name = {intent.operation: intent for intent in intents}
    named = {found.name: found for found in placed if found.name in by_name}
    units = []
    for name, found in named.items():
        unit = _unit(name, [found], _intended([by_name[name]]))
        unit.names = (name,)
        units.append(unit)
    pools: dict[Terms, list[Intent]] = {}
    for name, intent in by_name.items():
        if name not in named:
            pools.setdefault(terms_of(intent), []).append(intent)
    rest = [found for found in placed if found.name not in named]
    return [*units, *_pooled(pools, rest)]


def _intended(intents: list[Intent]) -> Intended:
    first = intents[0]
    return Intended(sum(intent.count for intent in intents), first.amount, first.currency)


def _pooled(pools: dict[Terms, list[Intent]], placed: list[Placed]) -> Iterator[Unit]:
    """Yield a unit per pool, counted by the ledger's charges, and one per operation beside."""
    members: dict[Terms, list[Placed]] = {terms: [] for terms in pools}
    room = {terms: _intended(intents).count for terms, intents in pools.items()}
    for found in placed:
        terms = _pool_for(found, room)
        if terms is None:
            unit = _unit(found.name, [found])
            unit.stray = bool(found.live)
            yield unit
        else:
            members[terms].append(found)
            room[terms] -= len(found.live)
    for terms, intents in pools.items():
        names = tuple(intent.operation for intent in intents)
        unit = _unit(", ".join(names), members[terms], _intended(intents))
        unit.names, unit.twins = names, len(names) > 1
        yield unit


def _pool_for(found: Placed, room: dict[Terms, int]) -> Terms | None:
    """Return the pool that an operation counts in: by its charges, else by its request."""
    if not found.live:
        return found.home if isinstance(found.home, tuple) and found.home in room else None
    live = found.live[0]
    fits = [t for t in fitting(live.customer, live.currency, live.amount) if t in room]
    return next((terms for terms in fits if room[terms] > 0), fits[0] if fits else None)


def _learnt(lesson: Lesson, selector: str | None, placed: list[Placed]) -> Iterator[Unit]:
    homes: dict[int, list[Placed]] = {number: [] for number in range(len(lesson.identities))}
    for found in placed:
        if isinstance(found.home, int):
            homes[found.home].append(found)
        else:
            unit = _unit(found.name, [found])
            unit.stray = bool(found.live)
            yield unit
    if selector is not None:
        _move_in(lesson, homes)
    for number, members in homes.items():
        identity = lesson.identities[number]
        apart = selector is not None and all(_is_named(one, selector) for one in members)
        if apart and members and not _is_exceeded(lesson, identity, members):
            yield from _by_selector(lesson, identity, members)
        elif identity.count <= 1:
            if identity.count or members:
                yield _unit(_name_of(identity, members), members, _share(identity, identity.count))
        else:
            yield from _shared(number, identity, members, apart=apart)


def _move_in(lesson: Lesson, homes: dict[int, list[Placed]]) -> None:
    """Let charges under new names fill what an identity of the same kind and amount lacks.

    A new name resembles all of them alike: only the ledger says whose payment it was.
    """
    room = {
        number: lesson.identities[number].count - sum(len(one.live) for one in members)
        for number, members in homes.items()
    }
    kin = {number: _kin(lesson.identities[number]) for number in homes}
    for number, members in list(homes.items()):
        for found in [one for one in members if one.live and one.name not in lesson.named]:
            free = (n for n in homes if room[n] > 0 and kin[n] == kin[number])
            lacking = next(free, None) if room[number] < 0 else None
            if lacking is not None:
                homes[number].remove(found)
                homes[lacking].append(found)
                room[number] += len(found.live)
                room[lacking] -= len(found.live)


def _kin(identity: Identity) -> tuple[str, int | None, str | None]:
    return (identity.shape, identity.amount, identity.currency)


def _is_named(found: Placed, selector: str) -> bool:
    return selected(selector, flat_of(found.attempts[0])) == found.name


def _name_of(identity: Identity, members: list[Placed]) -> str:
    return members[0].name if members else _lacking(identity, ())


def _lacking(identity: Identity, members: Iterable[Placed]) -> str:
    """Return the name of payments that nobody carries, and whether they were ever asked for."""
    sent = sum(_is_sent(identity, attempt) for one in members for attempt in one.attempts)
    what = "never sent" if sent < identity.count else "never charged"
    return f"{identity.shape} {identity.amount} {identity.currency}, {what}"


def _is_sent(identity: Identity, attempt: Attempt) -> bool:
    return shape_of(attempt.method, attempt.path) == identity.shape


def _share(identity: Identity, count: int) -> Intended:
    return Intended(count, identity.amount, identity.currency)


def _is_exceeded(lesson: Lesson, identity: Identity, members: list[Placed]) -> bool:
    """Return whether a run found more names than were learnt, some of them for the first time."""
    new = any(found.name not in lesson.named for found in members)
    return new and sum(_count_of(found, lesson) for found in members) > identity.count


def _count_of(found: Placed, lesson: Lesson) -> int:
    """Return how many charges a name was learnt with; a new one, as many as the others."""
    return lesson.named.get(found.name, max(lesson.named.values(), default=1))


def _by_selector(lesson: Lesson, identity: Identity, members: list[Placed]) -> Iterator[Unit]:
    """Yield a unit per name that a selector found, each with its own count."""
    counted = 0
    for found in members:
        count = _count_of(found, lesson)
        counted += count
        yield _unit(found.name, [found], _share(identity, count))
    if counted < identity.count:
        yield _unit(_name_of(identity, []), [], _share(identity, identity.count - counted))


class Excess(Struct):
    """How many charges of an operation are too many, beside which other operation's."""

    count: int
    beside: list[Placed] = []


def _shared(
    number: int, identity: Identity, members: list[Placed], *, apart: bool
) -> Iterator[Unit]:
    """Yield a unit per operation of an identity of which several were intended."""
    blamed = _blamed(identity, members, apart=apart)
    live = sum(len(found.live) for found in members)
    lack = identity.count - live
    for found in members:
        excess = blamed.get(found.number)
        carries = not found.live and lack > 0
        lack -= carries
        share = max(len(found.live), int(carries)) if excess is None else 1
        merged = [found] if excess is None else [*excess.beside, found]
        unit = _unit(found.name, merged, _share(identity, share))
        unit.excess, unit.identity = excess.count if excess else None, number
        unit.twins, unit.named = not identity.names, bool(identity.names)
        yield unit
    if lack > 0:
        yield _unit(_lacking(identity, members), [], _share(identity, lack))


def _blamed(identity: Identity, members: list[Placed], *, apart: bool) -> dict[int, Excess]:
    """Return the operations that hold an excess, each with the others that share its blame.

    Where each is one named payment (``apart``), a second charge is too many, however few exist.
    """
    blamed = _namesakes(identity, members)
    for found in members if apart else ():
        if len(found.live) > 1 and found.number not in blamed:
            blamed[found.number] = Excess(len(found.live) - 1)
    excess = sum(len(found.live) for found in members) - identity.count
    excess -= sum(one.count for one in blamed.values())
    for found in sorted(members, key=lambda one: -len(one.live)):
        if excess > 0 and len(found.live) > 1 and found.number not in blamed:
            blamed[found.number] = Excess(min(excess, len(found.live) - 1))
            excess -= blamed[found.number].count
    alive = [found for found in members if found.live and found.number not in blamed]
    while excess > 0 and len(alive) > 1:
        last = alive.pop()
        blamed[last.number] = Excess(1, [alive[-1]])
        excess -= 1
    return blamed


def _namesakes(identity: Identity, members: list[Placed]) -> dict[int, Excess]:
    """Return operations with a charge whose name or key another has: too many, however few."""
    blamed: dict[int, Excess] = {}
    known: dict[tuple[str, str], Placed] = {}
    for found in members:
        for live in found.live:
            flat = flat_of(live.maker)
            names = [(name, flat[name]) for name in identity.names if name in flat]
            if live.maker.idempotency_key is not None:
                names.append((live.maker.account, live.maker.idempotency_key))
            twin = next((known[name] for name in names if name in known), None)
            if twin is not None:
                excess = blamed.setdefault(found.number, Excess(0))
                excess.count += 1
                excess.beside = [twin] if twin is not found else excess.beside
            known.update(dict.fromkeys(names, found))
    return blamed
