"""Runs ``fakestripe check`` as a user does and reads the report that it writes.

It asserts nothing; what cannot be read is an error with all that the command printed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

DIRECT: Final = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
BOUND: Final = 300


class Run(Struct, frozen=True):
    """One run of a check: what it came to and, for each operation, why.

    ``attempts`` are those of payments: a warm-up or a look-up is none. ``made`` counts the
    charges of each operation.
    """

    profile: str
    verdict: str
    expect: tuple[str, ...]
    exercised: bool
    attempts: int
    charges: int
    causes: tuple[str, ...]
    reasons: tuple[str, ...]
    exits: tuple[int | None, ...]
    made: tuple[int, ...]


class Checked(Struct, frozen=True):
    """A whole check: its runs by profile, its exit status, and all that it printed."""

    runs: dict[str, Run]
    exit: int
    printed: str

    def idle(self) -> set[str]:
        """Return the profiles whose fault found nothing to strike."""
        return {name for name, run in self.runs.items() if not run.exercised}

    def unexpected(self) -> dict[str, str]:
        """Return the exercised profiles whose word a correct client could not get."""
        return {
            name: run.verdict
            for name, run in self.runs.items()
            if run.exercised and run.verdict not in run.expect
        }


def check(
    command: Iterable[str],
    folder: Path,
    *,
    profiles: Iterable[str | Path] = (),
    flags: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Checked:
    """Check a command; its report and its store are kept in ``folder``."""
    report = folder / "report.json"
    named = [word for profile in profiles for word in ("--profile", str(profile))]
    line = [sys.executable, "-m", "fakestripe", "check", *named, *flags, "--report", str(report)]
    ran = subprocess.run(
        [*line, "--", *command],
        check=False,
        capture_output=True,
        text=True,
        timeout=BOUND,
        env={
            **os.environ,
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            **(environment or {}),
        },
    )
    printed = ran.stdout + ran.stderr
    if not report.exists():
        raise AssertionError(printed)
    runs = json.loads(report.read_text(encoding="utf-8"))["runs"]
    return Checked({run["profile"]: _run(run) for run in runs}, ran.returncode, printed)


def _run(run: Mapping[str, Any]) -> Run:
    return Run(
        profile=run["profile"],
        verdict=run["verdict"],
        expect=tuple(run["expect"]),
        exercised=run["exercised"],
        attempts=sum(len(each["attempts"]) for each in run["operations"]),
        charges=run["charges"],
        causes=tuple(each["cause"] for each in run["operations"] if each["cause"]),
        reasons=tuple(run["reasons"]),
        exits=tuple(run["client_exits"]),
        made=tuple(len(each["charges"]) for each in run["operations"]),
    )
