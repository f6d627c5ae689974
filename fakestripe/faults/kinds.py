"""Every fault as a value, and the table of the points at which each makes sense.

Durations are seconds here; the loader turns words (``30s``, ``250ms``) into them. A float that
counts bytes is a fraction, an int a number of them. What a fault does is not said here: see
``strike`` (effects) and ``fate`` (memory).
"""

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct, field

from fakestripe.protocol.effects import Ending, Framing
from fakestripe.protocol.points import Point


class Refuse(Struct, frozen=True, tag_field="fault", tag="refuse"):
    """Listen no more for ``seconds``, from ``after`` seconds on: connections are refused."""

    seconds: float
    after: float = 0.0


class Blackhole(Struct, frozen=True, tag_field="fault", tag="blackhole"):
    """Answer no SYN for ``seconds``, from ``after`` seconds on: connecting takes for ever."""

    seconds: float
    after: float = 0.0


class Reset(Struct, frozen=True, tag_field="fault", tag="reset"):
    """End the connection with a TCP RST; at ``reading`` once ``body`` of the body has come."""

    body: int | float | None = None


class Close(Struct, frozen=True, tag_field="fault", tag="close"):
    """End the connection with a TCP FIN; at ``reading`` once ``body`` of the body has come."""

    body: int | float | None = None


class Hang(Struct, frozen=True, tag_field="fault", tag="hang"):
    """Never answer; end after ``seconds``, or when the client leaves.

    At ``reading`` it begins once ``body`` of the body has come.
    """

    seconds: float | None = None
    body: int | float | None = None


class Wait(Struct, frozen=True, tag_field="fault", tag="wait"):
    """Answer ``seconds`` later; ``until_left``: or as soon as the client has left."""

    seconds: float
    until_left: bool = False


class Resend(Struct, frozen=True, tag_field="fault", tag="resend"):
    """Lose the answer between a proxy and the server: the proxy sends the request once more."""


class Reply(Struct, frozen=True, tag_field="fault", tag="reply"):
    """Answer something else: a raw ``status`` with headers and body, or an error of Stripe's.

    ``stripe`` names a row of the table of canned errors. ``record: substitute`` keeps this
    answer under the key in place of the true outcome, as Stripe keeps its own 500.
    """

    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""
    stripe: str | None = None
    record: Literal["true", "substitute"] = "true"


class Truncate(Struct, frozen=True, tag_field="fault", tag="truncate"):
    """Send a part of the reply: ``head`` or ``body`` as a number of bytes or a fraction.

    ``hang`` is the length of the silence where ``then`` is hang (None: until the client leaves).
    """

    head: int | float | None = None
    body: int | float | None = None
    framing: Framing = "length"
    then: Ending = "close"
    hang: float | None = None


class Drip(Struct, frozen=True, tag_field="fault", tag="drip"):
    """Send the reply ``size`` bytes at a time, with ``every`` seconds between them."""

    size: int
    every: float


class Garble(Struct, frozen=True, tag_field="fault", tag="garble"):
    """Send broken JSON: the first ``body`` of the body, with the length of that announced."""

    body: int | float = 0.5


class ContentLength(Struct, frozen=True, tag_field="fault", tag="content_length"):
    """Announce a body of another length: bytes, or a fraction of the true one (1.5 is more)."""

    says: int | float


class Swap(Struct, frozen=True, tag_field="fault", tag="swap"):
    """Send the body of another charge."""


class Barrier(Struct, frozen=True, tag_field="fault", tag="barrier"):
    """Hold arrivals until ``parties`` are there, then let all go; at most ``timeout`` seconds."""

    parties: int
    timeout: float = 5.0
    by: Literal["any", "operation"] = "any"


class AdvanceClock(Struct, frozen=True, tag_field="fault", tag="advance_clock"):
    """Move the account's clock by ``seconds``."""

    seconds: float


class ForgetKey(Struct, frozen=True, tag_field="fault", tag="forget_key"):
    """Drop the record of the request's idempotency key."""


class ExpireKey(Struct, frozen=True, tag_field="fault", tag="expire_key"):
    """Age the record of the request's idempotency key beyond retention."""


class LoseRecord(Struct, frozen=True, tag_field="fault", tag="lose_record"):
    """Lose the key's record although the charge was written: a crash between the two."""


Fault: TypeAlias = (
    Refuse
    | Blackhole
    | Reset
    | Close
    | Hang
    | Wait
    | Resend
    | Reply
    | Truncate
    | Drip
    | Garble
    | ContentLength
    | Swap
    | Barrier
    | AdvanceClock
    | ForgetKey
    | ExpireKey
    | LoseRecord
)


def tag(fault: Fault) -> str:
    """Return the word of a fault."""
    return str(type(fault).__struct_config__.tag)


def meaning(word: str) -> str:
    """Return what a fault does, as its own docstring says."""
    kind = next(kind for kind in get_args(Fault) if kind.__struct_config__.tag == word)
    return " ".join((kind.__doc__ or "").replace("``", "").split())


ENDING: Final = frozenset[Point]({"accept", "reading", "received", "claimed", "committed"})
EXECUTING: Final = frozenset[Point]({"received", "claimed", "committed"})
REPLYING: Final = frozenset[Point]({"replying"})

LEGAL: Final[dict[str, frozenset[Point]]] = {
    "refuse": frozenset({"listen"}),
    "blackhole": frozenset({"listen"}),
    "reset": ENDING | {"sent"},
    "close": ENDING | {"sent"},
    "hang": ENDING,
    "wait": EXECUTING | {"accept"},
    "barrier": EXECUTING,
    "resend": EXECUTING,
    "reply": EXECUTING,
    "truncate": REPLYING,
    "drip": REPLYING,
    "garble": REPLYING,
    "content_length": REPLYING,
    "swap": REPLYING,
    "advance_clock": frozenset({"received", "committed"}),
    "forget_key": frozenset({"received"}),
    "expire_key": frozenset({"received"}),
    "lose_record": frozenset({"committed"}),
}
"""Which fault makes sense at which point (design 3)."""

FINAL: Final = frozenset(LEGAL) - {
    "wait",
    "barrier",
    "advance_clock",
    "forget_key",
    "expire_key",
    "lose_record",
}
"""Faults after which nothing else of a list can happen."""
