"""How long faults may hold and whom they may touch, so that a whole library stays affordable.

A hang cut short still never answers: the server ends the connection instead of the client. A wait
is left as it is, since one cut short would be answered in time and be no fault any more.
"""

import hashlib
from collections.abc import Iterable

from msgspec import structs

from fakestripe.faults.rules import Fault, Hang, Profile, Rule, Truncate


def capped(profile: Profile, longest: float) -> Profile:
    """Return the profile with no hang longer than ``longest`` seconds."""
    rules = tuple(structs.replace(rule, do=_shortened(rule, longest)) for rule in profile.rules)
    return structs.replace(profile, rules=rules)


def _shortened(rule: Rule, longest: float) -> tuple[Fault, ...]:
    return tuple(_cut_short(fault, longest) for fault in rule.do)


def _cut_short(fault: Fault, longest: float) -> Fault:
    match fault:
        case Hang(seconds) if seconds is None or seconds > longest:
            return Hang(longest)
        case Truncate(then="hang", hang=seconds) if seconds is None or seconds > longest:
            return structs.replace(fault, hang=longest)
        case _:
            return fault


def limited(profile: Profile, operations: Iterable[str], count: int, seed: int) -> Profile:
    """Return the profile with faults for ``count`` of the operations alone.

    They are chosen by a hash of seed and name, so that the choice is the same in every run,
    whatever the order of arrival.
    """
    chosen = sorted(set(operations), key=lambda name: _mark(seed, name))[:count]
    return structs.replace(profile, only=frozenset(chosen))


def _mark(seed: int, name: str) -> bytes:
    text = f"{seed}:{name}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=8).digest()
