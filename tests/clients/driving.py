"""Drives one client program against a server whose first answer is struck, and counts.

The count is the server's: libraries resend behind a program's back. No retry of ours hides
anything, and nothing is asserted here.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from checking import DIRECT
from msgspec import Struct

from fakestripe.profiles import Profile, parse
from fakestripe.protocol.attempt import Attempt
from fakestripe.server.accounts import SHARED
from fakestripe.server.listener import Server

PROGRAMS: Final = Path(__file__).parent / "programs"
RUNNERS: Final = {".py": sys.executable, ".sh": "sh", ".cjs": "node"}
PATIENCE: Final = 30.0
AT_ONCE: Final = 6


class Driven(Struct, frozen=True):
    """One run of a program: the charges it posted, what it said, how it exited."""

    posts: tuple[Attempt, ...]
    said: str
    exit: int | None

    @property
    def cell(self) -> str:
        """The run as a cell of the matrix."""
        keys = {post.idempotency_key for post in self.posts}
        mark = "-" if keys == {None} else "=" if len(keys) == 1 else "!"
        end = "ok" if self.exit == 0 else "ERR" if self.said else "HANG"
        return f"{len(self.posts)}{mark if len(self.posts) > 1 else ''} {end}"


def struck(fault: str, *, when: str | None = "{attempt: 1}") -> Profile:
    """Return a profile whose one rule is ``fault``, by default for first attempts."""
    select = f"when: {when}, " if when else ""
    return parse(f"name: struck\nrules:\n  - {{{select}{fault}}}\n", "matrix")


def command(words: Iterable[str]) -> list[str]:
    """Return the command line of a program and its arguments."""
    program, *arguments = words
    return [RUNNERS[Path(program).suffix], str(PROGRAMS / program), *arguments]


def drive(words: Iterable[str], profile: Profile, extra: Mapping[str, str]) -> Driven:
    """Run one program against a server of its own, to its end or for ``PATIENCE`` seconds."""
    with Server(customers="any") as server:
        account = server.port.accounts.named(SHARED)
        server.call(lambda: account.use(profile))
        said, code = _run(command(words), {**_environment(server.url), **extra})
        posts = [post for post in account.bank.journal.attempts if post.moves]
    return Driven(tuple(posts), said, code)


def drive_all(
    words: Iterable[str], profiles: Mapping[str, Profile], extra: Mapping[str, str]
) -> dict[str, str]:
    """Return the cell of each profile for one program, measured several at once."""
    line = tuple(words)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        driven = pool.map(lambda profile: drive(line, profile, extra), profiles.values())
        return {name: run.cell for name, run in zip(profiles, driven, strict=True)}


def _environment(url: str) -> dict[str, str]:
    here = {"STRIPE_API_BASE": url, "STRIPE_API_KEY": "sk_test_clients"}
    return {**os.environ, **DIRECT, **here}


def _run(line: list[str], environment: Mapping[str, str]) -> tuple[str, int | None]:
    try:
        ran = subprocess.run(
            line,
            check=False,
            env=dict(environment),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return "", None
    return (ran.stdout + ran.stderr).strip(), ran.returncode
