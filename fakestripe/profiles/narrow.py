"""What makes sense at some points only, as tables: for the loader, and for editors.

Which fault strikes where stands in the table of faults; here are the arguments and selections
that are meant for fewer points than their fault or their field.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from fakestripe.faults.kinds import EXECUTING
from fakestripe.protocol.points import Point

EXECUTED: Final = frozenset[Point]({"claimed", "committed"})
READING: Final = frozenset[Point]({"reading"})


class Known(Struct, frozen=True):
    """What ``match`` and ``when`` may name at a point before ``received``, and why no more."""

    match: tuple[str, ...]
    when: tuple[str, ...]
    why: str


UNKNOWN: Final[dict[str, Known]] = {
    "listen": Known((), (), "the kernel answers, and nothing is counted"),
    "accept": Known((), ("nth", "times"), "nothing has been read, only connections are counted"),
    "reading": Known(
        ("method", "path", "headers", "idempotency_key", "account"),
        ("nth", "times", "connection", "request_on_connection"),
        "the parameters have not been read",
    ),
}
"""The points at which not everything is known."""


class Narrow(Struct, frozen=True):
    """Arguments for some of their fault's points: ``meant`` finds them in its value.

    ``written`` is the schema of the arguments that say so, ``told`` what else to do.
    """

    fault: str
    points: frozenset[Point]
    meant: Callable[[Any], bool]
    written: dict[str, Any]
    told: str


def _part_of_body(fault: str) -> Narrow:
    return Narrow(
        fault,
        READING,
        lambda struck: struck.body is not None,
        {"required": ["body"]},
        f"{fault} after a part of the body is for at: reading",
    )


NARROW: Final = (
    _part_of_body("reset"),
    _part_of_body("close"),
    _part_of_body("hang"),
    Narrow(
        "wait",
        EXECUTING,
        lambda struck: struck.until_left,
        {"required": ["until"]},
        "a client that has left sends nothing: wait for a time at accept",
    ),
    Narrow(
        "reply",
        EXECUTED,
        lambda struck: struck.record == "substitute",
        {"properties": {"record": {"const": "substitute"}}, "required": ["record"]},
        "record: substitute needs a claimed key: at claimed or committed",
    ),
)
