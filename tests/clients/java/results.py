"""What was found, as it is kept in ``results.json``: cells by row and profile, scenarios by name.

Where threads decide, a cell says all that may be found: ``clean or duplicate``. It compares and
prints; it runs nothing.
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
        """Return these results with newer ones in the places of what does not say the same."""
        table = {row: _newer(self.table.get(row, {}), cells) for row, cells in newer.table.items()}
        lines = _newer(self.scenarios, newer.scenarios)
        return Results({**self.table, **table}, {**self.scenarios, **lines})


def _newer(before: dict[str, str], now: dict[str, str]) -> dict[str, str]:
    return {
        name: before[name] if _says(before, name, found) else found for name, found in now.items()
    }


def _says(before: dict[str, str], name: str, found: str) -> bool:
    """Return whether something that was found is what is kept, or one of what may be found."""
    return found in before.get(name, "").split(" or ")


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
        if not _says(before.table.get(row, {}), profile, cell)
    ]
    return cells + [
        f"{name}: {line}, and kept is {before.scenarios.get(name)}"
        for name, line in now.scenarios.items()
        if not _says(before.scenarios, name, line)
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
