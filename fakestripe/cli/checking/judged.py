"""One run and its verdict, as the table, the reports and the exit status need them.

A run of the whole library in which no fault took an answer away or changed one is *not
exercised*: no rule found anything to strike, the client sat a wait out, or a barrier stayed
empty. It says nothing about the client, good or bad.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from fakestripe import verdict
from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.trial import Ran
from fakestripe.cli.usage import BUG
from fakestripe.faults.rules import Profile
from fakestripe.protocol.points import ORDER
from fakestripe.verdict import Verdict, words

FINE, RED, DOUBT = 0, 1, 3
AFTER: Final = ORDER["committed"]
BY_STATUS: Final = (BUG, RED, DOUBT, FINE)
"""The exit statuses that a run alone would give, the worst first."""


class Judged(Struct, frozen=True):
    """A run, its verdict, and the exit status that it alone would give."""

    ran: Ran
    verdict: Verdict
    exercised: bool
    status: int

    @property
    def profile(self) -> Profile:
        """Return the profile of the run."""
        return self.ran.trial.profile


def judged(asked: Asked, ran: Ran) -> Judged:
    """Return a run with its verdict."""
    found = verdict.judge(verdict.records_of(ran.journal))
    profile = ran.trial.profile
    red = words.unexpected(found, profile.expect)
    met = _struck(ran) or found.exercised > 0 or profile.faultless
    exercised = met or asked.declared or bool(red)
    status = verdict.exit_status(found, profile.expect) if exercised else FINE
    return Judged(ran, found, exercised, BUG if ran.journal.bugs else status)


def _struck(ran: Ran) -> bool:
    """Return whether a fault took an answer away or changed it."""
    at_accept = any(line["kind"] == "connection" for line in ran.journal.events)
    return at_accept or any(
        each.rules and each.delivery != "intact" for each in ran.journal.attempts
    )


def ordered(runs: Sequence[Judged]) -> list[Judged]:
    """Return the runs with the worst first, and last those that say nothing."""
    return sorted(runs, key=_rank)


def _rank(run: Judged) -> tuple[int, int]:
    if not run.exercised:
        return len(BY_STATUS), 0
    return BY_STATUS.index(run.status), words.ORDER[run.verdict.word]


def exit_status(asked: Asked, runs: Sequence[Judged]) -> int:
    """Return the exit status of a whole check."""
    statuses = {run.status for run in runs}
    for status in (BUG, RED, DOUBT):
        if status in statuses:
            return status
    proven = any(run.exercised and after_commit(run.profile) for run in runs)
    return FINE if asked.declared or proven else DOUBT


def after_commit(profile: Profile) -> bool:
    """Return whether a profile strikes after the commit, where charges get doubled."""
    return any(ORDER[rule.at] >= AFTER for rule in profile.rules)
