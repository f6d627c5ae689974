"""What the person at the command line got wrong: one clear line, exit status 2.

``UsageError`` never shows as a traceback. Where a wrong word has a near legal one, the line
says which.
"""

import difflib
from collections.abc import Iterable

USAGE: int = 2
BUG: int = 4
INTERRUPTED: int = 130


class UsageError(Exception):
    """The command line, or something that it names, is not usable as it stands."""


def nearest(word: str, legal: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` where a legal word is near, else an empty string."""
    near = difflib.get_close_matches(word, list(legal), n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""
