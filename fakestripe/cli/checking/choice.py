"""Which operations the faults of a big batch touch: a few of the learned ones, by the seed.

Chance is a hash of the seed and the operation's name, so the choice is the same in every run and
depends on no order.
"""

import hashlib
from collections.abc import Sequence

from msgspec import structs

from fakestripe.cli.checking.asked import Asked
from fakestripe.faults.limits import gathered
from fakestripe.faults.rules import Profile


def aimed(asked: Asked, profile: Profile, operations: Sequence[str]) -> Profile:
    """Return the profile as this check runs it: on so many operations, with so many replicas."""
    if asked.hit is not None and asked.hit < len(operations):
        ranked = sorted(operations, key=lambda name: _rank(asked.seed, name))
        profile = structs.replace(profile, only=frozenset(ranked[: asked.hit]))
    return gathered(profile, asked.replicas) if asked.replicas > 1 else profile


def _rank(seed: int, operation: str) -> bytes:
    return hashlib.blake2b(f"{seed}:{operation}".encode(), digest_size=8).digest()
