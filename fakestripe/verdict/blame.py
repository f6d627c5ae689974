"""Whom a second charge, or the danger of one, is put down to: the pair of attempts and the cause.

Of several second charges the one whose cause says most is told; flags say what softens a
duplicate, and nothing ever takes the word back.
"""

from collections.abc import Iterable

from msgspec import Struct

from fakestripe.protocol.operation import flat_of
from fakestripe.verdict import causes
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


def of_duplicate(unit: Unit, run: Run) -> Blame:
    """Return whom the second charge of a unit is put down to."""
    pairs = list(_pairs(unit, run))
    found = [(pair, evidence, causes.find(evidence)) for pair, evidence in pairs]
    known = [(pair, evidence, cause) for pair, evidence, cause in found if cause is not None]
    flags = _flags(unit, known)
    if not known:
        return Blame(flags=flags)
    (first, second), evidence, cause = min(
        known, key=lambda one: (one[2].cause == "separate_submissions", one[2].server_made)
    )
    return Blame(
        cause=cause.cause,
        sentence=cause.sentence,
        remedy=cause.remedy,
        pair=(first.maker.arrival, second.maker.arrival),
        charges=(first.id, second.id),
        difference=difference(evidence.first, evidence.second),
        flags=flags,
    )


def _pairs(unit: Unit, run: Run) -> Iterable[tuple[tuple[Live, Live], Evidence]]:
    """Yield each live charge with the one whose request came before it."""
    by_arrival = {seen.attempt.arrival: seen for seen in unit.seen}
    makers = sorted(unit.live, key=lambda live: live.maker.arrival)
    for place in range(1, len(makers)):
        first, second = makers[place - 1], makers[place]
        evidence = Evidence(
            first=by_arrival[first.maker.arrival],
            second=by_arrival[second.maker.arrival],
            seen=unit.seen,
            told=run.told(first, second.maker.started_s),
            records=run.records,
        )
        yield (first, second), evidence


def _flags(
    unit: Unit, known: list[tuple[tuple[Live, Live], Evidence, causes.Found]]
) -> tuple[str, ...]:
    wanted = 1 if unit.intended is None or unit.blamed else max(unit.intended.count, 0)
    excess = len(unit.live) - wanted
    flags = []
    if sum(live.undone for live in unit.live) >= excess:
        flags.append("compensated")
    if sum(not live.captured for live in unit.live) >= excess:
        flags.append("authorised_only")
    made = [causes.is_server_made(cause, evidence) for _, evidence, cause in known]
    if made and all(made) and len(made) == len(unit.live) - 1:
        flags.append("server_made")
    return tuple(flags)


def of_hazard(unit: Unit, run: Run) -> Blame:
    """Return what would make a second charge under another fault, if anything would."""
    pair = hazard_of(unit, run)
    if pair is None:
        unruled = not run.records.rules and keyless(unit)
        return Blame(cause="no_key", remedy=causes.CAUSES["no_key"].remedy) if unruled else Blame()
    first, second = pair
    told = any(run.told(live, second.attempt.started_s) for live in unit.live)
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
    return "; ".join(found) or "nothing: the two requests ask for the same with the same key"
