"""The requests of one run, each known by its operation and ordinal, never by order of arrival.

An operation is known by what its first request says and by its number among those that say the
same; what belongs to none is known by method and path. Two runs of one client can be laid side by
side by it, whatever a fault did to one of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TypeAlias

from msgspec import Struct, structs

from fakestripe.bank.identities import made_by
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.lesson import Lesson, Pairs, maker, stable
from fakestripe.protocol.operation import flat_of, shape_of
from fakestripe.verdict import Records
from fakestripe.verdict.units import Placed, placed_of

Home: TypeAlias = tuple[str, Pairs, int]
"""An operation: the shape and parameters of its first request, its number among equal ones."""
Place: TypeAlias = tuple[Home | None, str, int]
"""Where a request stands: its operation, its shape, the how-manieth there."""


class Request(Struct, frozen=True):
    """One arrival and where it stands; ``number`` is its operation's, in order of arrival."""

    place: Place
    attempt: Attempt
    pairs: Pairs
    number: int | None = None

    @property
    def home(self) -> Home | None:
        """Its operation, None where it belongs to none."""
        return self.place[0]

    @property
    def shape(self) -> str:
        """Method and path, ids replaced."""
        return self.place[1]


def requests_of(records: Records, lesson: Lesson) -> tuple[Request, ...]:
    """Return all requests of a run in order of arrival."""
    records = structs.replace(records, header=structs.replace(records.header, lesson=lesson))
    pairs = pairs_of(records.attempts, lesson)
    homes = _homes(placed_of(records), pairs)
    ordinals: Counter[tuple[int, str]] = Counter()
    found = []
    for attempt in records.attempts:
        shape, owner = shape_of(attempt.method, attempt.path), homes.get(attempt.arrival)
        if owner is None:
            nth = _nth(attempt, shape, records.attempts)
            found.append(Request((None, shape, nth), attempt, pairs[attempt.arrival]))
            continue
        home, number = owner
        ordinals[number, shape] += 1
        place = (home, shape, ordinals[number, shape])
        found.append(Request(place, attempt, pairs[attempt.arrival], number))
    return tuple(found)


def pairs_of(attempts: Iterable[Attempt], lesson: Lesson) -> dict[int, Pairs]:
    """Return, by arrival, the parameters that tell one kind of request from another."""
    makers: dict[str, str] = {}
    found: dict[int, Pairs] = {}
    for attempt in attempts:
        shape = shape_of(attempt.method, attempt.path)
        pairs = stable(flat_of(attempt), lesson.volatile.get(shape, ()), makers)
        found[attempt.arrival] = pairs
        for made in (*attempt.ids, *made_by(attempt)):
            makers.setdefault(made, maker(shape, pairs))
    return found


def _homes(placed: Iterable[Placed], pairs: Mapping[int, Pairs]) -> dict[int, tuple[Home, int]]:
    """Return, by arrival, its operation and that one's number."""
    equal: Counter[tuple[str, Pairs]] = Counter()
    homes = {}
    for one in sorted(placed, key=lambda each: each.number):
        first = one.attempts[0]
        kind = (shape_of(first.method, first.path), pairs[first.arrival])
        equal[kind] += 1
        for attempt in one.attempts:
            homes[attempt.arrival] = ((*kind, equal[kind]), one.number)
    return homes


def glob_of(shape: str) -> str:
    """Return the path of a shape as a rule matches it."""
    return shape.partition(" ")[2].replace("{id}", "*")


def _nth(attempt: Attempt, shape: str, attempts: Iterable[Attempt]) -> int:
    """Return the place of a request among all that a rule for its shape would match."""
    glob = glob_of(shape)
    return sum(
        other.arrival <= attempt.arrival
        and other.method == attempt.method
        and fnmatchcase(other.path, glob)
        for other in attempts
    )
