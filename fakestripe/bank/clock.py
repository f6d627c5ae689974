"""The account's clock: real time moved by whoever tests retention, never by the system.

Moving it moves no socket and no timer. It may be frozen, and it may be set to any instant.
"""

from collections.abc import Callable


class Clock:
    """Epoch seconds of one account."""

    __slots__ = ("_frozen", "_offset", "_wall")

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._offset = 0.0
        self._frozen: float | None = None

    def now(self) -> float:
        """Return the account's time in epoch seconds."""
        return self._frozen if self._frozen is not None else self._wall() + self._offset

    def advance(self, seconds: float) -> None:
        """Move the clock forward, or back where ``seconds`` is negative."""
        if self._frozen is not None:
            self._frozen += seconds
        else:
            self._offset += seconds

    def set(self, now: float, *, frozen: bool = False) -> None:
        """Set the clock to an instant; frozen, it stays there until moved."""
        self._frozen = now if frozen else None
        self._offset = now - self._wall()
