"""From operations to units: what was declared, else what was learnt, else each for itself.

Counting is per identity: an excess is blamed on the operations that hold it, a lack is carried by
those that have nothing, and what nobody sent gets a unit without arrivals.
"""

from collections.abc import Iterable, Iterator

from fakestripe.bank.identities import Terms, fitting, terms_of
from fakestripe.protocol.declared import Intent
from fakestripe.verdict.finding import Intended
from fakestripe.verdict.learnt import learnt_units
from fakestripe.verdict.records import Records
from fakestripe.verdict.refunds import refund_units
from fakestripe.verdict.units import Placed, Unit, line_up, placed_of, unit_of


def units_of(records: Records) -> list[Unit]:
    """Return everything that is judged, in order of first arrival."""
    placed = placed_of(records)
    lesson = records.header.lesson
    if records.intents:
        units = _declared(records.intents, placed)
    elif lesson is not None:
        units = list(learnt_units(lesson, records.selector, placed))
    else:
        units = [unit_of(found.name, [found]) for found in placed]
    units = [unit for unit in units if unit.attempts or unit.intended is not None]
    units += refund_units(lesson, placed)
    for unit in units:
        unit.seen = line_up(unit.name, unit.attempts)
    return sorted(units, key=lambda unit: unit.attempts[0].arrival if unit.attempts else 10**12)


def _declared(intents: Iterable[Intent], placed: list[Placed]) -> list[Unit]:
    by_name = {intent.operation: intent for intent in intents}
    named = {found.name: found for found in placed if found.name in by_name}
    units = []
    for name, found in named.items():
        unit = unit_of(name, [found], _intended([by_name[name]]))
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
            unit = unit_of(found.name, [found])
            unit.stray = bool(found.live)
            yield unit
        else:
            members[terms].append(found)
            room[terms] -= len(found.live)
    for terms, intents in pools.items():
        names = tuple(intent.operation for intent in intents)
        unit = unit_of(", ".join(names), members[terms], _intended(intents))
        unit.names, unit.twins = names, len(names) > 1
        yield unit


def _pool_for(found: Placed, room: dict[Terms, int]) -> Terms | None:
    """Return the pool that an operation counts in: by its charges, else by its request."""
    if not found.live:
        return found.home if isinstance(found.home, tuple) and found.home in room else None
    live = found.live[0]
    fits = [t for t in fitting(live.customer, live.currency, live.amount) if t in room]
    return next((terms for terms in fits if room[terms] > 0), fits[0] if fits else None)
