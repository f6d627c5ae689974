"""The processes of one run, in order: setup, the program (once, or as replicas), teardown.

Setup and teardown are shell commands that reach the same server; teardown is the place to report
outcomes from a database, so whatever the program left running is ended only after it.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.children import Child, Nursery
from fakestripe.cli.checking.environment import OURS, environment, filled
from fakestripe.cli.checking.redaction import redacted
from fakestripe.cli.usage import UsageError

SHELL: Final = ("/bin/sh", "-c")


class Place(Struct, frozen=True):
    """Where the processes of a run find the server, and what they are told about the run.

    ``trust`` are the variables that say whom to trust, ``led`` those that lead here whoever would
    go to Stripe.
    """

    url: str
    key: str
    run: int
    profile: str
    trust: Mapping[str, str] = {}
    led: Mapping[str, str] = {}

    def environment(self, replica: int = 1) -> dict[str, str]:
        """Return what a process is given."""
        told = environment(self.url, self.key, self.run, self.profile, replica)
        return {**told, **self.trust, **self.led}

    def filled(self, command: Iterable[str]) -> list[str]:
        """Return a command with its placeholders replaced."""
        return filled(command, self.url, self.key, self.trust.get(OURS))


class Performed(Struct, frozen=True):
    """How the program ended: every replica's exit status (None: hung), life and last words.

    A life is when a replica began and ended by the steady clock; the end of one that hung is None.
    """

    exits: tuple[int | None, ...]
    lives: tuple[tuple[float, float | None], ...]
    output: str


class Stage:
    """Runs the processes of one run; ``clear`` ends what is left of them."""

    def __init__(self, asked: Asked, place: Place, nursery: Nursery) -> None:
        self._asked, self._place, self._nursery = asked, place, nursery
        self._children: list[Child] = []

    def program(self, replicas: int, patience: float) -> Performed:
        """Run the replicas at once, for at most ``patience`` seconds."""
        words = self._place.filled(self._asked.program)
        started = [self._start(words, number) for number in range(1, replicas + 1)]
        deadline = time.monotonic() + patience
        exits = tuple(child.ended_by(deadline) for child in started)
        lives = tuple((child.began, child.ended) for child in started)
        for child, status in zip(started, exits, strict=True):
            if status is None:
                child.kill()
        said = [child.printed() if self._asked.verbose else child.tail() for child in started]
        return Performed(exits, lives, redacted("\n".join(text for text in said if text)))

    def shell(self, what: str, command: str | None) -> None:
        """Run setup or teardown; raises ``UsageError`` unless it ends with 0 in time."""
        if command is None:
            return
        child = self._start([*SHELL, command])
        status = child.ended_by(time.monotonic() + self._asked.timeout)
        if status == 0:
            return
        how = "did not end in time" if status is None else f"ended with status {status}"
        raise UsageError(f"--{what} {how} ({self._place.profile})", redacted(child.tail()))

    def _start(self, words: list[str], replica: int = 1) -> Child:
        child = self._nursery.start(words, self._place.environment(replica))
        self._children.append(child)
        return child

    def clear(self) -> None:
        """End whatever is left."""
        self._nursery.end(self._children)
        self._children.clear()
