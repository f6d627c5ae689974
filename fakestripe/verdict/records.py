"""The evidence: a journal, read from a file or taken from memory, as one value.

Later lines of one arrival supersede earlier ones, and later header lines supersede earlier ones
field by field. Whoever judges never changes an attempt: in memory it is the server's own.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct, ValidationError, convert

from fakestripe.bank.journal import Journal
from fakestripe.protocol.attempt import Attempt, from_line
from fakestripe.protocol.declared import Intent, Outcome
from fakestripe.protocol.lesson import Lesson

Mode: TypeAlias = Literal["serve", "fixture", "check"]
DAY = 86_400.0


class JournalError(ValueError):
    """What was read is no journal: the line and why."""


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


class ProfileLine(Struct, frozen=True):
    """The profile of a run."""

    name: str
    source: str | None = None
    expect: tuple[str, ...] = ("clean",)
    operation: str | None = None
    rules: tuple[RuleLine, ...] = ()
    key_retention: float = DAY
    cache_write_window: float = 0.0


class Moved(Struct, frozen=True):
    """A move of the account's clock: by how much, by whom, and when (seconds of the port)."""

    elapsed_s: float = 0.0
    advance: float = 0.0
    now: float | None = None
    by: str = "test"


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
    def selector(self) -> str | None:
        """The selector of the run, or that of its profile."""
        named = (profile.operation for profile in reversed(self.profiles) if profile.operation)
        return self.header.selector or next(named, None)


class _Notes:
    """The lines that are no attempts, gathered."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self.intents: list[Intent] = []
        self.reports: list[Report] = []
        self.clock: list[Moved] = []
        self.profiles: list[ProfileLine] = []

    def take(self, line: dict[str, Any]) -> None:
        """Take one line in; a kind of a later version is passed over."""
        kind, at = line.get("kind"), line.get("elapsed_s", 0.0)
        fields = {n: v for n, v in line.items() if n not in ("kind", "elapsed_s", "account")}
        if kind == "header":
            self.header.update(fields)
        elif kind == "intent":
            self.intents.append(convert(fields, Intent))
        elif kind == "outcome":
            self.reports.append(Report(convert(fields, Outcome), at))
        elif kind == "clock":
            self.clock.append(convert({**fields, "elapsed_s": at}, Moved))
        elif kind == "profile":
            self.profiles.append(convert(fields, ProfileLine))

    def records(self, attempts: list[Attempt]) -> Records:
        return Records(
            header=convert(self.header, Header),
            attempts=attempts,
            intents=self.intents,
            reports=self.reports,
            clock=self.clock,
            profiles=self.profiles,
        )


def read(lines: Iterable[dict[str, Any]]) -> Records:
    """Return the records of journal lines; raises ``JournalError`` for what is none."""
    notes: list[dict[str, Any]] = []
    last: dict[int, dict[str, Any]] = {}
    number = 0
    try:
        for number, line in enumerate(lines, 1):  # noqa: B007  # told in the error
            if line.get("kind") == "attempt":
                last[line["arrival"]] = line
            else:
                notes.append(line)
        attempts = [_attempt(last[arrival]) for arrival in sorted(last)]
        return _records(notes, attempts)
    except (ValidationError, KeyError, AttributeError, TypeError) as problem:
        raise JournalError(f"line {number} is no journal line: {problem}") from problem


def _attempt(line: dict[str, Any]) -> Attempt:
    return from_line({name: value for name, value in line.items() if name != "kind"})


def records_of(*journals: Journal) -> Records:
    """Return the records of journals in memory, without a copy of their attempts."""
    lines = [line for journal in journals for line in journal.events]
    attempts = [attempt for journal in journals for attempt in journal.attempts]
    attempts.sort(key=lambda attempt: attempt.arrival)
    return _records(lines, attempts)


def _records(notes: Sequence[dict[str, Any]], attempts: list[Attempt]) -> Records:
    """Return everything as one run, or, of a server for many, as one part per account.

    An account that another acts for is judged as a part of that one.
    """
    everybody: _Notes = _Notes()
    home = {n["connected"]: n.get("account") for n in notes if n.get("kind") == "connected"}
    owner = {each.account: home.get(each.account) or each.account for each in attempts}
    owned: dict[str, list[dict[str, Any]]] = {name: [] for name in owner.values()}
    for line in notes:
        everybody.take(line)
        if "account" in line:
            owned.setdefault(line["account"], []).append(line)
    whole = everybody.records(attempts)
    if whole.header.mode != "serve" or len(owned) <= 1:
        return whole
    shared = [line for line in notes if "account" not in line]
    by_account: dict[str, list[Attempt]] = {account: [] for account in owned}
    for attempt in attempts:
        by_account[owner[attempt.account]].append(attempt)
    return merged(_one([*shared, *owned[a]], by_account[a]) for a in owned)


def _one(lines: Iterable[dict[str, Any]], attempts: list[Attempt]) -> Records:
    notes = _Notes()
    for line in lines:
        notes.take(line)
    return notes.records(attempts)


def merged(parts: Iterable[Records]) -> Records:
    """Return the records of several accounts as one; each is still judged by itself."""
    found = list(parts)
    if len(found) == 1:
        return found[0]
    attempts = [attempt for part in found for attempt in part.attempts]
    attempts.sort(key=lambda attempt: attempt.arrival)
    header = found[0].header if found else Header()
    return Records(header=header, attempts=attempts, parts=found)
