"""How a sweep ends: profiles of what is red, the matrix, reports, the exit status."""

import shutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fakestripe.cli.checking.ending import writers
from fakestripe.cli.checking.redaction import redacted
from fakestripe.cli.sweeping import folder, reports
from fakestripe.cli.sweeping.session import sweep
from fakestripe.cli.sweeping.wanted import Wanted
from fakestripe.cli.usage import UsageError
from fakestripe.sweeping import telling

__all__ = ["conclude", "writers"]

NARROW: Final = 100
"""Columns of a matrix that no terminal shows."""


def conclude(wanted: Wanted, paths: Sequence[Path]) -> int:
    """Sweep, write the profiles, tell, report, and return the exit status."""
    folder.refuse(wanted.folder)
    session = sweep(wanted, say=_say)
    written = folder.write(session)
    width = shutil.get_terminal_size((NARROW, 0)).columns if sys.stdout.isatty() else NARROW
    print(f"\n{redacted(reports.told(session, width))}")
    if written:
        print(f"{_files(written)} what is red: {wanted.folder}/")
    for path in paths:
        _write(path, reports.FORMATS[path.suffix](session))
    for cell in session.swept.cells:
        for bug in cell.bugs:
            traceback.print_exception(bug)
            print("fakestripe: this is a bug of fakestripe, not of your client", file=sys.stderr)
    return telling.exit_status(session.swept)


def _say(line: str) -> None:
    print(line, flush=True)


def _files(written: Sequence[Path]) -> str:
    return "1 profile replays" if len(written) == 1 else f"{len(written)} profiles replay"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as failure:
        raise UsageError(f"--report {path}: {failure.strerror}") from None
