"""From a journal, read from a file or taken from memory, to the evidence as one value.

Later lines of one arrival supersede earlier ones, and later header lines supersede earlier ones
field by field. Lines of a further port say which, and are a run of their own. Whoever judges never
changes an attempt: in memory it is the server's own.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import ValidationError, convert

from fakestripe.bank.journal import Journal
from fakestripe.protocol.attempt import Attempt, from_line
from fakestripe.protocol.declared import Intent, Outcome
from fakestripe.verdict.deliveries import Delivered
from fakestripe.verdict.edge import Struck, latest
from fakestripe.verdict.records import Header, Moved, Near, ProfileLine, Records, Report

TIMED: Final[dict[Any, type]] = {
    "clock": Moved,
    "webhook": Delivered,
    "connection": Struck,
    "listen": Struck,
}
"""The kinds of lines that are values together with their time."""
WHERE: Final = ("kind", "elapsed_s", "account", "port")
"""The fields of a line that say what it is, and whose."""


class JournalError(ValueError):
    """What was read is no journal: the line and why."""


class _Notes:
    """The lines that are no attempts, gathered."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self.intents: list[Intent] = []
        self.reports: list[Report] = []
        self.profiles: list[ProfileLine] = []
        self.timed: dict[type, list[Any]] = {kind: [] for kind in TIMED.values()}
        self.near: dict[str, Near] = {}

    def take(self, line: dict[str, Any]) -> None:
        """Take one line in; a kind of a later version is passed over."""
        kind, at = line.get("kind"), line.get("elapsed_s", 0.0)
        fields = {n: v for n, v in line.items() if n not in WHERE}
        if kind == "header":
            self.header.update(fields)
        elif kind == "intent":
            self.intents.append(convert(fields, Intent))
        elif kind == "outcome":
            self.reports.append(Report(convert(fields, Outcome), at))
        elif kind == "profile":
            self.profiles.append(convert(fields, ProfileLine))
        elif kind in TIMED:
            self.timed[TIMED[kind]].append(convert({**fields, "elapsed_s": at}, TIMED[kind]))
        elif kind == "near_miss":
            near = convert(fields, Near)
            self.near[near.rule] = near

    def records(self, attempts: list[Attempt]) -> Records:
        return Records(
            header=convert(self.header, Header),
            attempts=attempts,
            intents=self.intents,
            reports=self.reports,
            clock=self.timed[Moved],
            profiles=self.profiles,
            webhooks=self.timed[Delivered],
            edge=latest(self.timed[Struck]),
            near=self.near,
        )


def read(lines: Iterable[dict[str, Any]]) -> Records:
    """Return the records of journal lines; raises ``JournalError`` for what is none."""
    ports: dict[str | None, _Lines] = {}
    number = 0
    try:
        for number, line in enumerate(lines, 1):  # noqa: B007  # told in the error
            ports.setdefault(line.get("port"), _Lines()).take(line)
        return merged(of.records() for of in ports.values()) if ports else _records([], [])
    except (ValidationError, KeyError, AttributeError, TypeError) as problem:
        raise JournalError(f"line {number} is no journal line: {problem}") from problem


class _Lines:
    """The lines of one port, each attempt in its last version."""

    def __init__(self) -> None:
        self.notes: list[dict[str, Any]] = []
        self.last: dict[int, dict[str, Any]] = {}

    def take(self, line: dict[str, Any]) -> None:
        if line.get("kind") == "attempt":
            self.last[line["arrival"]] = line
        else:
            self.notes.append(line)

    def records(self) -> Records:
        return _records(
            self.notes, [_attempt(self.last[arrival]) for arrival in sorted(self.last)]
        )


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
    found = [part for whole in parts for part in whole.parts or [whole]]
    if len(found) == 1:
        return found[0]
    attempts = [attempt for part in found for attempt in part.attempts]
    attempts.sort(key=lambda attempt: attempt.arrival)
    header = found[0].header if found else Header()
    return Records(header=header, attempts=attempts, parts=found)
