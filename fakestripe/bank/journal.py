"""The append-only record of every attempt, intent, outcome and move of the clock.

Attempts are filled in place while their exchange runs; each point reached is offered to the
``sink`` (a JSONL file, where one is wanted) before its effect, so that a killed server leaves
its evidence. The journal decides nothing.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from fakestripe.protocol.attempt import Attempt, to_line
from fakestripe.protocol.declared import Intent, Outcome

Sink = Callable[[dict[str, Any]], None]


class Journal:
    """All that happened on one port, in order of arrival."""

    __slots__ = (
        "_elapsed",
        "account",
        "attempts",
        "bugs",
        "events",
        "intents",
        "next_arrival",
        "outcomes",
        "profiles",
        "sink",
    )

    def __init__(
        self,
        elapsed: Callable[[], float],
        sink: Sink | None = None,
        next_arrival: Callable[[], int] | None = None,
        account: str | None = None,
    ) -> None:
        self._elapsed = elapsed
        self.account = account
        self.next_arrival = next_arrival or itertools.count(1).__next__
        self.bugs: list[Exception] = []
        self.sink = sink
        self.attempts: list[Attempt] = []
        self.intents: list[Intent] = []
        self.outcomes: list[Outcome] = []
        self.events: list[dict[str, Any]] = []
        self.profiles = 0

    def open(self, attempt: Attempt) -> None:
        """Append an attempt that has just been received."""
        attempt.started_s = self._elapsed()
        self.attempts.append(attempt)
        self.write(attempt)

    def reach(self, attempt: Attempt, point: str) -> None:
        """Note a point of the lifecycle, before its effect."""
        attempt.last_point = point
        self.write(attempt)

    def close(self, attempt: Attempt) -> None:
        """Note the end of an exchange."""
        attempt.ended_s = self._elapsed()
        self.write(attempt)

    def left(self, attempt: Attempt, at: float) -> None:
        """Note that the client's end of the connection is gone."""
        if attempt.left_s is None:
            attempt.left_s = self._elapsed()
            attempt.client_left_at = at

    def write(self, attempt: Attempt) -> None:
        """Offer the attempt as it stands to the sink."""
        if self.sink is not None:
            self.sink({"kind": "attempt", **to_line(attempt)})

    def bug(self, bug: Exception) -> None:
        """Keep a mistake of our own, with its traceback."""
        self.bugs.append(bug)

    def note(self, kind: str, fields: dict[str, Any]) -> None:
        """Append a line that is no attempt: header, intent, outcome, clock, profile.

        Where several accounts share a file, every line says whose it is.
        """
        line = {"kind": kind, "elapsed_s": self._elapsed(), **fields}
        if self.account is not None:
            line["account"] = self.account
        self.events.append(line)
        if self.sink is not None:
            self.sink(line)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Return all lines, as a file would hold their last versions."""
        yield from self.events
        for attempt in self.attempts:
            yield {"kind": "attempt", **to_line(attempt)}
