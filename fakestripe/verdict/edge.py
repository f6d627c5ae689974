"""What struck before any request was read, and how little that proves.

At ``accept`` a connection was lost and nothing with it: who comes back with a payment that carries
a key has shown that it comes back, and no more, so the reader is told. Where nobody said what was
intended, what was lost may have been another payment. At ``listen`` the kernel refuses by itself
and counts nobody: only a client that is known to pay without faults, and of which no request came
at all, is known to have met the closed port.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt

NOTE: Final = (
    "a connection was lost before anything of it was read: the client came back, but what it "
    "would do with a charge that was made is not tested"
)


class Struck(Struct, frozen=True):
    """A rule that struck a connection (its number, and whether its client left) or the port."""

    rule: str
    elapsed_s: float
    connection: int | None = None
    client_left: bool = False
    faults: tuple[str, ...] = ()

    @property
    def lost(self) -> bool:
        """Whether a connection was lost: one that only waited was not."""
        waited = bool(self.faults) and self.faults[-1].startswith("wait ")
        return self.connection is not None and (self.client_left or not waited)


def latest(struck: Iterable[Struck]) -> list[Struck]:
    """Return what struck, each in its last version."""
    return list({(each.rule, each.connection, each.elapsed_s): each for each in struck}.values())


def proven(struck: Sequence[Struck], attempts: Sequence[Attempt]) -> int:
    """Return how many lost connections were followed by a payment with a key."""
    return sum(each.lost and _came_back(each, attempts, keyed=True) for each in struck)


def unproven(struck: Sequence[Struck], attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Return why what struck proves nothing; no reason where nothing did."""
    lost = [each for each in struck if each.lost]
    if any(_came_back(each, attempts, keyed=True) for each in lost):
        return ("nothing_to_compare",)
    if any(_came_back(each, attempts, keyed=False) for each in lost):
        return ("no_key",)
    if lost or any(each.connection is not None for each in struck):
        return ("client_never_came_back",)
    return ("window_unseen",) if struck else ()


def _came_back(struck: Struck, attempts: Sequence[Attempt], *, keyed: bool) -> bool:
    return any(
        attempt.moves
        and attempt.started_s >= struck.elapsed_s
        and attempt.connection != struck.connection
        and (attempt.idempotency_key is not None or not keyed)
        for attempt in attempts
    )
