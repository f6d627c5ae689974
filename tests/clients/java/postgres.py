"""A PostgreSQL of our own: a real server in a folder of its own, on a port of its own.

It lives as long as its ``with`` block and leaves nothing behind. PostgreSQL refuses to run as
root, so root starts it as nobody. It asserts nothing.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct
from toolchain import Unavailable

USER: Final = "billing"
BOUND: Final = 60
PORTS: Final = 5
"""How often a port is looked for: another may take it before the server has it."""

UNSAFE: Final = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
"""What is lost with the power is lost with the test."""


class Postgres(Struct, frozen=True):
    """A server that runs; ``programs`` is where its client programs are."""

    programs: Path
    port: int

    def created(self, name: str) -> "Database":
        """Create an empty database."""
        _said([str(self.programs / "createdb"), *self._where(), name])
        return Database(name, self.port, (str(self.programs / "psql"), *self._where()))

    def _where(self) -> tuple[str, ...]:
        return ("-h", "127.0.0.1", "-p", str(self.port), "-U", USER)


class Database(Struct, frozen=True):
    """One database of a server."""

    name: str
    port: int
    psql: tuple[str, ...]

    @property
    def url(self) -> str:
        """What JDBC calls it."""
        return f"jdbc:postgresql://127.0.0.1:{self.port}/{self.name}?user={USER}"

    def reading(self, script: Path) -> str:
        """Return a shell command that has the database carry out a file of SQL."""
        options = ("-q", "-X", "-v", "ON_ERROR_STOP=1", "-d", self.name, "-f", str(script))
        quiet = "PGOPTIONS='-c client_min_messages=error'"
        return f"{quiet} {' '.join((*self.psql, *options))}"


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Run a server; raises ``Unavailable`` where PostgreSQL is not installed."""
    programs = _programs()
    with tempfile.TemporaryDirectory(prefix="fakestripe-pg-") as made:
        folder = Path(made)
        if os.getuid() == 0:
            shutil.chown(folder, "nobody")
        data = str(folder / "data")
        initdb = [str(programs / "initdb"), "-D", data, "-U", USER, "-A", "trust"]
        _said([*_user(), *initdb, "-E", "UTF8", "--locale=C", "--no-sync"], folder)
        control = [*_user(), str(programs / "pg_ctl"), "-s", "-w", "-D", data]
        port = _started(control, folder)
        try:
            yield Postgres(programs, port)
        finally:
            _said([*control, "-m", "immediate", "stop"], folder)


def _programs() -> Path:
    """Return the folder of the newest version: Debian keeps its programs out of the way."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    initdb = shutil.which("initdb") or (found[-1] if found else None)
    if initdb is None:
        raise Unavailable("PostgreSQL is not installed (initdb)")
    return Path(initdb).resolve().parent


def _version(initdb: Path) -> float:
    return float(initdb.parts[-3])


def _user() -> list[str]:
    """Return what goes in front of a program that root may not run."""
    if os.getuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        raise Unavailable("PostgreSQL refuses to run as root, and setpriv is not installed")
    group = pwd.getpwnam("nobody").pw_gid
    return ["setpriv", "--reuid=nobody", f"--regid={group}", "--clear-groups"]


def _started(control: list[str], folder: Path) -> int:
    """Return the port on which the server was started, in a folder where its log is."""
    log = folder / "log"
    for attempt in range(PORTS):
        port = _free()
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 {UNSAFE}"
        try:
            _said([*control, "-l", str(log), "-o", options, "start"], folder)
        except Unavailable:
            if attempt == PORTS - 1:
                raise
        else:
            return port
    raise AssertionError


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _said(words: list[str], folder: Path | None = None) -> str:
    """Return what a program printed; raises ``Unavailable`` with it where it failed."""
    ran = subprocess.run(
        words, check=False, capture_output=True, text=True, timeout=BOUND, cwd=folder
    )
    if ran.returncode:
        raise Unavailable(f"{' '.join(words)}: {ran.stdout}{ran.stderr}")
    return ran.stdout
