"""What the person at the command line got wrong: one clear line, exit status 2.

``UsageError`` never shows as a traceback. Where a wrong word has a near legal one, the line
says which. What a program of theirs printed may follow as evidence.
"""

import difflib
from collections.abc import Iterable
from typing import Final

USAGE: Final = 2
BUG: Final = 4
INTERRUPTED: Final = 130
TERMINATED: Final = 143


class UsageError(Exception):
    """The command line, or something that it names, is not usable as it stands."""

    def __init__(self, line: str, evidence: str = "") -> None:
        super().__init__(line)
        self.evidence = evidence


def nearest(word: str, legal: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` where a legal word is near, else an empty string."""
    near = difflib.get_close_matches(word, list(legal), n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""
