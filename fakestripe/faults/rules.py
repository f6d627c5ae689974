"""What a profile may say, as values: rules, selections, faults, settings.

``LEGAL`` is the table of which fault makes sense at which point. Durations are seconds here;
the loader turns words (``30s``, ``250ms``) into them.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from fakestripe.protocol.declared import Intent, Webhook
from fakestripe.protocol.effects import Ending, Framing
from fakestripe.protocol.points import Point


class Reset(Struct, frozen=True, tag_field="fault", tag="reset"):
    """End the connection with a TCP RST."""


class Close(Struct, frozen=True, tag_field="fault", tag="close"):
    """End the connection with a TCP FIN."""


class Hang(Struct, frozen=True, tag_field="fault", tag="hang"):
    """Never answer; end after ``seconds``, or when the client leaves."""

    seconds: float | None = None


class Wait(Struct, frozen=True, tag_field="fault", tag="wait"):
    """Answer ``seconds`` later."""

    seconds: float


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
    Reset
    | Close
    | Hang
    | Wait
    | Reply
    | Truncate
    | Barrier
    | AdvanceClock
    | ForgetKey
    | ExpireKey
    | LoseRecord
)


def tag(fault: Fault) -> str:
    """Return the word of a fault."""
    return str(type(fault).__struct_config__.tag)


LEGAL: Final[dict[str, frozenset[Point]]] = {
    "reset": frozenset({"received", "claimed", "committed", "sent"}),
    "close": frozenset({"received", "claimed", "committed", "sent"}),
    "hang": frozenset({"received", "claimed", "committed"}),
    "wait": frozenset({"received", "claimed", "committed"}),
    "barrier": frozenset({"received", "claimed", "committed"}),
    "reply": frozenset({"received", "claimed", "committed"}),
    "truncate": frozenset({"replying"}),
    "advance_clock": frozenset({"received", "committed"}),
    "forget_key": frozenset({"received"}),
    "expire_key": frozenset({"received"}),
    "lose_record": frozenset({"committed"}),
}
"""Which fault makes sense at which point (design 3)."""

FINAL: Final = frozenset({"reset", "close", "hang", "reply", "truncate"})
"""Faults after which nothing else of a list can happen."""


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """Which requests a rule is about; all that is given must hold."""

    moves: Literal["money"] | None = None
    any: bool = False
    method: str | None = None
    path: str | None = None
    params: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    idempotency_key: str | None = None
    account: str | None = None


MONEY: Final = Match(moves="money")


class When(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the matching requests a rule strikes; all that is given must hold."""

    attempt: tuple[int, ...] | None = None
    operation: int | None = None
    nth: tuple[int, ...] | None = None
    times: int | None = None
    connection: Literal["fresh", "reused"] | None = None
    request_on_connection: int | None = None


class Rule(Struct, frozen=True):
    """One rule of a profile: which requests, when, at which point, which faults."""

    name: str
    at: Point
    do: tuple[Fault, ...]
    match: Match = MONEY
    when: When = When()


Customers: TypeAlias = Literal["strict", "any"] | int
MOST_CUSTOMERS: Final = 10_000
"""More of them than that are no test data."""


class Settings(Struct, frozen=True):
    """How the account behaves apart from faults; times are seconds.

    None leaves the seed, the clock and the customers as the server has them. A number of
    ``customers`` is so many people that are there, and strict otherwise.
    """

    key_retention: float = 86_400.0
    cache_write_window: float = 0.0
    clock_start: float | None = None
    clock_frozen: bool = False
    seed: int | None = None
    customers: Customers | None = None
    webhooks: tuple[Webhook, ...] = ()


Word: TypeAlias = Literal[
    "duplicate",
    "overcharged",
    "missing",
    "orphan",
    "undercharged",
    "cap_exceeded",
    "inconclusive",
    "unpaid",
    "clean",
]


class Profile(Struct, frozen=True):
    """One situation: a name, its rules in order of trial, and what a correct client may get.

    ``about`` is the comment that the file opens with, ``shadows`` the file of the built-in
    profile that this one hides, ``only`` the operations that faults may touch (None: all).
    """

    name: str
    rules: tuple[Rule, ...] = ()
    settings: Settings = Settings()
    operation: str | None = None
    intents: tuple[Intent, ...] = ()
    expect: tuple[Word, ...] = ("clean",)
    about: str = ""
    source: str | None = None
    shadows: str | None = None
    only: frozenset[str] | None = None


FAULT_FREE: Final = Profile(name="fault-free", expect=("clean", "inconclusive"))
