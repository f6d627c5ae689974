"""Warnings: too many attempts at one payment, and retries without a pause. Never a word.

What is counted is one step of one operation. A storm is of attempts of which none was told its
success; a retry without a pause repeats what was not settled, or limited by a 429. What the HTTP
stack or a proxy sent by itself is nobody's decision. Times are the journal's: from the end of an
attempt, or its client's leaving, to the next arrival.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct, structs

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.duration import words
from fakestripe.protocol.labels import resender
from fakestripe.protocol.operation import shape_of
from fakestripe.protocol.settling import is_delivered, is_settled, succeeded
from fakestripe.verdict.finding import Warned
from fakestripe.verdict.run import Run
from fakestripe.verdict.stopping import is_over_cap
from fakestripe.verdict.units import Unit

LIMITED: Final = 429


class Threshold(Struct, frozen=True):
    """How much is borne before a warning, what it means, why there, and the remedy."""

    borne: int
    meaning: str
    why: str
    remedy: str


PAUSE: Final = 0.05
"""Seconds: a retry that comes sooner waited for nothing. The official SDKs wait 0.5 s and more
(stripe-facts, section 7), and the slowest stack that resends by itself does so within 50 ms."""

THRESHOLDS: Final[dict[str, Threshold]] = {
    "storm": Threshold(
        10,
        "more than 10 attempts at one step of one payment, for each replica, before any was told "
        "its success",
        "The official SDKs make three with their defaults, and an application that tries three "
        "times around them makes nine.",
        "Bound the retries: a few, over a growing time, then leave the payment to a later job "
        "that uses the same idempotency key.",
    ),
    "no_back_off": Threshold(
        2,
        "three retries in a row or more, each less than 50 ms after the end of the one before",
        "The official SDKs wait 0.5 s before the first retry and up to 5 s later; HTTP stacks "
        "that resend by themselves do it once or twice, and are not counted.",
        "Wait before each retry, longer each time and not all for the same time (Stripe's SDKs: "
        "0.5 s at first, doubled, up to 5 s, times a random part).",
    ),
}
"""When a warning is given; what is borne is the largest number that is not warned of."""


CAPPED: Final = (
    "Do not retry what a spend cap refuses: until the day is over it refuses it again. Stop, tell "
    "somebody, and leave the payment to a later job that uses the same idempotency key."
)
"""The remedy where a cap was run against."""


def warnings_of(run: Run) -> tuple[Warned, ...]:
    """Return what a run is warned of, in order of its operations."""
    bearable = THRESHOLDS["storm"].borne * max(run.records.header.replicas, 1)
    return tuple(
        warned
        for unit in run.units
        if len(unit.attempts) > THRESHOLDS["no_back_off"].borne
        for course in _courses(unit)
        for warned in _warned(unit, course, bearable)
    )


def _courses(unit: Unit) -> list[list[Attempt]]:
    """Return the arrivals of each operation at each step, copies by stacks and proxies apart."""
    courses: dict[tuple[int, str], list[Attempt]] = {}
    last: dict[tuple[int, str], Attempt] = {}
    for attempt in unit.attempts:
        step = unit.operation_of[attempt.arrival], shape_of(attempt.method, attempt.path)
        before = last.get(step)
        last[step] = attempt
        if before is None or resender(attempt, before) is None:
            courses.setdefault(step, []).append(attempt)
    return list(courses.values())


def _warned(unit: Unit, course: Sequence[Attempt], bearable: int) -> Iterator[Warned]:
    vain = 1 + sum(not _is_told(*pair) for pair in pairwise(course))
    if vain > bearable:
        yield _storm(unit, course, vain)
    hasty = max(_runs(course), key=len)
    if len(hasty) - 1 > THRESHOLDS["no_back_off"].borne:
        gap = max(_pause(*pair) for pair in pairwise(hasty))
        told = (
            f"{len(hasty) - 1} retries of {_step(course)} in a row without a pause, each within "
            f"{words(gap)} of the end of the one before"
        )
        yield _warning("no_back_off", unit, hasty, told)


def _storm(unit: Unit, course: Sequence[Attempt], vain: int) -> Warned:
    told = f"{vain} attempts at {_step(course)}"
    refused = sum(is_over_cap(attempt) for attempt in course)
    if not refused:
        return _warning("storm", unit, course, told)
    capped = _warning("storm", unit, course, f"{told}, {refused} of them refused by a spend cap")
    return structs.replace(capped, remedy=CAPPED)


def _warning(kind: str, unit: Unit, course: Sequence[Attempt], told: str) -> Warned:
    numbers = course[0].arrival, course[-1].arrival
    return Warned(
        kind=kind,
        operation=unit.name,
        attempts=len(course),
        arrivals=numbers,
        told=f"{told} (arrivals {numbers[0]} to {numbers[1]})",
        remedy=THRESHOLDS[kind].remedy,
    )


def _step(course: Sequence[Attempt]) -> str:
    return shape_of(course[0].method, course[0].path)


def _runs(course: Sequence[Attempt]) -> Iterator[list[Attempt]]:
    """Yield the longest runs of attempts that follow each other without a pause."""
    found = [course[0]]
    for before, again in pairwise(course):
        if not (_is_retry(before, again) and 0 <= _pause(before, again) < PAUSE):
            yield found
            found = []
        found.append(again)
    yield found


def _is_told(before: Attempt, again: Attempt) -> bool:
    """Return whether an attempt had been told its success when the next one began."""
    return succeeded(before) and is_delivered(before, again.started_s)


def _is_retry(before: Attempt, again: Attempt) -> bool:
    """Return whether an arrival repeats what was not settled, or limited, when it began."""
    return not is_settled(before, again.started_s) or before.status == LIMITED


def _pause(before: Attempt, again: Attempt) -> float:
    """Return the seconds between the end of an attempt, as its client saw it, and the next one."""
    ends = [end for end in (before.ended_s, before.left_s) if end is not None]
    return again.started_s - min(ends) if ends else float("-inf")
