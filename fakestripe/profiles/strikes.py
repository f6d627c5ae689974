"""Reads ``do``: one fault, or a list of them in order.

A fault without arguments is a word, one with arguments a mapping of its name.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from fakestripe.faults import kinds
from fakestripe.faults.kinds import Fault
from fakestripe.profiles import tree
from fakestripe.profiles.place import Place
from fakestripe.profiles.problems import listed, nearest, quoted
from fakestripe.profiles.selections import TOKEN
from fakestripe.protocol.errors import CANNED

Read = Callable[[Place], Any]

LOWEST_STATUS: Final = 200
HIGHEST_STATUS: Final = 599
BODILESS: Final = frozenset({204, 205, 304})
FRAMING: Final = frozenset({"content-length", "transfer-encoding", "connection"})
ALL: Final = 100
PATIENCE: Final = 30.0
"""Seconds for which a wait until the client has left holds, where it does not say so."""


def read_do(place: Place) -> tuple[tuple[Fault, Place], ...]:
    """Read the faults of a rule, each with its place."""
    if isinstance(place.node, tree.Sequence):
        return place.items(_fault)
    return (_fault(place),)


def _fault(place: Place) -> tuple[Fault, Place]:
    if isinstance(place.node, tree.Mapping):
        return _with_arguments(place), place
    name = place.word(FAULTS, "fault")
    if name not in WORDS:
        raise place.wrong(f"{name} needs to be told more: {EXAMPLES[name]}")
    fault: Fault = WORDS[name]()
    return fault, place


def _with_arguments(place: Place) -> Fault:
    entries = place.entries()
    if len(entries) != 1:
        raise place.wrong("expected one fault here: write several as a list")
    ((key, below),) = entries.items()
    if key.text not in FAULTS:
        raise place.wrong(nearest(key.text, FAULTS, "fault"), key.mark)
    read = FAULTS[key.text]
    if read is None:
        raise place.wrong(f"{key.text} takes nothing: write the word alone", key.mark)
    fault: Fault = read(below)
    return fault


def _reply(place: Place) -> kinds.Reply:
    given = place.fields(REPLY, wanted="a mapping such as {status: 502}")
    if ("status" in given) == ("stripe" in given):
        raise place.wrong("expected either a status or the name of a stripe error")
    if "stripe" in given and "body" in given:
        raise place.wrong("a stripe error has a body of its own")
    if given.get("body") and given.get("status") in BODILESS:
        raise place.wrong(f"a {given['status']} has no body")
    return kinds.Reply(**given)


def _headers(place: Place) -> dict[str, str]:
    for key, below in place.entries().items():
        if key.text.lower() in FRAMING:
            raise below.wrong(f"{key.text} is written by the server", key.mark)
        if not TOKEN.fullmatch(key.text):
            raise below.wrong(f"{key.text!r} is no name of a header", key.mark)
    return place.pairs(lambda below: below.line("a header value"))


def _ending(fault: type[kinds.Reset | kinds.Close]) -> Read:
    """Return the reader of an ending at ``reading``: after so much of the body."""
    return lambda place: fault(**place.fields({"body": _part}, wanted="a mapping: {body: 50%}"))


def _hang(place: Place) -> kinds.Hang:
    if not isinstance(place.node, tree.Mapping):
        return kinds.Hang(place.duration())
    given = place.fields({"body": _part, "for": Place.duration})
    return kinds.Hang(given.get("for"), given.get("body"))


def _wait(place: Place) -> kinds.Wait:
    if not isinstance(place.node, tree.Mapping):
        return kinds.Wait(place.duration())
    given = place.fields(WAIT, ["until"], "a duration, or {until: client_left, for: 30s}")
    return kinds.Wait(given.get("for", PATIENCE), until_left=True)


def _window(fault: type[kinds.Refuse | kinds.Blackhole]) -> Read:
    """Return the reader of a window in time: a duration, or ``for`` and ``after``."""

    def read(place: Place) -> Fault:
        if not isinstance(place.node, tree.Mapping):
            return fault(place.duration())
        given = place.fields(WINDOW, ["for"])
        return fault(given["for"], given.get("after", 0.0))

    return read


def _drip(place: Place) -> kinds.Drip:
    given = place.fields(DRIP, DRIP, "a mapping such as {bytes: 10, every: 100ms}")
    return kinds.Drip(given["bytes"], given["every"])


def _garble(place: Place) -> kinds.Garble:
    given = place.fields({"body": _part}, wanted="a mapping such as {body: 50%}")
    if given.get("body") == 1.0 and isinstance(given["body"], float):
        raise place.wrong("100% of the body breaks nothing")
    return kinds.Garble(**given)


def _content_length(place: Place) -> kinds.ContentLength:
    says = _amount(place)
    if says == 1.0 and isinstance(says, float):
        raise place.wrong("100% is the true length")
    return kinds.ContentLength(says)


def _truncate(place: Place) -> kinds.Truncate:
    given = place.fields(TRUNCATE, wanted="a mapping such as {body: 50%}")
    if ("head" in given) == ("body" in given):
        raise place.wrong("expected either head or body, as bytes or as a percentage")
    if "hang" in given and given.get("then") != "hang":
        raise place.wrong("'hang' is the length of a hang: it needs then: hang")
    whole = isinstance(given.get("body"), float) and given["body"] == 1
    if whole and given.get("framing", "length") == "length":
        raise place.wrong("100% of the body cuts nothing")
    return kinds.Truncate(**given)


def _part(place: Place) -> int | float:
    """Read a number of bytes, or a percentage as a fraction; at most all of it."""
    part = _amount(place)
    if isinstance(part, float) and part > 1:
        raise place.wrong(f"{part:.0%} is more than all of it")
    return part


def _amount(place: Place) -> int | float:
    """Read a number of bytes, or a percentage as a fraction."""
    node = place.node
    found = re.fullmatch(r"([0-9]{1,3})%", node.text) if isinstance(node, tree.Scalar) else None
    return _bytes(place) if found is None else int(found.group(1)) / ALL


def _bytes(place: Place) -> int:
    text = place.text("bytes or a percentage such as 50%")
    if not (text.isascii() and text.isdigit()):
        raise place.wrong(f"expected bytes or a percentage such as 50%, got {quoted(text)}")
    return place.integer(least=0)


def _barrier(place: Place) -> kinds.Barrier:
    given = place.fields(BARRIER, ["parties"], "a mapping such as {parties: 3}")
    return kinds.Barrier(**given)


REPLY: Final[dict[str, Read]] = {
    "status": lambda place: place.integer(least=LOWEST_STATUS, most=HIGHEST_STATUS),
    "headers": _headers,
    "body": Place.text,
    "stripe": lambda place: place.word(CANNED, "stripe error"),
    "record": lambda place: place.word(["true", "substitute"], "record"),
}

TRUNCATE: Final[dict[str, Read]] = {
    "head": _part,
    "body": _part,
    "framing": lambda place: place.word(["length", "chunked", "unframed"], "framing"),
    "then": lambda place: place.word(["close", "reset", "hang"], "ending"),
    "hang": Place.duration,
}

WAIT: Final[dict[str, Read]] = {
    "until": lambda place: place.word(["client_left"], "moment"),
    "for": Place.duration,
}

WINDOW: Final[dict[str, Read]] = {
    "for": Place.duration,
    "after": lambda place: place.duration(zero=True),
}

DRIP: Final[dict[str, Read]] = {"bytes": Place.integer, "every": Place.duration}

BARRIER: Final[dict[str, Read]] = {
    "parties": lambda place: place.integer(least=2),
    "timeout": Place.duration,
    "by": lambda place: place.word(["any", "operation"], "way to meet"),
}

FAULTS: Final[dict[str, Read | None]] = {
    "reset": _ending(kinds.Reset),
    "close": _ending(kinds.Close),
    "hang": _hang,
    "wait": _wait,
    "reply": _reply,
    "truncate": _truncate,
    "drip": _drip,
    "garble": _garble,
    "content_length": _content_length,
    "swap": None,
    "resend": None,
    "barrier": _barrier,
    "advance_clock": lambda place: kinds.AdvanceClock(place.duration()),
    "forget_key": None,
    "expire_key": None,
    "lose_record": None,
    "refuse": _window(kinds.Refuse),
    "blackhole": _window(kinds.Blackhole),
}
"""How the arguments of each fault are read; None for one that takes none."""

WORDS: Final[dict[str, Callable[[], Fault]]] = {
    "reset": kinds.Reset,
    "close": kinds.Close,
    "hang": kinds.Hang,
    "garble": kinds.Garble,
    "swap": kinds.Swap,
    "resend": kinds.Resend,
    "forget_key": kinds.ForgetKey,
    "expire_key": kinds.ExpireKey,
    "lose_record": kinds.LoseRecord,
}
"""The faults that a word alone makes."""

EXAMPLES: Final[dict[str, str]] = {
    "wait": "{wait: 2s}",
    "reply": f"{{reply: {{status: 502}}}}, or a stripe error: {listed(CANNED)}",
    "truncate": "{truncate: {body: 50%, then: close}}",
    "drip": "{drip: {bytes: 10, every: 100ms}}",
    "content_length": "{content_length: 150%}",
    "refuse": "{refuse: {for: 2s}}",
    "blackhole": "{blackhole: {for: 2s}}",
    "barrier": "{barrier: {parties: 3, timeout: 5s}}",
    "advance_clock": "{advance_clock: 25h}",
}
