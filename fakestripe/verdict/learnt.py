"""What was learnt against what a run did: a unit per payment, counted per identity.

An excess is blamed on the operations that hold it, a lack is carried by those that have nothing.
Names that a selector finds are payments of their own, as long as there are no more than meant.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.lesson import Identity, Lesson
from fakestripe.protocol.operation import flat_of, selected, shape_of
from fakestripe.verdict.finding import Intended
from fakestripe.verdict.units import Placed, Unit, unit_of


def learnt_units(lesson: Lesson, selector: str | None, placed: list[Placed]) -> Iterator[Unit]:
    """Yield the units of all identities, and one for each operation that resembles none."""
    homes: dict[int, list[Placed]] = {number: [] for number in range(len(lesson.identities))}
    for found in placed:
        if isinstance(found.home, int):
            homes[found.home].append(found)
        else:
            unit = unit_of(found.name, [found])
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
                yield unit_of(
                    _name_of(identity, members), members, _share(identity, identity.count)
                )
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
        yield unit_of(found.name, [found], _share(identity, count))
    if counted < identity.count:
        yield unit_of(_name_of(identity, []), [], _share(identity, identity.count - counted))


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
        unit = unit_of(found.name, merged, _share(identity, share))
        unit.excess, unit.identity = excess.count if excess else None, number
        unit.twins, unit.named = not identity.names, bool(identity.names)
        yield unit
    if lack > 0:
        yield unit_of(_lacking(identity, members), [], _share(identity, lack))


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
