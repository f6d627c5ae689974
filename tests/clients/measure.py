"""Measures every cell of the matrix afresh and writes the tables of README.md from it.

``python tests/clients/measure.py`` needs Node, npm, curl, Go and a JDK with Maven. Cells that
differ from what README.md had are named and the exit status is 1.
"""

import shutil
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.metadata import version
from typing import Final

import compiled
import differences
import matrix
from columns import Table
from driving import cells

TOGETHER: Final = 2
"""Clients that are measured at the same time."""

PACKAGES: Final = ("stripe", "requests", "urllib3", "httpx", "aiohttp", "pycurl")


def measured(table: Table, client: str) -> dict[str, str]:
    """Return the cells of a client as they are here and now; raises ``Unavailable``."""
    return cells(table.columns[client].line(), matrix.wanted(table, client))


def shown(rows: tuple[str, ...], found: matrix.Cells) -> str:
    """Return cells as a Markdown table: a fault a row, a client a column."""
    lines = [["fault on attempt 1", *found], ["---"] * (len(found) + 1)]
    lines += [[row, *(column.get(row, "") for column in found.values())] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def versions() -> str:
    """Return one line that names what was measured."""
    python = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    tools = ", ".join(_first_line(tool) for tool in ("node", "curl"))
    node = "npm's " + ", ".join(" ".join(named) for named in matrix.node_packages().items())
    own = f"Python {sys.version.split()[0]} with {python}; {tools}; {node}"
    return "; ".join((own, *compiled.versions())) + "."


def _first_line(tool: str) -> str:
    path = shutil.which(tool)
    assert path is not None
    ran = subprocess.run([path, "--version"], check=True, capture_output=True, text=True)
    return f"{tool} {' '.join(ran.stdout.split()[:2]).removeprefix(tool).strip().lstrip('v')}"


def replaced(text: str, name: str, block: str) -> str:
    """Return the text with one marked block replaced."""
    start, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
    before, rest = text.split(start)
    return before + start + block + end + rest.split(end)[1]


def all_cells() -> dict[str, matrix.Cells]:
    """Return the cells of every table, by its name, ``TOGETHER`` clients at a time."""
    with ThreadPoolExecutor(TOGETHER) as pool:
        awaited: dict[str, dict[str, Future[dict[str, str]]]] = {
            table.name: {client: pool.submit(measured, table, client) for client in table.columns}
            for table in matrix.TABLES
        }
        return {
            name: {client: cell.result() for client, cell in clients.items()}
            for name, clients in awaited.items()
        }


def changed(before: matrix.Cells, now: matrix.Cells) -> list[str]:
    """Return a line for each cell that is another one now."""
    return [
        f"{client}: {row}: {cell}, not {before.get(client, {}).get(row, 'measured before')}"
        for client, column in now.items()
        for row, cell in column.items()
        if before.get(client, {}).get(row) != cell
    ]


def main() -> int:
    text = replaced(matrix.README.read_text(encoding="utf-8"), "versions", versions())
    found = all_cells()
    different, before = [], matrix.written(matrix.README)
    for table in matrix.TABLES:
        different += changed(before.get(table.name, {}), found[table.name])
        text = replaced(text, table.name, shown(table.rows, found[table.name]))
    text = replaced(text, "differences", differences.shown())
    matrix.README.write_text(text, encoding="utf-8")
    for line in different:
        print(line)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
