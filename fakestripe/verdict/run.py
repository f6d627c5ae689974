"""One run as the rules of the verdict see it: units, what was told when, and who believes what.

Everything here is looked up, nothing is decided.
"""

from collections.abc import Iterable

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.settling import is_delivered, succeeded
from fakestripe.verdict.belief import Beliefs
from fakestripe.verdict.grouping import units_of
from fakestripe.verdict.records import Records
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import Unit

READ_BACK = (
    "/v1/charges",
    "/v1/payment_intents",
    "/v1/refunds",
    "/v1/balance_transactions",
    "/v1/events",
)
FOREVER = float("inf")


class Run:
    """The facts of one run."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.units = units_of(records)
        self.beliefs = Beliefs(records, self.units)
        self.told_at = _told_at(records)
        self.read_backs = [a for a in records.attempts if _reads_back(a)]
        self.owner = {live.id: unit for unit in self.units for live in unit.live}
        self.in_check = records.header.mode == "check"

    def told(self, live: Live, by: float = FOREVER) -> bool:
        """Return whether the client had been told of a charge by a moment of the port's time."""
        at = self.told_at.get(live.id)
        return at is not None and at <= by

    def strays(self) -> list[Unit]:
        """Return what fits nothing that was intended."""
        return [unit for unit in self.units if unit.stray]

    def fired(self) -> set[str]:
        """Return the rules that fired.

        A reset of an idle connection is one only if another request follows on it.
        """
        idle = {name for name, rule in self.records.rules.items() if rule.at == "sent"}
        used = {(a.connection, a.request_on_connection) for a in self.records.attempts}
        return {
            name
            for attempt in self.records.attempts
            for name in attempt.rules
            if name not in idle or (attempt.connection, attempt.request_on_connection + 1) in used
        }


def _told_at(records: Records) -> dict[str, float]:
    """Return when the client was first told of each id, in seconds of the port."""
    told: dict[str, float] = {}
    for attempt in records.attempts:
        if attempt.ids and is_delivered(attempt):
            at = attempt.started_s if attempt.ended_s is None else attempt.ended_s
            _note(told, attempt.ids, at)
    for report in records.reports:
        if report.outcome.charge is not None:
            _note(told, [report.outcome.charge], report.elapsed_s)
    return told


def _note(told: dict[str, float], ids: Iterable[str], at: float) -> None:
    for made in ids:
        told[made] = min(told.get(made, FOREVER), at)


def _reads_back(attempt: Attempt) -> bool:
    """Return whether an attempt is a read that could show a charge, and was answered."""
    return (
        attempt.method == "GET"
        and attempt.path.startswith(READ_BACK)
        and is_delivered(attempt)
        and (succeeded(attempt) or attempt.status == 404)  # noqa: PLR2004
    )
