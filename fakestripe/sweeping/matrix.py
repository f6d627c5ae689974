"""The matrix: slots down, faults across, a word in each cell, folded to the width of a reader.

Rows are numbered, since what they stand for is long. A word is never left bare: those that occur
are explained below.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from fakestripe.sweeping.cells import HUNG, NEVER, SAME, Cell
from fakestripe.sweeping.menu import Kind
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
STAGES: Final = ("before the commit", "after the commit")
GAP: Final = 2


def told(swept: Swept, width: int) -> str:
    """Return the matrix and its legend, at most ``width`` wide where that can be."""
    rows, columns = rows_of(swept), columns_of(swept)
    parts = ["\n".join(f"{number}  {row}" for number, row in enumerate(rows, 1))]
    for after, stage in enumerate(STAGES):
        of_stage = [column for column in columns if column.after == bool(after)]
        bands = _folded(rows, of_stage, width)
        parts += ["\n".join([f"{stage}:", *_band(rows, band)]) for band in bands]
    return "\n\n".join([*parts, "\n".join(_legend(rows))])


def columns_of(swept: Swept) -> list[Kind]:
    """Return the faults that were tried, in the order of their table."""
    plans = (*(cell.plan for cell in swept.cells), *swept.unrun)
    tried = {plan.last.kind.name: plan.last.kind for plan in plans}
    known = [kind for kind in swept.scope.kinds if kind.name in tried]
    return [*known, *(kind for kind in tried.values() if kind not in known)]


def rows_of(swept: Swept) -> Rows:
    """Return the words by row and fault."""
    rows: Rows = {}
    for cell in swept.cells:
        rows.setdefault(row_of(cell.plan), {})[cell.plan.last.kind.name] = word_of(cell)
    for plan in swept.unrun:
        rows.setdefault(row_of(plan), {})[plan.last.kind.name] = UNRUN
    return rows


def row_of(plan: Plan) -> str:
    """Return what the row of a plan stands for."""
    aim = plan.last
    like = f" (stands for {aim.slot.like} alike)" if aim.slot.like > 1 else ""
    row = f"{aim.slot.words}{' and on' if aim.lasting else ''}{like}"
    return ", after ".join([row, *(each.kind.name for each in reversed(plan.aims[:-1]))])


def word_of(cell: Cell) -> str:
    """Return what stands in a cell."""
    if cell.is_expected:
        return f"{cell.word}{EXPECTED}"
    return f"{cell.word}{DANGER}" if cell.verdict.hazard is not None else cell.word


def _folded(rows: Rows, columns: Sequence[Kind], width: int) -> Iterator[list[Kind]]:
    room = width - len(str(len(rows)))
    band: list[Kind] = []
    left = room
    for column in columns:
        wide = _wide(rows, column) + GAP
        if band and wide > left:
            yield band
            band, left = [], room
        band.append(column)
        left -= wide
    if band:
        yield band


def _head(column: Kind) -> str:
    """Return the name of a fault; its stage is said above it."""
    return column.name.removesuffix("-before").removesuffix("-after")


def _wide(rows: Rows, column: Kind) -> int:
    words = (cells.get(column.name, NOTHING) for cells in rows.values())
    return max(len(_head(column)), *(len(word) for word in words))


def _band(rows: Rows, columns: Sequence[Kind]) -> Iterator[str]:
    widths = {column.name: _wide(rows, column) for column in columns}
    yield _line("", (f"{_head(column):<{widths[column.name]}}" for column in columns), len(rows))
    for number, cells in enumerate(rows.values(), 1):
        words = (f"{cells.get(name, NOTHING):<{wide}}" for name, wide in widths.items())
        yield _line(str(number), words, len(rows))


def _line(number: str, cells: Iterator[str], rows: int) -> str:
    return (" " * GAP).join([f"{number:>{len(str(rows))}}", *cells]).rstrip()


def _legend(rows: Rows) -> Iterator[str]:
    shown = {word for cells in rows.values() for word in cells.values()}
    plain = {word.rstrip(EXPECTED + DANGER) for word in shown}
    yield from (words.shown(word) for word in words.WORDS if word in plain)
    yield from (f"{word} ({LEGEND[word]})" for word in (SAME, HUNG, NEVER, UNRUN) if word in plain)
    columns = {column for cells in rows.values() for column in cells}
    if any(len(cells) < len(columns) for cells in rows.values()):
        yield f"{NOTHING} ({LEGEND[NOTHING]})"
    for mark in (EXPECTED, DANGER):
        if any(word.endswith(mark) for word in shown):
            yield f"{mark} ({LEGEND[mark]})"
