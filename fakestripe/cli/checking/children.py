"""The processes of a run: each in a group of its own, so that none of them can be left behind.

Output goes to a file, never to a pipe: a grandchild that keeps a pipe open would keep us waiting.
A process that outlives its time is killed with all it started, and its exit status is None.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, Final

from fakestripe.cli.usage import UsageError

TAIL: Final = 4000
LINES: Final = 20
GRACE: Final = 0.5
"""Seconds between SIGTERM and SIGKILL."""


class Child:
    """One process and what it printed; ``began`` and ``ended`` are times of the steady clock."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as we
        self.began = time.monotonic()
        self.ended: float | None = None
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the command is what we are for
                words,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as failure:
            self._output.close()
            raise UsageError(f"{words[0]} cannot be run: {failure.strerror}") from None
        self._waiter = threading.Thread(target=self._wait, daemon=True)
        self._waiter.start()

    def _wait(self) -> None:
        self._process.wait()
        self.ended = time.monotonic()

    def ended_by(self, deadline: float) -> int | None:
        """Return the exit status, or None where the deadline came first."""
        self._waiter.join(max(0.0, deadline - time.monotonic()))
        return None if self.ended is None else self._process.returncode

    def kill(self) -> None:
        """End the whole group, also what the process left behind; it may say goodbye first."""
        self._signal(signal.SIGTERM)
        self._waiter.join(GRACE)
        self._signal(signal.SIGKILL)
        self._waiter.join()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def printed(self) -> str:
        """Return everything that was printed."""
        self._output.seek(0)
        return self._output.read().decode(errors="replace").rstrip()

    def tail(self) -> str:
        """Return the end of what was printed."""
        size = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, size - TAIL))
        text = self._output.read().decode(errors="replace")
        return "\n".join(text.rstrip().splitlines()[-LINES:])

    def forget(self) -> None:
        """Drop the output."""
        self._output.close()


class Nursery:
    """All processes of a check, over all its threads: closed once, it starts no more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._children: list[Child] = []
        self.closed = False

    def start(self, words: Sequence[str], environment: Mapping[str, str]) -> Child:
        """Start a process; raises ``Closed`` after ``close``."""
        with self._lock:
            if self.closed:
                raise Closed
            child = Child(words, environment)
            self._children.append(child)
            return child

    def end(self, children: Sequence[Child]) -> None:
        """Kill what is left of some processes and forget them."""
        with self._lock:
            for child in children:
                child.kill()
                child.forget()
                self._children.remove(child)

    def close(self) -> None:
        """Kill everything and start nothing more."""
        with self._lock:
            self.closed = True
            for child in self._children:
                child.kill()


class Closed(Exception):  # noqa: N818  # no error: the check was stopped
    """The check was stopped while a run was going on."""
