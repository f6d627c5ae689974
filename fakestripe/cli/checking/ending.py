"""How a check ends: the table, the reports, the exit status; a bug of ours before everything."""

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from fakestripe.cli.checking import reports, table
from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.judged import exit_status
from fakestripe.cli.checking.session import check
from fakestripe.cli.usage import UsageError


def writers(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the paths of reports, or say before anything runs why one cannot be written."""
    for name in names:
        path = Path(name)
        if path.suffix not in reports.FORMATS:
            known = ", ".join(reports.FORMATS)
            raise UsageError(f"--report {name}: the ending says the format; there are {known}")
        if not path.parent.is_dir():
            raise UsageError(f"--report {name}: there is no folder {path.parent}")
        if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
            raise UsageError(f"--report {name}: it cannot be written")
    return tuple(Path(name) for name in names)


def conclude(asked: Asked, paths: Sequence[Path]) -> int:
    """Check, tell, write, and return the exit status."""
    session = check(asked, say=_say)
    print(f"\n{table.told(session)}")
    for path in paths:
        _write(path, reports.FORMATS[path.suffix](session))
    _confess([bug for run in session.runs for bug in run.ran.journal.bugs])
    return exit_status(asked, session.runs)


def _say(line: str) -> None:
    print(line, flush=True)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as failure:
        raise UsageError(f"--report {path}: {failure.strerror}") from None


def _confess(bugs: Sequence[Exception]) -> None:
    for bug in bugs:
        traceback.print_exception(bug)
        print("fakestripe: this is a bug of fakestripe, not of your client", file=sys.stderr)
