"""The faults of a sweep: the columns of its matrix, each as a profile would write it.

A request that executes nothing (a GET, a replay) has no commit: what would strike after it
strikes such a request as it is received, and where that is another column already, not at all.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from msgspec import Struct

from fakestripe.faults.rules import Word
from fakestripe.protocol.points import ORDER, Point

HANG: Final = "HANG"
"""Stands in ``do`` for how long a hang lasts."""


class Strike(Struct, frozen=True):
    """A point and what happens there, in the words of a profile."""

    at: Point
    do: str


class Kind(Struct, frozen=True, kw_only=True):
    """One column: how it strikes a request that executes (``once``), and one that does not.

    ``idle`` None: it says nothing more of a request that executes nothing. ``lasting`` is how it
    strikes each time, replays included; None: as once. ``race`` needs replicas, and is always
    lasting.
    """

    name: str
    once: Strike
    idle: Strike | None = None
    lasting: Strike | None = None
    expect: tuple[Word, ...] = ("clean",)
    race: bool = False

    @property
    def after(self) -> bool:
        """Whether it strikes after the commit, where charges get doubled."""
        return ORDER[self.once.at] >= ORDER["committed"]


def _before(name: str, do: str) -> Kind:
    return Kind(name=name, once=Strike("received", do), idle=Strike("received", do))


def _lost(name: str, do: str, ending: str, *, idle: bool = False) -> Kind:
    """Return a fault that loses the whole answer; of a replay too, where it lasts."""
    return Kind(
        name=name,
        once=Strike("committed", do),
        idle=Strike("received", do) if idle else None,
        lasting=Strike("replying", f"{{truncate: {{head: 0, then: {ending}}}}}"),
    )


def _told(name: str, do: str) -> Kind:
    do = f"{{reply: {{{do}}}}}"
    return Kind(name=name, once=Strike("committed", do), idle=Strike("received", do))


CUT: Final = Strike("replying", "{truncate: {body: 50%, then: close}}")

KINDS: Final = (
    _before("reset-before", "reset"),
    _before("close-before", "close"),
    _before("503-before", "{reply: {stripe: service_unavailable}}"),
    _before("429-before", "{reply: {stripe: rate_limit}}"),
    _lost("reset-after", "reset", "reset"),
    _lost("close-after", "close", "close"),
    _lost("hang-after", f"{{hang: {HANG}}}", f"hang, hang: {HANG}", idle=True),
    _told("500-after", "stripe: api_error"),
    Kind(
        name="500-kept",
        once=Strike("committed", "{reply: {stripe: api_error, record: substitute}}"),
        expect=("clean", "orphan"),
    ),
    _told("502-after", "status: 502"),
    Kind(name="cut-after", once=CUT, idle=CUT, expect=("clean", "orphan")),
    _told("409-after", "stripe: idempotency_key_in_use"),
)
"""Before the commit, then after it; a 429 after it would be none that Stripe gives."""


def named(names: Sequence[str]) -> tuple[Kind, ...]:
    """Return the faults of some names, all where there are none; raises ``ValueError``."""
    known = [kind.name for kind in KINDS]
    strange = next((name for name in names if name not in known), None)
    if strange is not None:
        near = get_close_matches(strange, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"{strange} is none of {', '.join(known)}{hint}")
    return tuple(kind for kind in KINDS if not names or kind.name in names)


LOST: Final[tuple[Word, ...]] = ("orphan",)
"""What any client may get where a fault never ends, or strikes its retries too."""


def race(parties: int) -> Kind:
    """Return the fault that makes replicas meet, so that a race among them is certain."""
    do = f"{{barrier: {{parties: {parties}, timeout: 2s}}}}"
    return Kind(name="race", once=Strike("received", do), race=True)
