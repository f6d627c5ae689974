"""The folder of profiles that replay what is red: files of earlier sweeps go, others stay."""

import os
from pathlib import Path
from typing import Final

from fakestripe.cli.sweeping.session import Session
from fakestripe.cli.usage import UsageError
from fakestripe.sweeping.cells import Cell
from fakestripe.sweeping.plans import text_of
from fakestripe.sweeping.telling import red
from fakestripe.verdict.words import shown

MARK: Final = "Written by fakestripe sweep."
"""How a file begins that a sweep may take away again."""


def refuse(folder: Path) -> None:
    """Say before anything runs why the folder cannot be written."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise UsageError(f"--out {folder}: {there} is no folder")
    if not os.access(there, os.W_OK):
        raise UsageError(f"--out {folder}: it cannot be written")


def write(session: Session) -> list[Path]:
    """Write one profile for each red run and return their paths."""
    folder = session.wanted.folder
    cells = red(session.swept)
    try:
        for old in folder.glob("*.yaml"):
            if old.read_text("utf-8", "replace").startswith(f"# {MARK}"):
                old.unlink()
        if cells:
            folder.mkdir(parents=True, exist_ok=True)
        for cell in cells:
            session.wanted.path(cell.plan).write_text(_text(session, cell), "utf-8")
    except OSError as failure:
        raise UsageError(f"--out {folder}: {failure.strerror}") from None
    return [session.wanted.path(cell.plan) for cell in cells]


def _text(session: Session, cell: Cell) -> str:
    cause = f", by {cell.verdict.cause}" if cell.verdict.cause else ""
    about = (
        f"{MARK} {', then '.join(aim.words for aim in cell.plan.aims)}.",
        f"Found: {shown(cell.verdict.word)}{cause}.",
        f"Again: {session.wanted.again(cell.plan)}".replace("\n", " "),
    )
    return text_of(cell.plan, session.wanted.conditions, about)
