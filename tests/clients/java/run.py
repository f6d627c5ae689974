"""Runs the billing services in Java against fakestripe and prints what became of each.

``python tests/clients/java/run.py`` builds them, starts a PostgreSQL, runs all, prints one table
and compares it with the one in ``results.json``; the exit status is 1 where they differ. Names
of systems and scenarios run only those. ``--write`` keeps what was found, and the README of it.
It needs Java, Maven and PostgreSQL.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))

from claims import README, page  # the line above finds what these need
from postgres import postgres
from results import RESULTS, Results, differences, kept, printed, written
from running import Bench, Row, measured
from scenarios import SCENARIOS, outcomes
from services import Services
from systems import FORMS, SYSTEMS
from toolchain import Unavailable


def found(rows: list[Row], names: list[str], say: Callable[[str], None]) -> Results:
    """Run rows and scenarios; raises ``Unavailable``. ``say`` hears how far it is."""
    services = Services.built()
    with postgres() as server:
        bench = Bench(services, server)
        table = measured(bench, rows, say)
        lines = outcomes(bench, names)
    return Results({" ".join(row): cells for row, cells in table.items()}, lines)


def chosen(names: list[str]) -> tuple[list[Row], list[str]]:
    """Return the rows and scenarios that names mean: all, where there are none."""
    rows = [(system, form) for system in SYSTEMS for form in FORMS if not names or system in names]
    return rows, [name for name in SCENARIOS if not names or name in names]


def main() -> int:
    """Return the exit status: 0 where everything is as it is kept, 2 where nothing can be run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a system or a scenario")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name} and README.md")
    asked = parser.parse_args()
    unknown = sorted({*asked.names} - {*SYSTEMS, *SCENARIOS})
    if unknown:
        parser.error(
            f"unknown: {', '.join(unknown)}; there are {', '.join((*SYSTEMS, *SCENARIOS))}"
        )
    rows, names = chosen(asked.names)
    try:
        results = found(rows, names, lambda line: print(line, file=sys.stderr, flush=True))
    except Unavailable as reason:
        print(f"run.py: {reason}", file=sys.stderr)
        return 2
    print(printed(results))
    before = kept()
    changes = differences(before, results)
    if asked.write:
        now = before.updated(results)
        RESULTS.write_text(written(now), encoding="utf-8")
        README.write_text(page(now), encoding="utf-8")
    print("\n".join(changes) or "as it is kept")
    return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
