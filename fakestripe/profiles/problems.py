"""What is wrong with a profile: every problem with its place, and the nearest legal word.

``ProfileError`` is the test author's error: its text is complete, one problem a line, and no
traceback belongs beside it.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from msgspec import Struct

from fakestripe.protocol.secrets import masked

SHOWN: Final = 60

OTHER_TOOLS: Final = {
    "rst": "reset",
    "reset_peer": "reset",
    "abort": "reset",
    "fin": "close",
    "drop": "close",
    "disconnect": "close",
    "empty_response": "close",
    "timeout": "hang",
    "stall": "hang",
    "delay": "wait",
    "latency": "wait",
    "sleep": "wait",
    "status": "reply",
    "error": "reply",
    "response": "reply",
    "cut": "truncate",
    "limit_data": "truncate",
    "dribble": "drip",
    "trickle": "drip",
    "slicer": "drip",
    "bandwidth": "drip",
    "throttle": "drip",
    "corrupt": "garble",
    "garbage": "garble",
    "malformed": "garble",
    "wrong_length": "content_length",
    "swapped": "swap",
    "replay": "resend",
    "repeat": "resend",
    "retransmit": "resend",
    "down": "refuse",
    "econnrefused": "refuse",
    "connection_refused": "refuse",
    "unreachable": "blackhole",
    "drop_syn": "blackhole",
    "on": "match",
    "fault": "do",
    "point": "at",
    "phase": "at",
    "connect": "accept",
    "handshake": "accept",
    "request_head": "reading",
    "request_body": "reading",
    "response_head": "replying",
    "response_body": "replying",
    "after_response": "sent",
    "after_commit": "committed",
    "before_commit": "claimed",
    "keep_alive": "reused",
    "new": "fresh",
}
"""Words that other fault tools use, or that come to mind first, and ours for them."""


class Problem(Struct, frozen=True):
    """One mistake: where it stands, in which field, and what to write instead."""

    source: str
    message: str
    line: int = 0
    column: int = 0
    path: str = ""

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}:{self.column}" if self.line else self.source
        return ": ".join(part for part in (place, masked(self.path), self.message) if part)


class ProfileError(Exception):
    """A profile that cannot be used; ``problems`` holds every reason, in order of the text."""

    def __init__(self, *problems: Problem) -> None:
        each = dict.fromkeys(problems)
        self.problems = tuple(sorted(each, key=lambda problem: (problem.line, problem.column)))
        super().__init__("\n".join(map(str, self.problems)))


def quoted(text: str) -> str:
    """Return a text as messages show it: quoted, no whole key, and not longer than a line."""
    told = masked(text)
    return repr(told if len(told) <= SHOWN else told[:SHOWN] + "…")


def listed(words: Iterable[str]) -> str:
    """Return words as a sentence names them: ``a, b or c``."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def nearest(word: str, legal: Iterable[str], what: str) -> str:
    """Return the sentence for a word that is none of the legal ones."""
    words = list(legal)
    likely = word.strip().lower().replace("-", "_").replace(" ", "_")
    close = [OTHER_TOOLS.get(likely, ""), *get_close_matches(likely, words, n=1, cutoff=0.7)]
    for meant in close:
        if meant in words:
            return f"{quoted(word)} is no {what}; did you mean {meant!r}?"
    return f"{quoted(word)} is no {what}; it may be {listed(words)}"
