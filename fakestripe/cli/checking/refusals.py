"""Whom the command could not reach through us, told where the reader looks: with what opens it."""

from collections.abc import Iterable
from typing import Final

HEAD: Final = "refused while your command ran, under --intercept:"


def told(refused: Iterable[str]) -> str:
    """Return a paragraph about sentences, empty where there are none."""
    lines = "".join(f"\n  {sentence}" for sentence in refused)
    return f"{HEAD}{lines}" if lines else ""


def added(evidence: str, refused: Iterable[str]) -> str:
    """Return what a program printed, and the paragraph after it."""
    return "\n".join(filter(None, (evidence, told(refused))))
