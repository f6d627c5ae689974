"""How long runs will take, told before they begin: injected time is known from the profiles.

An estimate is the most that faults can hold a client which sits every one of them out. The same
number is added to a run's timeout, so that nobody is called hung for waiting as it was told to.
"""

from collections.abc import Iterator
from typing import Final

from fakestripe.cli.checking.asked import Asked
from fakestripe.faults.kinds import (
    Barrier,
    Blackhole,
    Drip,
    Fault,
    Hang,
    Refuse,
    Truncate,
    Wait,
)
from fakestripe.faults.limits import capped
from fakestripe.faults.rules import Profile, Rule
from fakestripe.protocol.duration import words

REPLY_SIZE: Final = 4096
"""Bytes that a reply is reckoned to have, head included."""
SHORT: Final = 1.0
"""Seconds of a hang that is short enough for most clients."""
REPEATS: Final = 4
"""How often a rule without a limit is reckoned to strike one operation."""


def injected(profile: Profile, operations: int) -> float:
    """Return the seconds that a profile can hold a client with so many operations."""
    return sum(_held(rule) * _strikes(rule, operations) for rule in profile.rules)


def _held(rule: Rule) -> float:
    return sum(_seconds(fault) for fault in rule.do)


def _seconds(fault: Fault) -> float:
    match fault:
        case Wait(seconds) | Hang(float(seconds)):
            return seconds
        case Refuse(seconds, after) | Blackhole(seconds, after):
            return after + seconds
        case Drip(size, every):
            return every * (REPLY_SIZE // size)
        case Truncate(then="hang", hang=float(seconds)):
            return seconds
        case Barrier(timeout=timeout):
            return timeout
        case _:
            return 0.0


def _strikes(rule: Rule, operations: int) -> int:
    when = rule.when
    total = operations * (len(when.attempt) if when.attempt else REPEATS)
    if when.operation is not None and operations:
        total //= operations
    limits = (total, when.times, len(when.nth) if when.nth else None)
    return min(limit for limit in limits if limit is not None)


def told(asked: Asked, operations: int, plain: float) -> str:
    """Return the sentence that says how long the runs can take, and what would shorten them."""
    touched = operations if asked.hit is None else min(asked.hit, operations)
    held = {profile.name: injected(profile, touched) for profile in asked.profiles}
    total = (sum(held.values()) + plain * len(held)) / min(asked.jobs, len(held))
    total = max(total, max(held.values()) + plain)
    runs = "1 run" if len(held) == 1 else f"{len(held)} runs"
    sentence = f"{runs} under faults, at most about {words(total)}"
    worst = max(held, key=lambda name: held[name])
    if held[worst] == 0:
        return sentence
    longest = f"the longest, {worst}, can hold your client for {words(held[worst])}"
    flags = " or ".join(_shorter(asked, worst, touched))
    return f"{sentence}; {longest}" + (f" (shorter with {flags})" if flags else "")


def _shorter(asked: Asked, worst: str, touched: int) -> Iterator[str]:
    """Yield the flags that would shorten the longest run."""
    profile = next(each for each in asked.profiles if each.name == worst)
    if capped(profile, SHORT) != profile:
        yield f"--max-hang {SHORT:g}s"
    if touched > 1:
        yield f"--hit {max(1, touched // 10)}"
