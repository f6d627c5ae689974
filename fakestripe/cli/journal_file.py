"""The journal of a server as a file: one JSON line per point reached, on disk before its effect.

A server that is killed leaves its evidence, at worst with a torn last line. The file of an
earlier server is replaced only once this one listens. One that cannot be written any more ends
the server: a journal with a gap must not be taken for a whole one.
"""

import os
import signal
import stat
from pathlib import Path
from typing import Any

import msgspec

from fakestripe.cli.usage import UsageError


class JournalFile:
    """A sink of journal lines; what comes before ``begin`` is kept until then."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failure: OSError | None = None
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as failure:
            raise UsageError(f"--journal {path}: {failure.strerror}") from None
        self._waiting: list[bytes] | None = []
        self._encode = msgspec.json.Encoder().encode

    def begin(self) -> None:
        """Replace what an earlier server left, and write from now on; raises ``UsageError``.

        Called where lines come from, so that none comes meanwhile.
        """
        waiting, self._waiting = self._waiting or [], None
        try:
            if stat.S_ISREG(os.fstat(self._file).st_mode):
                os.ftruncate(self._file, 0)
            for line in waiting:
                self._write(line)
        except OSError as failure:
            raise UsageError(f"--journal {self._path}: {failure.strerror}") from None

    def __call__(self, line: dict[str, Any]) -> None:
        """Write one line; unbuffered, so that it outlives the process."""
        encoded = self._encode(line) + b"\n"
        if self._waiting is not None:
            self._waiting.append(encoded)
        elif self._failure is None:
            try:
                self._write(encoded)
            except OSError as failure:
                self._failure = failure
                os.kill(os.getpid(), signal.SIGTERM)

    def _write(self, line: bytes) -> None:
        written = os.write(self._file, line)
        while written < len(line):  # the rest finds out why
            written += os.write(self._file, line[written:])

    def check(self) -> None:
        """Raise ``UsageError`` where a line could not be written."""
        if self._failure is not None:
            raise UsageError(
                f"--journal {self._path}: {self._failure.strerror}; the server has stopped, and "
                "what happened last is not in it"
            )
