"""How long a sweep will take, told before it begins, and which flags make it shorter."""

from collections.abc import Iterator
from typing import Final

from fakestripe.cli.checking import estimate
from fakestripe.cli.checking.lessons import Taught
from fakestripe.cli.sweeping.wanted import Wanted
from fakestripe.protocol.duration import words
from fakestripe.sweeping import rounds, slots
from fakestripe.sweeping.cells import Plain

LONG: Final = 60.0
"""Seconds from which on it is said how a sweep becomes shorter."""
LANES: Final = 2


def told(wanted: Wanted, plain: Plain, taught: Taught) -> str:
    """Return the sentence that says how many runs there will be, and for how long at most."""
    scope = wanted.scope
    known = slots.found(plain.requests, plain.lesson, scope.hit)
    plans = rounds.first(scope, known)
    held = sum(estimate.injected(wanted.profile(plan), 1) for plan in plans)
    total = (held + taught.seconds * len(plans)) / wanted.asked.jobs
    requests = "1 request" if len(known) == 1 else f"{len(known)} requests"
    faults = "1 fault" if len(scope.kinds) == 1 else f"{len(scope.kinds)} faults"
    runs = "1 run" if len(plans) == 1 else f"{len(plans)} runs"
    sentence = (
        f"{requests} and {faults}: {runs}, at most about {words(total)} of baseline and injected "
        "time"
    )
    more = " before retries are struck" if scope.depth > 1 else ""
    flags = " or ".join(_shorter(wanted)) if total > LONG else ""
    return f"{sentence}{more}" + (f" (shorter with {flags})" if flags else "")


def _shorter(wanted: Wanted) -> Iterator[str]:
    if wanted.asked.jobs < LANES:
        yield "--jobs 2"
    if wanted.conditions.hang > 1:
        yield "--max-hang 1s"
    if wanted.scope.hit > 1:
        yield "--hit 1"
    if wanted.max_time is None:
        yield "--max-time 1m"


def deeper(count: int) -> str:
    """Return the line that opens a further round."""
    return f"{count} runs more strike what only a fault brought about"
