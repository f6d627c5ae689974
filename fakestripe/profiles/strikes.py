"""Reads ``do``: one fault, or a list of them in order.

A fault without arguments is a word, one with arguments a mapping of its name; the table says
which of them each may be.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from fakestripe.faults import kinds
from fakestripe.faults.kinds import Fault
from fakestripe.profiles import interruptions, replies, tree
from fakestripe.profiles.place import Place
from fakestripe.profiles.problems import listed, nearest
from fakestripe.profiles.shapes import Shape
from fakestripe.protocol.errors import CANNED


class Written(Struct, frozen=True):
    """How a fault is written: ``word`` makes what the word alone means, ``arguments`` the rest.

    ``example`` is what to write where the word alone says too little.
    """

    word: Callable[[], Fault] | None = None
    arguments: Shape | None = None
    example: str = ""


def read_do(place: Place) -> tuple[tuple[Fault, Place], ...]:
    """Read the faults of a rule, each with its place."""
    if isinstance(place.node, tree.Sequence):
        return place.items(_fault)
    return (_fault(place),)


def _fault(place: Place) -> tuple[Fault, Place]:
    if isinstance(place.node, tree.Mapping):
        return _with_arguments(place), place
    name = place.word(FAULTS, "fault")
    written = FAULTS[name]
    if written.word is None:
        raise place.wrong(f"{name} needs to be told more: {written.example}")
    return written.word(), place


def _with_arguments(place: Place) -> Fault:
    entries = place.entries()
    if len(entries) != 1:
        raise place.wrong("expected one fault here: write several as a list")
    ((key, below),) = entries.items()
    if key.text not in FAULTS:
        raise place.wrong(nearest(key.text, FAULTS, "fault"), key.mark)
    arguments = FAULTS[key.text].arguments
    if arguments is None:
        raise place.wrong(f"{key.text} takes nothing: write the word alone", key.mark)
    fault: Fault = arguments(below)
    return fault


FAULTS: Final[dict[str, Written]] = {
    "reset": Written(kinds.Reset, interruptions.RESET),
    "close": Written(kinds.Close, interruptions.CLOSE),
    "hang": Written(kinds.Hang, interruptions.SILENCE),
    "wait": Written(None, interruptions.DELAY, "{wait: 2s}"),
    "reply": Written(
        None,
        replies.ANSWER,
        f"{{reply: {{status: 502}}}}, or a stripe error: {listed(CANNED)}",
    ),
    "truncate": Written(None, replies.CUT, "{truncate: {body: 50%, then: close}}"),
    "drip": Written(None, replies.DRIPPING, "{drip: {bytes: 10, every: 100ms}}"),
    "garble": Written(kinds.Garble, replies.GARBLED),
    "content_length": Written(None, replies.LENGTH, "{content_length: 150%}"),
    "swap": Written(kinds.Swap),
    "resend": Written(kinds.Resend),
    "barrier": Written(None, interruptions.GATHERING, "{barrier: {parties: 3, timeout: 5s}}"),
    "advance_clock": Written(None, interruptions.MOVE, "{advance_clock: 25h}"),
    "forget_key": Written(kinds.ForgetKey),
    "expire_key": Written(kinds.ExpireKey),
    "lose_record": Written(kinds.LoseRecord),
    "refuse": Written(None, interruptions.REFUSAL, "{refuse: {for: 2s}}"),
    "blackhole": Written(None, interruptions.BLACKHOLE, "{blackhole: {for: 2s}}"),
}
"""Every fault and how it is written."""

STRIKES: Final = Shape(read_do, {})
"""What it may be depends on the point: the schema of a rule says it."""
