"""What a sweep says after its matrix: the red runs and the way back to each, doubts, the answer.

One mistake shows in many cells. The first run of a word and cause, the one that needs the fewest
faults, is told in full; of the others only the way back is.
"""

import textwrap
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from fakestripe.sweeping import matrix
from fakestripe.sweeping.cells import BUG, HUNG, NEVER, Cell
from fakestripe.sweeping.rounds import Swept
from fakestripe.verdict import words
from fakestripe.verdict.causes import CAUSES
from fakestripe.verdict.text import text
from fakestripe.verdict.words import DOUBT, FINE, RED

WidthOf: TypeAlias = int
Again: TypeAlias = Callable[[Cell], str]
"""The command that runs one cell again."""

WIDTH: Final = 96
HAZARD: Final = "hazard {cause} (no second charge yet, but another fault would make one)"
NO_AFTER: Final = (
    "no fault after the commit took an answer away from a payment: nothing is proven about retries"
)
BEYOND: Final = (
    "requests that only a fault brought about: {names}. --depth {deeper} strikes them too"
)
DISAGREES: Final = (
    "the charges disagree with the verdict {word} of {name}: against the run without faults {what}"
)
ALIKE: Final = "{runs} not followed further: the trace of another was the same"


def told(swept: Swept, again: Again, sources: Callable[[Cell], str], width: int) -> str:
    """Return all that is said after the runs; ``sources`` says where a cell's profile is."""
    parts = [matrix.told(swept, width)]
    parts += failures(swept, again, sources)
    parts += list(doubts(swept))
    parts.append(conclusion(swept))
    return "\n\n".join(parts)


def red(swept: Swept) -> list[Cell]:
    """Return the red cells, those with the fewest faults first."""
    found = [cell for cell in swept.cells if cell.status == RED]
    return sorted(found, key=lambda c: (len(c.plan.aims), c.plan.last.lasting))


def failures(swept: Swept, again: Again, sources: Callable[[Cell], str]) -> list[str]:
    """Return the paragraphs about what is red."""
    alike: dict[tuple[str, str | None], list[Cell]] = {}
    for cell in red(swept):
        alike.setdefault((cell.verdict.word, cell.verdict.cause), []).append(cell)
    parts = []
    for (word, cause), cells in alike.items():
        parts.append(text(cells[0].verdict, profile=sources(cells[0]), replay=again(cells[0])))
        if cells[1:]:
            by = f" by {cause}" if cause else ""
            lines = [f"the same, {words.shown(word)}{by}, {len(cells) - 1} more:"]
            parts.append("\n".join([*lines, *(f"  {again(cell)}" for cell in cells[1:])]))
    return parts


def doubts(swept: Swept) -> Iterator[str]:
    """Yield one paragraph per reason, hazard, disagreement and gap."""
    found: dict[tuple[str, str], list[str]] = {}
    for cell in swept.cells:
        for what, remedy in _doubts(cell, {one.verdict.cause for one in red(swept)}):
            found.setdefault((what, remedy), []).append(cell.plan.name)
    for (what, remedy), names in found.items():
        head = textwrap.fill(f"{what} under {', '.join(names)}", WIDTH, subsequent_indent="  ")
        yield f"{head}\n{textwrap.indent(textwrap.fill(remedy, WIDTH - 2), '  ')}"
    for cell in swept.cells:
        if cell.disagrees:
            shown = words.shown(cell.verdict.word)
            said = DISAGREES.format(word=shown, name=cell.plan.name, what=cell.compared.words)
            yield textwrap.fill(said, WIDTH, subsequent_indent="  ")
    yield from (textwrap.fill(gap, WIDTH, subsequent_indent="  ") for gap in _gaps(swept))


def _doubts(cell: Cell, proven: set[str | None]) -> Iterator[tuple[str, str]]:
    if cell.status == DOUBT:
        for reason in cell.verdict.reasons:
            yield f"{reason} ({words.REASONS[reason].meaning})", words.REASONS[reason].remedy
    hazard = cell.verdict.hazard
    if cell.status == DOUBT and hazard is not None and hazard not in proven:
        yield HAZARD.format(cause=hazard), CAUSES[hazard].remedy


def _gaps(swept: Swept) -> Iterator[str]:
    """Yield what a sweep did not look at."""
    if swept.alike:
        yield ALIKE.format(runs=_runs(swept.alike))
    if swept.beyond:
        names = ", ".join(slot.words for slot in swept.beyond)
        yield BEYOND.format(names=names, deeper=swept.scope.depth + 1)
    if swept.unrun:
        yield f"no time was left for {_runs(len(swept.unrun))}"
    if not proven(swept):
        yield NO_AFTER


def proven(swept: Swept) -> bool:
    """Return whether a fault after the commit struck a payment, where charges get doubled."""
    return any(
        cell.word not in (NEVER, HUNG)
        and cell.plan.last.slot.is_step
        and cell.plan.last.kind.after
        for cell in swept.cells
    )


def exit_status(swept: Swept) -> int:
    """Return the exit status of a whole sweep."""
    statuses = {cell.status for cell in swept.cells}
    for status in (BUG, RED, DOUBT):
        if status in statuses:
            return status
    return DOUBT if swept.unrun or not proven(swept) else FINE


def conclusion(swept: Swept) -> str:
    """Return the answer in one line."""
    count = _runs(len(swept.cells))
    found = len(red(swept))
    if found:
        return f"red: {found} of {count} found what a correct client would not do"
    if exit_status(swept) != FINE:
        return f"nothing red in {count}, but doubts remain"
    return f"nothing red in {count}"


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count} runs"
