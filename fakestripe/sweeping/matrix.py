"""The matrix: slots down, faults across, a word in each cell, folded to the width of a reader.

A word is never left bare: those that occur are explained below.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from fakestripe.sweeping.cells import HUNG, NEVER, SAME, Cell
from fakestripe.sweeping.plans import Plan
from fakestripe.sweeping.rounds import Swept
from fakestripe.verdict import words

Rows: TypeAlias = dict[str, dict[str, str]]

NOTHING: Final = "-"
UNRUN: Final = "?"
EXPECTED: Final = "*"
DANGER: Final = "!"
LEGEND: Final[dict[str, str]] = {
    SAME: "the fault struck a request that moves no money; each payment was made as without it",
    HUNG: "the client never ended and was stopped by the watchdog",
    NEVER: "the request did not come this time, or not as the fault wants it",
    NOTHING: "the fault says nothing of its own of such a request",
    UNRUN: "no time was left for it",
    EXPECTED: "no client can do better here: not counted as red",
    DANGER: "a hazard: no second charge yet, but another fault would make one",
}


def told(swept: Swept, width: int) -> str:
    """Return the matrix and its legend, at most ``width`` wide where that can be."""
    rows, columns = rows_of(swept), columns_of(swept)
    bands = ["\n".join(_band(rows, band)) for band in _folded(rows, columns, width)]
    return "\n\n".join([*bands, "\n".join(_legend(rows))])


def columns_of(swept: Swept) -> list[str]:
    """Return the names of the faults that were tried, in the order of their table."""
    tried = {cell.plan.last.kind.name for cell in swept.cells}
    tried |= {plan.last.kind.name for plan in swept.unrun}
    names = [kind.name for kind in swept.scope.kinds]
    return [name for name in (*names, *sorted(tried - {*names})) if name in tried]


def rows_of(swept: Swept) -> Rows:
    """Return the words by row and column."""
    rows: Rows = {}
    for cell in swept.cells:
        rows.setdefault(row_of(cell.plan), {})[cell.plan.last.kind.name] = word_of(cell)
    for plan in swept.unrun:
        rows.setdefault(row_of(plan), {})[plan.last.kind.name] = UNRUN
    return rows


def row_of(plan: Plan) -> str:
    """Return the label of the row that a plan stands in."""
    aim = plan.last
    like = f" (stands for {aim.slot.like} alike)" if aim.slot.like > 1 else ""
    row = f"{aim.slot.words}{' and on' if aim.lasting else ''}{like}"
    return ", after ".join([row, *(each.kind.name for each in reversed(plan.aims[:-1]))])


def word_of(cell: Cell) -> str:
    """Return what stands in a cell."""
    if cell.is_expected:
        return f"{cell.word}{EXPECTED}"
    return f"{cell.word}{DANGER}" if cell.verdict.hazard is not None else cell.word


def _folded(rows: Rows, columns: Sequence[str], width: int) -> Iterator[list[str]]:
    room = width - max(len(name) for name in rows)
    band: list[str] = []
    left = room
    for column in columns:
        wide = _wide(rows, column) + 2
        if band and wide > left:
            yield band
            band, left = [], room
        band.append(column)
        left -= wide
    yield band


def _wide(rows: Rows, column: str) -> int:
    return max(len(column), *(len(cells.get(column, NOTHING)) for cells in rows.values()))


def _band(rows: Rows, columns: Sequence[str]) -> Iterator[str]:
    label = max(len("request"), *(len(name) for name in rows))
    widths = {column: _wide(rows, column) for column in columns}
    table = {"request": {column: column for column in columns}, **rows}
    for name, cells in table.items():
        parts = [f"{cells.get(column, NOTHING):<{widths[column]}}" for column in columns]
        yield "  ".join([f"{name:<{label}}", *parts]).rstrip()


def _legend(rows: Rows) -> Iterator[str]:
    shown = {word for cells in rows.values() for word in cells.values()}
    plain = {word.rstrip(EXPECTED + DANGER) for word in shown}
    yield from (words.shown(word) for word in words.WORDS if word in plain)
    yield from (f"{word} ({LEGEND[word]})" for word in (SAME, HUNG, NEVER, UNRUN) if word in plain)
    if any(len(cells) < len({*_columns(rows)}) for cells in rows.values()):
        yield f"{NOTHING} ({LEGEND[NOTHING]})"
    for mark in (EXPECTED, DANGER):
        if any(word.endswith(mark) for word in shown):
            yield f"{mark} ({LEGEND[mark]})"


def _columns(rows: Rows) -> Iterator[str]:
    return (column for cells in rows.values() for column in cells)
