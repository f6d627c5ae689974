"""How long faults may hold and how many they may wait for, so that every run of a library ends.

A hang cut short still never answers: the server ends the connection instead of the client. A wait
is left as it is, since one cut short would be answered in time and be no fault any more.
"""

from collections.abc import Callable

from msgspec import structs

from fakestripe.faults.kinds import Barrier, Fault, Hang, Truncate
from fakestripe.faults.rules import Profile


def capped(profile: Profile, longest: float) -> Profile:
    """Return the profile with no hang longer than ``longest`` seconds."""

    def shorter(fault: Fault) -> Fault:
        match fault:
            case Hang(seconds=seconds) if seconds is None or seconds > longest:
                return structs.replace(fault, seconds=longest)
            case Truncate(then="hang", hang=seconds) if seconds is None or seconds > longest:
                return structs.replace(fault, hang=longest)
            case _:
                return fault

    return _with(profile, shorter)


def gathered(profile: Profile, replicas: int) -> Profile:
    """Return the profile with no barrier that waits for more parties than there are replicas."""

    def smaller(fault: Fault) -> Fault:
        if isinstance(fault, Barrier) and fault.parties > replicas:
            return structs.replace(fault, parties=replicas)
        return fault

    return _with(profile, smaller)


def _with(profile: Profile, change: Callable[[Fault], Fault]) -> Profile:
    rules = (
        structs.replace(rule, do=tuple(change(fault) for fault in rule.do))
        for rule in profile.rules
    )
    return structs.replace(profile, rules=tuple(rules))
