"""Runs the systems under ``fakestripe check`` and says what became of each: word and cause.

A system is checked twice: once alone, under the profiles for that, and once as three replicas.
Nothing is asserted here.
"""

import tempfile
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeAlias

from checking import Checked, Run, check
from msgspec import Struct
from postgres import Database, Postgres
from services import FLAGS, Services
from systems import ALONE, EXIT, REPLICAS, SYSTEMS, TOGETHER

HERE: Final = Path(__file__).parent
TABLES: Final = HERE / "tables.sql"
CHECKS: Final = 3
"""Checks at the same time: more JVMs than that keep each other waiting on two processors."""

SLOWLY: Final = {"BILLING_TIMEOUT": "2000"}
"""A timeout that a busy machine does not run into by itself, shorter than every hang."""

HANGS: Final = ("--max-hang", "5s")
REPLICATED: Final = ("--replicas", str(REPLICAS))
PATIENTLY: Final = {"BILLING_TIMEOUT": "20000"}
"""Replicas wait for each other longer than a barrier does: else an attempt of the same replica
fills it."""

Row: TypeAlias = tuple[str, str]
"""A system and its form."""

Cells: TypeAlias = dict[str, str]
"""What became of a row, by profile."""


class Bench(Struct, frozen=True):
    """What systems are run with: the built services and a PostgreSQL."""

    services: Services
    postgres: Postgres

    def checked(
        self,
        row: Row,
        profiles: Iterable[str | Path],
        *flags: str,
        environment: Mapping[str, str] | None = None,
        wrapped: tuple[str, ...] = (),
    ) -> Checked:
        """Check one row, with a database of its own where it needs one.

        ``wrapped`` are the words of a command that is given the service's own as arguments.
        """
        system, form = row
        hooks: tuple[str, ...] = ()
        told = dict(environment or {})
        if SYSTEMS[system].database:
            database = self.database(row)
            hooks = ("--setup", database.reading(TABLES))
            told["BILLING_DATABASE"] = database.url
        with tempfile.TemporaryDirectory() as folder:
            return check(
                (*wrapped, *self.services.command(system, form)),
                Path(folder),
                profiles=profiles,
                flags=(*FLAGS, *hooks, *flags),
                environment=told,
            )

    def database(self, row: Row) -> Database:
        """Return a new database, named for a row."""
        with tempfile.NamedTemporaryFile(prefix="_".join((*row, ""))) as unique:
            return self.postgres.created(Path(unique.name).name.lower())


def cell(run: Run) -> str:
    """Return a run as a cell: its word, what made it so, and whether it could be expected."""
    if not run.exercised:
        return "not exercised"
    why = ", ".join(sorted({*run.causes, *run.reasons}))
    return f"{run.verdict}: {why}" if why else run.verdict


def measured(bench: Bench, rows: Iterable[Row], told: Callable[[str], None]) -> dict[Row, Cells]:
    """Return the cells of rows; ``told`` hears of each check when it is over."""
    wanted = tuple(rows)

    def alone(row: Row) -> Checked:
        checked = bench.checked(row, ALONE, *HANGS, environment=SLOWLY)
        told(f"{' '.join(row)}: alone")
        return checked

    with ThreadPoolExecutor(CHECKS) as pool:
        ones = tuple(pool.map(alone, wanted))
    cells = {}
    for row, one in zip(wanted, ones, strict=True):
        three = bench.checked(row, TOGETHER, *REPLICATED, environment=PATIENTLY)
        told(f"{' '.join(row)}: three at once")
        runs = {**one.runs, **three.runs}
        ended = {EXIT: str(max(one.exit, three.exit))}
        cells[row] = {name: cell(runs[name]) for name in (*ALONE, *TOGETHER)} | ended
    return cells
