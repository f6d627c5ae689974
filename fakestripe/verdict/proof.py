"""Proof that something was exercised: without it nothing is ``clean``.

An answer was lost or altered by a rule and the client came back (a retry, a read-back, a report),
or came back under the same key before a late answer was there, or a barrier was reached while at
least two replicas were alive. A wait that the client sat out proves nothing. Where no rule was
declared, a replay or a 409 on a repeat is the proof, or that a fault of an event was met. What
struck before any request was read is weighed in ``edge``.
"""

import itertools
from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.verdict import deliveries, edge
from fakestripe.verdict.run import Run
from fakestripe.verdict.units import Unit

SEVERAL = 2


class Proof(Struct, frozen=True):
    """What was exercised, and why nothing was where nothing was."""

    exercised: int
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether anything was exercised."""
        return self.exercised > 0


def proof_of(run: Run) -> Proof:
    """Return the proof of a run."""
    rules = run.records.rules
    came_back = sum(_came_back(unit, run) for unit in run.units) + _begun_again(run)
    if not rules:
        repeats = sum(_was_protected(unit) for unit in run.units)
        return Proof(came_back + repeats or _heard(run), _untested(run))
    raced, notes = _raced(run)
    if came_back or raced:
        return Proof(came_back or raced, (), notes)
    if run.kept_out:
        return Proof(1)
    whole = sum(1 for unit in run.units if unit.seen)
    intended = bool(run.records.intents) or run.records.header.lesson is not None
    back = min(whole, edge.proven(run.records.edge, run.records.attempts)) if intended else 0
    return Proof(back, (), (edge.NOTE,)) if back else Proof(0, _lacking(run))


def _lacking(run: Run) -> tuple[str, ...]:
    """Return why rules that were declared prove nothing."""
    fired, struck = run.fired(), run.records.edge
    if not fired:
        return ("rule_never_fired",)
    if fired <= {each.rule for each in struck}:
        return edge.unproven(struck, run.records.attempts)
    barriers = {name for name, rule in run.records.rules.items() if rule.barrier is not None}
    return ("barrier_not_filled" if fired <= barriers else "client_never_came_back",)


def _heard(run: Run) -> int:
    """Return how many events, or as many as there are operations, were met with their fault."""
    met = deliveries.met(run.records.webhooks, partial(_acted, run))
    return min(met, sum(1 for unit in run.units if unit.seen))


def _acted(run: Run, since: float, until: float) -> bool:
    """Return whether somebody repeated, read back or reported in a span of seconds.

    The exit of a client is what it reports.
    """
    moments = [again.started_s for unit in run.units for again in unit.attempts[1:]]
    moments += [read.started_s for read in run.read_backs]
    moments += [report.elapsed_s for report in run.records.reports]
    moments += [ended for _, ended in run.records.header.client_lives or () if ended is not None]
    return any(since <= moment < until for moment in moments)


def _untested(run: Run) -> tuple[str, ...]:
    without = any(
        attempt.moves and attempt.method == "POST" and attempt.idempotency_key is None
        for attempt in run.records.attempts
    )
    struck = any(line.faults for line in run.records.webhooks)
    why = "event_unmet" if struck else "rule_never_fired"
    return (why, "no_key") if without else (why,)


def _was_protected(unit: Unit) -> bool:
    """Return whether a repeat met its own key, finished or in flight."""
    return any(seen.attempt.key_state in ("replay", "in_flight") for seen in unit.seen)


def _came_back(unit: Unit, run: Run) -> bool:
    """Return whether a rule took an answer of this unit away and the client came back."""
    for place, seen in enumerate(unit.attempts):
        if not seen.rules:
            continue
        if seen.delivery == "intact" and not _overtaken(seen, unit.attempts[place + 1 :]):
            continue
        reports = run.beliefs.of(unit).reports
        if place + 1 < len(unit.attempts):
            return True
        if any(report.elapsed_s >= seen.started_s or not report.elapsed_s for report in reports):
            return True
        if any(read.started_s >= seen.started_s for read in run.read_backs):
            return True
    return False


def _begun_again(run: Run) -> int:
    """Return how many requests, broken off half-read and so of nobody, came again."""
    attempts = run.records.attempts
    return sum(
        any(_is_like(again, broken) for again in attempts[place + 1 :])
        for place, broken in enumerate(attempts)
        if broken.last_point == "reading" and broken.rules and broken.step is None
    )


def _is_like(again: Attempt, broken: Attempt) -> bool:
    """Return whether a request was sent as safely as can be told of one that was half-read."""
    key = broken.idempotency_key
    same = (again.account, again.method, again.path) == (
        broken.account,
        broken.method,
        broken.path,
    )
    return same and key is not None and key == again.idempotency_key


def _overtaken(seen: Attempt, later: Sequence[Attempt]) -> bool:
    """Return whether the client came back under the same key before a late answer was there."""
    return any(
        again.replayed_from == seen.arrival
        and (seen.ended_s is None or again.started_s < seen.ended_s)
        for again in later
    )


def _raced(run: Run) -> tuple[int, tuple[str, ...]]:
    """Return how many operations were held at a barrier with replicas alive, or met their like.

    Requests of different payments that meet at a barrier prove nothing.
    """
    barriers = {name for name, rule in run.records.rules.items() if rule.barrier is not None}
    held = [a for a in run.records.attempts if not barriers.isdisjoint(a.rules)]
    if any(_alive(run, attempt.started_s) >= SEVERAL for attempt in held):
        there = {attempt.arrival for attempt in held}
        whole = sum(any(a.arrival in there for a in unit.attempts) for unit in run.units)
        return whole, (_guarded(run),)
    return sum(_met(unit, barriers) for unit in run.units), ()


def _met(unit: Unit, barriers: set[str]) -> bool:
    """Return whether arrivals of one operation were held at the same time."""
    if unit.intended is not None and unit.intended.count > 1:
        return False
    held = [a for a in unit.attempts if not barriers.isdisjoint(a.rules)]
    pairs = itertools.pairwise(held)
    return any(one.ended_s is None or one.ended_s >= two.started_s for one, two in pairs)


def _alive(run: Run, moment: float) -> int:
    """Return how many replicas were running; all, where nobody noted their lives."""
    lives = run.records.header.client_lives
    if lives is None:
        return run.records.header.replicas
    return sum(begin <= moment and (end is None or end >= moment) for begin, end in lives)


def _guarded(run: Run) -> str:
    whole = [unit for unit in run.units if unit.seen and unit.kind == "payment"]
    alone = [unit for unit in whole if all(seen.label != "replica" for seen in unit.seen)]
    return f"guarded: {len(alone)} of {len(whole)} operations came from one replica"
