"""Whom a second charge, or the danger of one, is put down to: the pair of attempts and the cause.

Of several second charges the one whose cause says most is told; flags say what softens a
duplicate, and nothing ever takes the word back.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from fakestripe.protocol.operation import flat_of, id_in
from fakestripe.verdict import causes
from fakestripe.verdict.counting import repeats
from fakestripe.verdict.evidence import Evidence, shown_key
from fakestripe.verdict.finding import Seen
from fakestripe.verdict.hazards import hazard_of, keyless
from fakestripe.verdict.run import Run
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import Unit


class Blame(Struct, frozen=True, kw_only=True):
    """A cause with its sentence and remedy, the two attempts, and what differs between them."""

    cause: str | None = None
    sentence: str = ""
    remedy: str = ""
    pair: tuple[int, int] | None = None
    charges: tuple[str, str] | None = None
    difference: str | None = None
    flags: tuple[str, ...] = ()


Suspicion: TypeAlias = tuple[Live, Live, Evidence, causes.Found]
"""Two charges, what lies between them, and what it is put down to."""


def of_duplicate(unit: Unit, run: Run) -> Blame:
    """Return whom the second charge of a unit is put down to."""
    found = list(_suspicions(unit, run))
    made = [one for one in found if causes.is_server_made(one[3], one[2])]
    excess = _excess(unit, run)
    server_made = len(made) >= excess
    flags = _flags(unit, excess, server_made=server_made)
    if not found:
        return Blame(flags=flags)
    known = made if server_made else [one for one in found if one not in made]
    first, second, evidence, cause = min(
        known or found, key=lambda one: one[3].cause == "separate_submissions"
    )
    return Blame(
        cause=cause.cause,
        sentence=cause.sentence,
        remedy=cause.remedy,
        pair=(first.maker.arrival, second.maker.arrival),
        charges=(second.id, first.id) if evidence.late else (first.id, second.id),
        difference=difference(evidence.first, evidence.second),
        flags=flags,
    )


def _excess(unit: Unit, run: Run) -> int:
    """Return how many charges are too many; unsaid, those that can be nothing but repeats."""
    if unit.intended is None:
        return unit.excess or max(len(repeats(unit, run)), 1)
    return unit.excess or max(len(unit.live) - unit.intended.count, 1)


def _suspicions(unit: Unit, run: Run) -> Iterator[Suspicion]:
    """Yield what each second charge is put down to.

    Of two intents that were confirmed, the requests that made them are looked at: for a
    confirmation the object is the key.
    """
    by_arrival = {seen.attempt.arrival: seen for seen in unit.seen}
    by_object = {s.attempt.moved.id: s for s in unit.seen if s.attempt.moved is not None}
    proven = {live.id for live in repeats(unit, run)} if unit.intended is None else set()
    for first, second in _pairs(unit):
        if proven and second.id not in proven:
            continue
        one, two = (by_arrival[live.maker.arrival] for live in (first, second))
        if one.attempt.path != two.attempt.path:
            one, two = (by_object.get(id_in(seen.attempt.path) or "", seen) for seen in (one, two))
        evidence = Evidence(
            first=one,
            second=two,
            seen=unit.seen,
            told=run.told_before(first, two.attempt),
            records=run.records,
            late=_is_late(first, second),
        )
        cause = causes.find(evidence)
        if cause is not None:
            yield first, second, evidence, cause


def _is_late(first: Live, second: Live) -> bool:
    """Return whether who arrived first charged last: ids of one account sort by age."""
    return first.maker.account == second.maker.account and second.id < first.id


def _pairs(unit: Unit) -> Iterator[tuple[Live, Live]]:
    """Yield each charge with the one before it: under its key, of its operation, of the unit."""
    within, across = [], []
    by_key: dict[str, Live] = {}
    by_operation: dict[int, Live] = {}
    before: Live | None = None
    for live in sorted(unit.live, key=lambda live: live.maker.arrival):
        key, operation = live.maker.idempotency_key, unit.operation_of[live.maker.arrival]
        near = by_key.get(key or "") or by_operation.get(operation)
        if near is not None:
            within.append((near, live))
        elif before is not None:
            across.append((before, live))
        if key is not None:
            by_key[key] = live
        by_operation[operation] = before = live
    yield from within or across


def _flags(unit: Unit, excess: int, *, server_made: bool) -> tuple[str, ...]:
    softened = {
        "compensated": sum(live.undone for live in unit.live) >= excess,
        "authorised_only": sum(not live.captured for live in unit.live) >= excess,
        "server_made": server_made,
    }
    return tuple(flag for flag, holds in softened.items() if holds)


def of_hazard(unit: Unit, run: Run) -> Blame:
    """Return what would make a second charge under another fault, if anything would."""
    pair = hazard_of(unit, run)
    if pair is None:
        unruled = not run.records.rules and keyless(unit)
        return Blame(cause="no_key", remedy=causes.CAUSES["no_key"].remedy) if unruled else Blame()
    first, second = pair
    told = any(run.told_before(live, second.attempt) for live in unit.live)
    evidence = Evidence(first=first, second=second, seen=unit.seen, told=told, records=run.records)
    found = causes.find(evidence)
    if found is None:
        return Blame()
    return Blame(
        cause=found.cause,
        sentence=found.sentence,
        remedy=found.remedy,
        pair=(first.attempt.arrival, second.attempt.arrival),
        difference=difference(first, second),
    )


def of_drift(unit: Unit) -> Blame:
    """Return the drift that made a retry fail, where the client was refused its own key."""
    refused = next((seen for seen in unit.seen if seen.attempt.key_state == "mismatch"), None)
    if refused is None:
        return Blame()
    key = refused.attempt.idempotency_key
    first = next(seen for seen in unit.seen if seen.attempt.idempotency_key == key)
    return Blame(
        cause="parameters_drifted",
        remedy=causes.CAUSES["parameters_drifted"].remedy,
        pair=(first.attempt.arrival, refused.attempt.arrival),
        difference=difference(first, refused),
    )


def difference(first: Seen, second: Seen) -> str:
    """Return how two requests differ: key, account, path and the first parameter."""
    one, two = first.attempt, second.attempt
    found = []
    if one.idempotency_key != two.idempotency_key:
        keys = shown_key(one.idempotency_key), shown_key(two.idempotency_key)
        found.append(f"idempotency key {keys[0]} became {keys[1]}")
    if one.account != two.account:
        found.append(f"account {one.account} became {two.account}")
    if one.path != two.path:
        found.append(f"path {one.path} became {two.path}")
    before, after = flat_of(one), flat_of(two)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            found.append(f"{name} {before.get(name)!r} became {after.get(name)!r}")
            break
    key = "without a key" if one.idempotency_key is None else "under the same key"
    return "; ".join(found) or f"none: the same request twice, {key}"
