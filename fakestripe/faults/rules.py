"""What a profile may say beside its faults, as values: rules, selections, settings.

Durations are seconds here; the loader turns words (``30s``, ``250ms``) into them.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from fakestripe.faults.kinds import Fault
from fakestripe.protocol.declared import Delivery, Intent, Webhook
from fakestripe.protocol.further_key import FurtherKey
from fakestripe.protocol.points import Point


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
EVERY: Final = Match(any=True)
POSTS: Final = Match(method="POST")
DEFAULTS: Final[dict[Point, Match]] = {"listen": EVERY, "accept": EVERY, "reading": POSTS}
"""What a rule is about where it does not say so, and money cannot be known at its point."""


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
    deliveries: Delivery | None = None
    keys: tuple[FurtherKey, ...] = ()


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

    @property
    def faultless(self) -> bool:
        """Whether nothing goes wrong, with answers or with events."""
        return not self.rules and self.settings.deliveries is None


FAULT_FREE: Final = Profile(name="fault-free", expect=("clean", "inconclusive"))
