"""The evidence as values: everything that ``judge`` needs to know of a run.

They decide nothing; ``reading`` makes them of a journal.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.declared import Intent, Outcome
from fakestripe.protocol.lesson import Lesson
from fakestripe.verdict.deliveries import Delivered
from fakestripe.verdict.edge import Struck

Mode: TypeAlias = Literal["serve", "fixture", "check"]
DAY = 86_400.0


class Header(Struct, frozen=True):
    """How the run was made; ``client_exits`` has None for a client that the watchdog ended.

    ``client_lives`` may hold, per replica, the seconds at which it started and ended.
    """

    mode: Mode = "serve"
    replicas: int = 1
    selector: str | None = None
    lesson: Lesson | None = None
    client_exits: tuple[int | None, ...] | None = None
    client_lives: tuple[tuple[float, float | None], ...] | None = None
    declared: bool = False
    seed: int = 0
    fakestripe: str = ""


class RuleLine(Struct, frozen=True):
    """A rule of the profile: enough to say whether it fired and what it would have done."""

    name: str
    at: str
    faults: tuple[str, ...] = ()
    barrier: int | None = None
    nth: tuple[int, ...] | None = None


class ProfileLine(Struct, frozen=True):
    """The profile of a run; ``deliveries`` is what goes wrong with events, named as a rule."""

    name: str
    source: str | None = None
    expect: tuple[str, ...] = ("clean",)
    operation: str | None = None
    rules: tuple[RuleLine, ...] = ()
    deliveries: RuleLine | None = None
    key_retention: float = DAY
    cache_write_window: float = 0.0


class Moved(Struct, frozen=True):
    """A move of the account's clock: by how much, by whom, and when (seconds of the port)."""

    elapsed_s: float = 0.0
    advance: float = 0.0
    now: float | None = None
    by: str = "test"


class Difference(Struct, frozen=True):
    """A field of an arrival that was not as a rule wants it; None: it was not there."""

    field: str
    was: str | None
    wants: str


class Near(Struct, frozen=True):
    """The arrival that came nearest to a rule which it did not meet.

    ``stage`` is how far: its ``match`` differed, or its ``when``; another rule came before it; or
    its point ``at`` was never reached; or it was struck, and nobody noticed. ``why`` names the
    other rule, or the reason.
    """

    rule: str
    stage: Literal["match", "when", "shadowed", "unreached", "unnoticed"]
    arrival: int
    method: str = ""
    path: str = ""
    at: str = ""
    differs: tuple[Difference, ...] = ()
    why: str | None = None


class Report(Struct, frozen=True):
    """An outcome, and when it was reported (seconds of the port)."""

    outcome: Outcome
    elapsed_s: float = 0.0


class Records(Struct, kw_only=True):
    """Everything that ``judge`` needs, attempts in order of arrival."""

    header: Header = Header()
    attempts: list[Attempt]
    intents: list[Intent] = []
    reports: list[Report] = []
    clock: list[Moved] = []
    profiles: list[ProfileLine] = []
    webhooks: list[Delivered] = []
    edge: list[Struck] = []
    near: dict[str, Near] = {}
    parts: list["Records"] = []

    @property
    def profile(self) -> ProfileLine | None:
        """The profile that was set last."""
        return self.profiles[-1] if self.profiles else None

    @property
    def rules(self) -> dict[str, RuleLine]:
        """All rules that were declared, by name."""
        return {rule.name: rule for profile in self.profiles for rule in profile.rules}

    @property
    def declared(self) -> dict[str, RuleLine]:
        """All faults that were declared, by name: the rules, and what befalls deliveries."""
        told = [each.deliveries for each in self.profiles if each.deliveries is not None]
        return {**self.rules, **{each.name: each for each in told}}

    @property
    def selector(self) -> str | None:
        """The selector of the run, or that of its profile."""
        named = (profile.operation for profile in reversed(self.profiles) if profile.operation)
        return self.header.selector or next(named, None)
