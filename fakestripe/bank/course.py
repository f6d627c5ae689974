"""One operation at one step: how often it was tried, and whether it is still open.

Attempts are folded into two small sets as they end, so that asking costs the same after a
thousand arrivals as after one; an operation that was told its 2xx keeps nothing but its count.
"""

from collections.abc import Hashable

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.settling import (
    CLOSES,
    is_delivered,
    is_over,
    is_settled,
    key_of,
    succeeded,
)

Name = tuple[str, str]
"""A parameter and its value that name one payment among equals."""


class Operation(Struct, gc=False):
    """One logical payment: its name, its number in order of arrival, the names it goes by.

    ``home`` is what it is counted under: an identity of the lesson, a pool of intents, or None.
    """

    name: str
    number: int
    home: Hashable = None
    names: frozenset[Name] = frozenset()


class Course(Struct, gc=False):
    """An operation at a step, with what is needed to say whether it is open and lost.

    ``identity`` and ``group`` say where it is listed while it is open.
    """

    operation: Operation
    shape: str
    identity: Hashable = None
    group: Hashable = None
    count: int = 0
    done: bool = False
    listed: bool = False
    last: Attempt | None = None
    flying: tuple[Attempt, ...] = ()
    unsettled: set[str | int] | None = None
    told: set[str | int] | None = None

    def add(self, attempt: Attempt) -> int:
        """Take an arrival in and return its number at this step."""
        self.count += 1
        self.last = attempt
        self.flying += (attempt,)
        return self.count

    def fold(self, now: float) -> None:
        """Take note of the attempts that have ended by ``now``."""
        if not self.flying:
            return
        over = [attempt for attempt in self.flying if is_over(attempt, now)]
        if not over:
            return
        self.flying = tuple(a for a in self.flying if not is_over(a, now))
        for attempt in over:
            self._fold(attempt, now)

    def _fold(self, attempt: Attempt, now: float) -> None:
        if self.done:
            return
        if is_delivered(attempt, now) and succeeded(attempt):
            self.done = True
            self.unsettled = self.told = None
        elif not is_settled(attempt, now):
            self.unsettled = self.unsettled or set()
            self.unsettled.add(key_of(attempt))
        elif attempt.status in CLOSES:
            self.told = self.told or set()
            self.told.add(key_of(attempt))

    def is_open(self) -> bool:
        """Return whether another arrival may still be a try of this one, as far as folded."""
        if self.done:
            return False
        if self.told is None:
            return True
        pending = {key_of(attempt) for attempt in self.flying} | (self.unsettled or set())
        return not pending <= self.told

    def is_lost(self) -> bool:
        """Return whether it is open and its last arrival is not in flight, as far as folded."""
        in_flight = bool(self.flying) and self.flying[-1] is self.last
        return self.last is not None and not in_flight and self.is_open()

    def retire(self) -> None:
        """Let go of what only a listed operation needs."""
        self.listed = False
        self.identity = self.group = None
