"""A line that says how far a long check is: on a terminal always, elsewhere after ten seconds.

It goes to standard error, and is gone when the table comes.
"""

import sys
import threading
import time
from typing import Final

from fakestripe.protocol.duration import words

QUIET: Final = 10.0
CLEAR: Final = "\r\x1b[K"


class Progress:
    """Counts the runs that are done; safe to call from any thread."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._shown = False
        self._running: list[str] = []
        self._terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._spoke = self._began
        self._lock = threading.Lock()

    def expect(self, more: int) -> None:
        """Note that so many runs are to come beside those that were known."""
        with self._lock:
            self._total += more

    def begin(self, name: str) -> None:
        """Note that a run has begun."""
        with self._lock:
            self._running.append(name)
            self._show()

    def end(self, name: str) -> None:
        """Note that a run has ended."""
        with self._lock:
            self._running.remove(name)
            self._done += 1
            self._show()

    def tick(self) -> None:
        """Say again how far we are, where that is due."""
        with self._lock:
            self._show()

    def _show(self) -> None:
        now = time.monotonic()
        line = (
            f"{self._done} of {self._total} runs done after {words(now - self._began)}"
            f"{'; now ' if self._running else ''}{', '.join(self._running)}"
        )
        if self._terminal:
            self._shown = True
            print(f"{CLEAR}{line[:79]}", end="", file=sys.stderr, flush=True)
        elif now - self._spoke >= QUIET:
            self._spoke = now
            print(line, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown = False
            print(CLEAR, end="", file=sys.stderr, flush=True)
