"""``fakestripe explain WORD``: what a word of a verdict, a profile or a timeline means."""

import shutil
import textwrap
from argparse import ArgumentParser, Namespace
from typing import Final

from fakestripe.cli.usage import UsageError, nearest

SUMMARY = "say what a word of a verdict means, and what to do about it"
WIDEST: Final = 96


def add_arguments(parser: ArgumentParser) -> None:
    """Take the words."""
    parser.add_argument("words", nargs="*", metavar="WORD", help="none: list all that there are")


def run(args: Namespace) -> int:
    """Explain each word, or list them."""
    from fakestripe.cli.checking.table import NOT_EXERCISED
    from fakestripe.faults.kinds import LEGAL
    from fakestripe.protocol.points import POINTS
    from fakestripe.verdict import explain

    known = [*explain.terms(), *POINTS, *LEGAL, NOT_EXERCISED]
    if not args.words:
        print("\n".join(known))
        return 0
    for place, word in enumerate(args.words):
        text = explain.explain(word) or _point(word) or _fault(word) or _row(word)
        if text is None:
            raise UsageError(
                f"nothing is called {word!r}{nearest(word, known)}; "
                "fakestripe explain lists all words"
            )
        print("\n" * (place > 0) + _wrapped(text))
    return 0


def _point(word: str) -> str | None:
    from fakestripe.protocol.points import POINTS

    meaning = next((meaning for point, meaning in POINTS.items() if point == word), None)
    return meaning and f"{word}: a point in the life of a request: {meaning}."


def _fault(word: str) -> str | None:
    from fakestripe.faults.kinds import LEGAL, meaning
    from fakestripe.protocol.points import ORDER

    if word not in LEGAL:
        return None
    points = ", ".join(sorted(LEGAL[word], key=ORDER.__getitem__))
    return f"{word}: a fault, at {points}.\n\n{meaning(word)}"


def _row(word: str) -> str | None:
    from fakestripe.cli.checking.table import NOT_EXERCISED, WHY_NOT

    return f"{word}: of a profile in a check: {WHY_NOT}." if word == NOT_EXERCISED else None


def _wrapped(text: str) -> str:
    width = min(WIDEST, shutil.get_terminal_size().columns)
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent=" " * (len(line) - len(line.lstrip())))
        for line in text.splitlines()
    )
