"""What was found, as it is kept in ``results.json``: cells by row and profile, scenarios by name.

It compares and prints; it runs nothing.
"""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from systems import ALONE, EXIT, TOGETHER

RESULTS: Final = Path(__file__).parent / "results.json"
COLUMNS: Final = (*ALONE, *TOGETHER, EXIT)


class Results(Struct, frozen=True):
    """The table (row, profile, cell) and the line of each scenario."""

    table: dict[str, dict[str, str]] = {}
    scenarios: dict[str, str] = {}

    def updated(self, newer: "Results") -> "Results":
        """Return these results with newer ones in their places."""
        table = {**self.table, **newer.table}
        return Results(table, {**self.scenarios, **newer.scenarios})


def kept() -> Results:
    """Return what is checked in; nothing, where there is no such file yet."""
    if not RESULTS.exists():
        return Results()
    return msgspec.json.decode(RESULTS.read_bytes(), type=Results)


def written(results: Results) -> str:
    """Return results as they are checked in."""
    return msgspec.json.format(msgspec.json.encode(results), indent=2).decode() + "\n"


def differences(before: Results, now: Results) -> list[str]:
    """Return a line for everything that was found and is not as it is kept."""
    cells = [
        f"{row}, {profile}: {cell}, and kept is {before.table.get(row, {}).get(profile)}"
        for row, found in now.table.items()
        for profile, cell in found.items()
        if before.table.get(row, {}).get(profile) != cell
    ]
    return cells + [
        f"{name}: {line}, and kept is {before.scenarios.get(name)}"
        for name, line in now.scenarios.items()
        if before.scenarios.get(name) != line
    ]


def printed(results: Results) -> str:
    """Return results as a Markdown table and a list."""
    parts = []
    if results.table:
        lines = [["system and form", *COLUMNS], ["---"] * (len(COLUMNS) + 1)]
        lines += [
            [row, *(cells[name] for name in COLUMNS)] for row, cells in results.table.items()
        ]
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    parts += [f"{name}: {line}" for name, line in results.scenarios.items()]
    return "\n".join(parts)
