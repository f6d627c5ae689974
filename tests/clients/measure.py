"""Measures every cell of the matrix afresh and writes the tables of README.md from it.

``python tests/clients/measure.py`` needs Node, npm and curl. Cells that differ from ``matrix``
are named and the exit status is 1; the tables then show what was measured here.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

import matrix
from driving import drive_all, struck
from toolchain import node_modules

README: Final = Path(__file__).parent / "README.md"
PROFILES: Final = {row: struck(fault) for row, fault in matrix.FAULTS.items()} | {
    matrix.ALWAYS: struck(matrix.EVERY, when=None)
}

Cells = Mapping[str, Mapping[str, str]]


def measured(columns: matrix.Columns, rows: matrix.Rows, environment: Mapping[str, str]) -> Cells:
    """Return the cells of each column as they are here and now."""
    return {
        name: drive_all(
            program,
            {row: PROFILES[row] for row in matrix.column(name, columns, rows)},
            environment,
        )
        for name, program in columns.items()
    }


def expected(columns: matrix.Columns, rows: matrix.Rows) -> Cells:
    """Return the cells of each column as the matrix has them."""
    return {name: matrix.column(name, columns, rows) for name in columns}


def table(cells: Cells) -> str:
    """Return the cells as a Markdown table: a fault a row, a client a column."""
    rows = list(dict.fromkeys(row for column in cells.values() for row in column))
    head = ["fault on attempt 1", *cells]
    lines = [head, ["---"] * len(head)]
    lines += [[row, *(column.get(row, "") for column in cells.values())] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def versions() -> str:
    """Return one line that names what was measured."""
    python = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    tools = ", ".join(_first_line(tool) for tool in ("node", "curl"))
    return (
        f"Python {sys.version.split()[0]} with {python}; {tools}; stripe-node 23.1.0 and 18.5.0."
    )


PACKAGES: Final = ("stripe", "requests", "urllib3", "httpx", "aiohttp")


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


def main() -> int:
    environment = {"NODE_PATH": str(node_modules())}
    text = replaced(README.read_text(encoding="utf-8"), "versions", versions())
    different = 0
    for name, columns, rows in matrix.TABLES:
        cells, known = measured(columns, rows, environment), expected(columns, rows)
        text = replaced(text, name, table(cells))
        for client, column in cells.items():
            for row, cell in column.items():
                if cell != known[client][row]:
                    different += 1
                    print(f"{client}: {row}: {cell}, not {known[client][row]}")
    README.write_text(text, encoding="utf-8")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
