"""Drives client programs against servers whose first answer is struck, and counts.

The count is the server's: libraries resend behind a program's back. Every charge has a server of
its own, so no connection and no fault is another's. Nothing is asserted here.
"""

import atexit
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Final

from checking import DIRECT
from columns import Line
from msgspec import Struct
from rows import ROWS, Row

from fakestripe.faults.rules import FAULT_FREE
from fakestripe.profiles import Profile, parse
from fakestripe.protocol.attempt import Attempt
from fakestripe.server.accounts import SHARED
from fakestripe.server.edge.tls import Identity
from fakestripe.server.listener import Server

PROGRAMS: Final = Path(__file__).parent / "programs"
RUNNERS: Final = {".py": sys.executable, ".sh": "sh", ".cjs": "node"}
TIMEOUT: Final = "3"
"""Seconds that a client waits: enough for many of them at once on a slow machine."""

PROCESSES: Final = 3
PATIENCE: Final = 30.0
TRUST: Final = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE")
"""The variables by which one client or another is told whom to trust."""

MAKING: Final = Lock()
TOLD: Final = re.compile(r"^(\d+) (ok|ERR)\b", re.MULTILINE)


class Driven(Struct, frozen=True):
    """One charge of a program: the POSTs it made, and whether it was told ok, ERR or nothing."""

    posts: tuple[Attempt, ...]
    end: str

    @property
    def cell(self) -> str:
        """The charge as a cell of the matrix."""
        keys = {post.idempotency_key for post in self.posts}
        mark = "-" if keys == {None} else "=" if len(keys) == 1 else "!"
        return f"{len(self.posts)}{mark if len(self.posts) > 1 else ''} {self.end}"


class Ran(Struct, frozen=True):
    """One run of a program: its charges in the order of its servers, what it said, its exit."""

    charges: tuple[Driven, ...]
    said: str
    exit: int | None


def struck(row: Row) -> Profile:
    """Return a profile whose one rule is a row's fault, where the row has it strike."""
    if not row.fault:
        return FAULT_FREE
    return parse(f"name: struck\nrules: [{row.rule}]\n", "matrix")


def command(words: Iterable[str]) -> tuple[str, ...]:
    """Return the command line of a program of this folder and its arguments."""
    program, *arguments = words
    return (RUNNERS[Path(program).suffix], str(PROGRAMS / program), *arguments)


def run(line: Line, rows: Iterable[Row]) -> Ran:
    """Run a program once, to its end or for ``PATIENCE`` seconds, with a server for each row.

    The rows must agree in what a program is told of them.
    """
    struck_rows = tuple(rows)
    arguments = struck_rows[0].arguments
    with ExitStack() as stack:
        servers = [stack.enter_context(_server(row)) for row in struck_rows]
        urls = [server.url for server in servers]
        words = (*line.words, "--timeout", TIMEOUT, *arguments, *urls)
        trusted = dict.fromkeys(TRUST, str(authority().ca_file)) if struck_rows[0].tls else {}
        said, code = _run(words, {**_environment(urls[0]), **trusted, **line.environment})
        told = {int(number): end for number, end in TOLD.findall(said)}
        charges = [
            Driven(_posts(server), told.get(number, "HANG"))
            for number, server in enumerate(servers)
        ]
    return Ran(tuple(charges), said, code)


def cells(line: Line, names: Iterable[str]) -> dict[str, str]:
    """Return the cell of each row for one client: rows that are told alike in one process."""

    def told(name: str) -> tuple[tuple[str, ...], bool]:
        return ROWS[name].arguments, ROWS[name].tls

    wanted = tuple(names)
    groups = [tuple(group) for _, group in groupby(sorted(wanted, key=told), key=told)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        runs = list(pool.map(lambda group: run(line, [ROWS[name] for name in group]), groups))
    found = {
        name: charge.cell
        for group, ran in zip(groups, runs, strict=True)
        for name, charge in zip(group, ran.charges, strict=True)
    }
    return {name: found[name] for name in wanted}


def _server(row: Row) -> Server:
    server = Server(customers="any", tls=authority() if row.tls else False)
    server.port.accounts.use(struck(row))
    return server


def authority() -> Identity:
    """Return the one authority of all servers under TLS: a program trusts one file."""
    with MAKING:
        return _authority()


@cache
def _authority() -> Identity:
    made = Identity.made()
    atexit.register(made.close)
    return made


def _posts(server: Server) -> tuple[Attempt, ...]:
    journal = server.port.accounts.named(SHARED).bank.journal
    return tuple(server.call(lambda: [post for post in journal.attempts if post.moves]))


def _environment(url: str) -> Mapping[str, str]:
    here = {"STRIPE_API_BASE": url, "STRIPE_API_KEY": "sk_test_clients"}
    return {**os.environ, **DIRECT, **here}


def _run(line: Iterable[str], environment: Mapping[str, str]) -> tuple[str, int | None]:
    words = list(line)
    with subprocess.Popen(
        words, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as started:
        try:
            said, _ = started.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            started.kill()
            said, _ = started.communicate()
            return said.strip(), None
    return said.strip(), started.returncode
