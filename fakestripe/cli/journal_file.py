"""The journal of a server as a file: one JSON line per point reached, on disk before its effect.

A server that is killed leaves its evidence, at worst with a torn last line. The file of an
earlier server is replaced only once this one listens.
"""

import os
from pathlib import Path
from typing import Any

import msgspec

from fakestripe.cli.usage import UsageError


class JournalFile:
    """A sink of journal lines; what comes before ``begin`` is kept until then."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as failure:
            raise UsageError(f"--journal {path}: {failure.strerror}") from None
        self._waiting: list[bytes] | None = []
        self._encode = msgspec.json.Encoder().encode

    def begin(self) -> None:
        """Replace what an earlier server left, and write from now on."""
        waiting, self._waiting = self._waiting or [], None
        os.ftruncate(self._file, 0)
        for line in waiting:
            os.write(self._file, line)

    def __call__(self, line: dict[str, Any]) -> None:
        """Write one line; unbuffered, so that it outlives the process."""
        encoded = self._encode(line) + b"\n"
        if self._waiting is None:
            os.write(self._file, encoded)
        else:
            self._waiting.append(encoded)
