"""How long faults may hold, so that a run of a whole library stays affordable.

A hang cut short still never answers: the server ends the connection instead of the client. A wait
is left as it is, since one cut short would be answered in time and be no fault any more.
"""

from msgspec import structs

from fakestripe.faults.rules import Fault, Hang, Profile, Rule


def capped(profile: Profile, longest: float) -> Profile:
    """Return the profile with no hang longer than ``longest`` seconds."""
    rules = tuple(structs.replace(rule, do=_shortened(rule, longest)) for rule in profile.rules)
    return structs.replace(profile, rules=rules)


def _shortened(rule: Rule, longest: float) -> tuple[Fault, ...]:
    return tuple(
        Hang(longest)
        if isinstance(fault, Hang) and (fault.seconds is None or fault.seconds > longest)
        else fault
        for fault in rule.do
    )
