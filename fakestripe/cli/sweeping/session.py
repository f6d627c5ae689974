"""A sweep over processes: the guards and the lesson of ``check``, then round after round.

The watchdog gives a run three times as long as one without faults, and at least ten seconds:
pauses before retries are not known beforehand. Injected time is added to it.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from fakestripe.cli.checking import estimate, lessons
from fakestripe.cli.checking.lessons import Taught
from fakestripe.cli.checking.progress import Progress
from fakestripe.cli.checking.session import guard, guarded_nursery, in_lanes, lesson
from fakestripe.cli.checking.trial import Trial
from fakestripe.cli.checking.troupe import Troupe
from fakestripe.cli.sweeping import reckoning
from fakestripe.cli.sweeping.wanted import Wanted
from fakestripe.faults.rules import Profile
from fakestripe.sweeping import rounds
from fakestripe.sweeping.cells import Made, plain_of
from fakestripe.sweeping.plans import Plan
from fakestripe.sweeping.rounds import Swept

FACTOR: Final = 3
LEAST: Final = 10.0
"""Seconds that any run is given."""


class Session(Struct, frozen=True):
    """A sweep that came to its end."""

    wanted: Wanted
    taught: Taught
    swept: Swept
    refused: tuple[str, ...] = ()


class Runs:
    """Makes the runs of a sweep, numbered through, until its time is over."""

    def __init__(self, wanted: Wanted, troupe: Troupe, taught: Taught, began: float) -> None:
        self._wanted, self._troupe, self._taught = wanted, troupe, taught
        self._number = len(lessons.PLAIN)
        self._ends = None if wanted.max_time is None else began + wanted.max_time

    def perform(self, plans: Sequence[Plan]) -> list[Made | None]:
        """Make the runs of some plans; None where there was no time for one."""
        if plans and self._number > len(lessons.PLAIN):
            self._troupe.tell(reckoning.deeper(len(plans)))
        self._troupe.progress.expect(len(plans))
        trials = [self._trial(plan) for plan in plans]
        return in_lanes(self._troupe, self._made, trials)

    def _trial(self, plan: Plan) -> Trial:
        self._number += 1
        profile = self._wanted.profile(plan)
        replicas = self._wanted.scope.replicas
        return Trial(self._number, profile, replicas, self._taught.lesson, self._patience(profile))

    def _patience(self, profile: Profile) -> float:
        """Return how many seconds a run is given."""
        injected = estimate.injected(profile, len(self._taught.operations))
        least = max(FACTOR * self._taught.seconds, LEAST)
        return injected + (self._wanted.timeout or least)

    def _made(self, trial: Trial) -> Made | None:
        if self._ends is not None and time.monotonic() > self._ends:
            return None
        ran = self._troupe.perform(trial)
        return Made(ran.journal, ran.performed.exits)


def sweep(wanted: Wanted, say: Callable[[str], None]) -> Session:
    """Run everything; raises ``UsageError`` where nothing can be learned from it."""
    guard(wanted.asked)
    began = time.monotonic()
    progress = Progress(len(lessons.PLAIN))
    with guarded_nursery() as nursery:
        troupe = Troupe(wanted.asked, nursery, progress, say)
        taught = lesson(troupe)
        try:
            plain = plain_of(taught.plain, taught.lesson)
            troupe.tell(reckoning.told(wanted, plain, taught))
            runs = Runs(wanted, troupe, taught, began)
            swept = rounds.sweep(wanted.scope, plain, runs.perform)
        finally:
            progress.clear()
    return Session(wanted, taught, swept, tuple(troupe.refused))
