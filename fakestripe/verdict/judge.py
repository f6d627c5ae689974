"""From the evidence to the verdict: count, cross with belief, ask for proof.

Pure: a journal saved in CI is judged later exactly as it would have been then. Doubt replaces
``clean``, and ``unpaid`` where a reason says so; it never softens a red word.
"""

from collections.abc import Iterable
from typing import Any, Final

from msgspec import structs

from fakestripe.verdict import words
from fakestripe.verdict.blame import Blame, of_drift, of_duplicate, of_hazard
from fakestripe.verdict.caps import caps_of
from fakestripe.verdict.counting import Count, count
from fakestripe.verdict.doubts import doubtful, doubts_of, notes_of
from fakestripe.verdict.explaining import Story, explain
from fakestripe.verdict.finding import OperationVerdict, Verdict
from fakestripe.verdict.nearest import best, near_misses
from fakestripe.verdict.proof import proof_of
from fakestripe.verdict.reading import read
from fakestripe.verdict.records import Records
from fakestripe.verdict.run import Run
from fakestripe.verdict.storms import warnings_of
from fakestripe.verdict.units import Unit
from fakestripe.verdict.words import REASONS

NOBODY: Final = Blame()


def judge(given: Records | Iterable[dict[str, Any]]) -> Verdict:
    """Return the verdict of one run, or of several accounts, each judged by itself.

    Records, or the lines of a journal as they are; raises ``JournalError`` for what is none.
    """
    records = given if isinstance(given, Records) else read(given)
    parts = records.parts or [records]
    spoken = [part for part in parts if part.attempts or part.intents] or parts[:1]
    verdicts = [_judged(part) for part in spoken]
    return verdicts[0] if len(verdicts) == 1 else _together(verdicts)


def _judged(records: Records) -> Verdict:
    run = Run(records)
    proof = proof_of(run)
    fired = run.fired()
    hard = doubts_of(run, fired)
    soft = hard if proof.holds else (*hard, *(r for r in proof.reasons if r not in hard))
    operations = tuple(_doubted(_operation(unit, run), hard, soft) for unit in run.units)
    word = words.worst([one.verdict for one in operations])
    if (hard and not words.is_red(word)) or (soft and word == "clean"):
        word = "inconclusive"
    own = [reason for one in operations for reason in one.reasons]
    exercisable = sum(1 for unit in run.units if unit.seen) or int(proof.holds)
    profile = records.profile
    unfired = tuple(name for name in records.declared if name not in fired)
    return Verdict(
        word=word,
        reasons=tuple(dict.fromkeys([*soft, *own])) if word == "inconclusive" else (),
        operations=operations,
        unfired_rules=unfired,
        near_misses=near_misses(records, unfired),
        fired_rules=tuple(name for name in records.declared if name in fired),
        exercised=min(proof.exercised, exercisable),
        exercisable=exercisable,
        attempts=len(records.attempts),
        charges=_charges(run),
        notes=(*proof.notes, *notes_of(run)),
        warnings=warnings_of(run),
        caps=caps_of(run, _doubled(run, operations)),
        profile=profile.name if profile else None,
        source=profile.source if profile else None,
        expect=profile.expect if profile else ("clean",),
        replicas=records.header.replicas,
        client_exits=records.header.client_exits or (),
        points={name: rule.at for name, rule in records.rules.items()},
    )


def _doubled(run: Run, found: Iterable[OperationVerdict]) -> list[Unit]:
    """Return the units that were charged too often."""
    pairs = zip(run.units, found, strict=True)
    return [unit for unit, one in pairs if one.verdict == "duplicate" and unit.kind == "payment"]


def _charges(run: Run) -> int:
    """Return how many charges stand; a charge may share the blame of several units."""
    return len({live.id for unit in run.units if unit.kind == "payment" for live in unit.live})


def _operation(unit: Unit, run: Run) -> OperationVerdict:
    """Return the finding of one unit, before anybody asks for proof."""
    counted = doubtful(unit, count(unit, run), run)
    blame, danger = _blame(unit, counted, run)
    believed = run.beliefs.of(unit)
    explanation, remedy = explain(Story(unit, believed, counted, blame, run))
    return OperationVerdict(
        operation=unit.name,
        verdict=counted.word,
        flags=blame.flags or _softened(unit, counted),
        reasons=counted.reasons,
        intended=unit.intended,
        believed=believed.word,
        charges=tuple(live.id for live in unit.live),
        cause=blame.cause,
        hazard=danger.cause,
        danger=_danger(danger),
        explanation=explanation,
        remedy=remedy,
        difference=blame.difference or danger.difference,
        attempts=unit.seen,
        pair=blame.pair or danger.pair,
    )


def _softened(unit: Unit, counted: Count) -> tuple[str, ...]:
    """Return what softens an orphan: all of its money went back, or none of it ever moved."""
    if counted.word != "orphan" or unit.kind != "payment":
        return ()
    undone = ("compensated",) if all(live.undone for live in unit.live) else ()
    held = () if any(live.captured for live in unit.live) else ("authorised_only",)
    return (*undone, *held)


def _danger(danger: Blame) -> str:
    """Return what another fault would have done."""
    if danger.cause is None:
        return ""
    because = f": {danger.sentence}" if danger.sentence else ""
    return f"another fault would make a second charge{because}. {danger.remedy}"


def _blame(unit: Unit, counted: Count, run: Run) -> tuple[Blame, Blame]:
    """Return the cause of what happened, and of what else could have."""
    if counted.word == "duplicate":
        return of_duplicate(unit, run), NOBODY
    if "use_operation" in counted.reasons:
        return NOBODY, NOBODY
    drift = of_drift(unit) if counted.word == "orphan" else NOBODY
    return drift, of_hazard(unit, run)


def _doubted(
    one: OperationVerdict, hard: tuple[str, ...], soft: tuple[str, ...]
) -> OperationVerdict:
    """Return an operation with the doubts of the whole run, where they replace its word."""
    due = one.intended is None or one.intended.count > 0 or one.charges
    doubts = {"clean": soft if due else hard, "unpaid": hard}.get(one.verdict, ())
    if not doubts:
        return one
    first = REASONS[doubts[0]]
    return structs.replace(
        one,
        verdict="inconclusive",
        reasons=doubts,
        explanation=f"{one.explanation} But {first.meaning}.",
        remedy=first.remedy,
    )


def _together(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdicts of several accounts as one."""
    found = list(verdicts)
    word = words.worst(one.word for one in found)
    every = {name for one in found for name in one.fired_rules}
    rules = [name for one in found for name in (*one.fired_rules, *one.unfired_rules)]
    reasons = dict.fromkeys(reason for one in found for reason in one.reasons)
    return structs.replace(
        found[0],
        word=word,
        reasons=tuple(reasons) if word == "inconclusive" else (),
        operations=tuple(operation for one in found for operation in one.operations),
        unfired_rules=tuple(dict.fromkeys(name for name in rules if name not in every)),
        near_misses=best([m for one in found for m in one.near_misses if m.rule not in every]),
        fired_rules=tuple(dict.fromkeys(name for name in rules if name in every)),
        exercised=sum(one.exercised for one in found),
        exercisable=sum(one.exercisable for one in found),
        attempts=sum(one.attempts for one in found),
        charges=sum(one.charges for one in found),
        points={name: at for one in found for name, at in one.points.items()},
        notes=tuple(dict.fromkeys(note for one in found for note in one.notes)),
        warnings=tuple(warned for one in found for warned in one.warnings),
        caps=tuple(cap for one in found for cap in one.caps),
    )
