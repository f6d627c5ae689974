"""A sweep as files: JSON for programs, JUnit for CI, the rest for people."""

from collections.abc import Callable
from typing import Any, Final
from xml.etree import ElementTree as ET

import msgspec

from fakestripe._version import __version__
from fakestripe.cli.checking import refusals
from fakestripe.cli.checking.redaction import redacted
from fakestripe.cli.sweeping import drawn
from fakestripe.cli.sweeping.session import Session
from fakestripe.sweeping import matrix, telling
from fakestripe.sweeping.cells import NEVER, Cell
from fakestripe.sweeping.plans import Aim
from fakestripe.verdict import report, text, words
from fakestripe.verdict.words import RED

WIDE: Final = 100


def told(session: Session, width: int) -> str:
    """Return what the terminal shows."""
    wanted = session.wanted
    found = telling.told(
        session.swept,
        again=lambda cell: wanted.again(cell.plan),
        sources=lambda cell: wanted.source(cell.plan),
        width=width,
    )
    return "\n\n".join(filter(None, (refusals.told(session.refused), found)))


def as_text(session: Session) -> str:
    """Return what the terminal shows."""
    return redacted(told(session, WIDE)) + "\n"


def as_json(session: Session) -> str:
    """Return the report that programs read."""
    swept = session.swept
    content = {
        "fakestripe": __version__,
        "command": [redacted(word) for word in session.wanted.asked.program],
        "seed": session.wanted.asked.seed,
        "verdict": words.worst(cell.verdict.word for cell in swept.cells),
        "exit_status": telling.exit_status(swept),
        "requests": [slot.words for slot in swept.slots],
        "cells": [_cell(session, cell) for cell in swept.cells],
        "not_run": [plan.name for plan in swept.unrun],
        "not_struck": [slot.words for slot in swept.beyond],
    }
    return redacted(msgspec.json.format(msgspec.json.encode(content), indent=2).decode()) + "\n"


def _cell(session: Session, cell: Cell) -> dict[str, Any]:
    found, is_red = cell.verdict, cell.status == RED
    return {
        "profile": cell.plan.name,
        "file": session.wanted.source(cell.plan) if is_red else None,
        "faults": [_aim(aim) for aim in cell.plan.aims],
        "expect": list(cell.plan.expect),
        "word": cell.word,
        "red": is_red,
        "client_exits": list(cell.exits),
        "attempts": found.attempts,
        "charges": found.charges,
        "charges_differ": cell.compared.words,
        "oracle_disagrees": cell.disagrees,
        "verdict": found.word,
        "reasons": list(found.reasons),
        "operations": [report.operation_json(each) for each in found.operations],
    }


def _aim(aim: Aim) -> dict[str, Any]:
    return {
        "fault": aim.kind.name,
        "request": aim.slot.words,
        "persistent": aim.lasting,
        "stands_for": aim.slot.like,
    }


def as_markdown(session: Session) -> str:
    """Return the matrix, and one red run of each kind in full, for a job summary."""
    swept = session.swept
    columns = matrix.columns_of(swept)
    names = [kind.name for kind in columns]
    lines = [_row(["request", *names]), _row(["---"] * (len(names) + 1))]
    for row, cells in matrix.rows_of(swept).items():
        lines.append(_row([row, *(cells.get(name, matrix.NOTHING) for name in names)]))
    wanted = session.wanted
    full = telling.failures(
        swept,
        lambda cell: wanted.again(cell.plan),
        lambda cell: wanted.source(cell.plan),
    )
    parts = ["\n".join(lines), *(f"```\n{each}\n```" for each in full), telling.conclusion(swept)]
    return redacted("\n\n".join(parts)) + "\n"


def _row(cells: Any) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def as_junit(session: Session) -> str:
    """Return one case per cell: red fails, what never fired is skipped."""
    cells = session.swept.cells
    suite = ET.Element("testsuite", name="fakestripe sweep", tests=str(len(cells)))
    suite.set("failures", str(sum(cell.status == RED for cell in cells)))
    suite.set("skipped", str(sum(cell.word == NEVER for cell in cells)))
    for cell in cells:
        case = ET.SubElement(suite, "testcase", name=redacted(cell.plan.name))
        case.set("classname", "fakestripe.sweep")
        if cell.status == RED:
            failure = ET.SubElement(case, "failure", message=words.shown(cell.verdict.word))
            failure.text = _clear(_in_full(session, cell))
        elif cell.word == NEVER:
            ET.SubElement(case, "skipped", message=matrix.LEGEND[NEVER])
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _in_full(session: Session, cell: Cell) -> str:
    wanted = session.wanted
    return text.text(
        cell.verdict, profile=wanted.source(cell.plan), replay=wanted.again(cell.plan)
    )


def _clear(said: str) -> str:
    """Return a text without keys and without what XML cannot say."""
    return "".join(letter for letter in redacted(said) if letter >= " " or letter in "\n\t")


FORMATS: Final[dict[str, Callable[[Session], str]]] = {
    ".json": as_json,
    ".xml": as_junit,
    ".html": drawn.as_html,
    ".md": as_markdown,
    ".txt": as_text,
}
