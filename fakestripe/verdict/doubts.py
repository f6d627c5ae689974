"""What makes a whole run inconclusive, whatever its operations say, and what a reader is told.

A reason here is about the run: nothing arrived, a declared rule never fired, the fault-free runs
taught too little. It replaces ``clean`` and ``unpaid`` and leaves red words alone.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.operation import canonical, flat_of
from fakestripe.protocol.points import ORDER
from fakestripe.verdict.counting import Count
from fakestripe.verdict.division import is_divided
from fakestripe.verdict.hazards import is_ambiguous
from fakestripe.verdict.run import Run
from fakestripe.verdict.units import Unit

KNOWN: tuple[str, ...] = ("amount", "currency", "customer")
OPEN: Final = frozenset({"clean", "unpaid", "missing", "cap_exceeded"})
"""The words that a charge which comes yet would belie."""
COMMITTED: Final = ORDER["committed"]
USE_OPERATION: Final = Count("inconclusive", ("use_operation",))


def doubts_of(run: Run, fired: set[str]) -> tuple[str, ...]:
    """Return the reasons that replace ``clean`` and ``unpaid`` alike."""
    return tuple(_doubts(run, fired))


def _doubts(run: Run, fired: set[str]) -> Iterator[str]:
    records = run.records
    somebody = run.kept_out or any(struck.connection is not None for struck in records.edge)
    asked = any(a.step or a.last_point == "reading" for a in records.attempts)
    if not (asked or somebody):
        yield "no_request"
    elif records.header.declared and any(name not in fired for name in records.declared):
        yield "rule_never_fired"
    if any(attempt.outcome == "unsupported" for attempt in records.attempts):
        yield "unsupported_endpoint"
    if _is_ambiguous(run):
        yield "ambiguous_repeat"
    if _failed_for_nothing(run):
        yield "outcome_unknown"


def _is_ambiguous(run: Run) -> bool:
    """Return whether, with nothing declared, two operations made charges that look the same."""
    if run.records.intents or run.records.header.lesson is not None:
        return False
    made = Counter(
        (live.maker.account, live.maker.path, canonical(live.maker.form))
        for unit in run.units
        for live in unit.live
    )
    return any(number > 1 for number in made.values())


def _failed_for_nothing(run: Run) -> bool:
    """Return whether a run of several payments failed although each was made and told."""
    return any(run.beliefs.of(unit).some_failed for unit in run.units) and all(
        unit.live and all(run.told(live) for live in unit.live)
        for unit in run.units
        if unit.intended is None or unit.intended.count
    )


def doubtful(unit: Unit, counted: Count, run: Run) -> Count:
    """Return the word of a unit as far as its keys and the lesson allow to say it."""
    lesson = run.records.header.lesson
    if counted.word in OPEN and any(_may_charge(seen.attempt) for seen in unit.seen):
        return Count("inconclusive", ("still_running",))
    if counted.word == "clean" and is_ambiguous(unit, run):
        return Count("inconclusive", ("ambiguous_repeat",))
    if run.records.intents or lesson is None:
        return counted
    if counted.word == "duplicate":
        return USE_OPERATION if is_divided(unit, lesson, run) else counted
    if lesson.replayed or lesson.refused:
        why = "repeated_without_fault" if lesson.replayed else "refused_without_fault"
        return Count("inconclusive", (why,))
    return counted


def _may_charge(attempt: Attempt) -> bool:
    """Return whether a request had not ended and had not committed: it may move money yet."""
    return attempt.moves and attempt.ended_s is None and ORDER[attempt.last_point] < COMMITTED


def notes_of(run: Run) -> tuple[str, ...]:
    """Return what the reader should know beside the words."""
    return tuple(_notes(run))


def _notes(run: Run) -> Iterator[str]:
    if any(unit.twins and len(unit.seen) > 1 for unit in run.units):
        yield "identical requests that nothing names were numbered by arrival"
    for unit in run.units:
        if unit.intended is not None and unit.names and not unit.seen:
            nearest = _nearest(unit, run)
            if nearest is not None:
                yield nearest
    lesson = run.records.header.lesson
    if lesson is not None:
        yield from lesson.warnings


def _nearest(unit: Unit, run: Run) -> str | None:
    """Return the request that comes nearest to an intent which nothing matched."""
    wanted = unit.intended
    strays = [seen.attempt for other in run.units if not other.names for seen in other.seen]
    if wanted is None or not strays:
        return None
    best = min(strays, key=lambda a: abs(_amount(flat_of(a)) - (wanted.amount or 0)))
    flat = flat_of(best)
    shown = " ".join(f"{name}={flat[name]}" for name in KNOWN if name in flat)
    return (
        f"nothing matched {unit.name} ({wanted.count} of {wanted.amount or 'any amount'}); "
        f"nearest request: arrival {best.arrival}, {best.method} {best.path} {shown}"
    )


def _amount(flat: dict[str, str]) -> int:
    amount = flat.get("amount", "")
    return int(amount) if amount.isascii() and amount.isdigit() else 10**9
