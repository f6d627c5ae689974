"""One run as the rules of the verdict see it: units, what was told when, and who believes what.

Everything here is looked up, nothing is decided.
"""

from typing import Final, TypeAlias

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.settling import is_delivered, succeeded
from fakestripe.verdict.belief import Beliefs
from fakestripe.verdict.grouping import units_of
from fakestripe.verdict.records import Records
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import Unit

READ_BACK: Final = (
    "/v1/charges",
    "/v1/payment_intents",
    "/v1/refunds",
    "/v1/balance_transactions",
    "/v1/events",
)
Telling: TypeAlias = tuple[float, int]
NEVER: Final[Telling] = (float("inf"), 0)


class Run:
    """The facts of one run; ``keys_met`` is kept by who counts the keys of an identity."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.units = units_of(records)
        self.beliefs = Beliefs(records, self.units)
        self._told = _told(records)
        self.read_backs = [a for a in records.attempts if _reads_back(a)]
        self.owner = {live.id: unit for unit in self.units for live in unit.live}
        self.keys_met: dict[int, int] | None = None
        self.kept_out = _kept_out(records)
        self.in_check = records.header.mode == "check"

    def told(self, live: Live) -> bool:
        """Return whether the client was told of a charge."""
        return live.id in self._told

    def told_before(self, live: Live, attempt: Attempt) -> bool:
        """Return whether the client had been told of a charge when it began an attempt."""
        at, by = self._told.get(live.id, NEVER)
        return at <= attempt.started_s and by < attempt.arrival

    def strays(self) -> list[Unit]:
        """Return what fits nothing that was intended."""
        return [unit for unit in self.units if unit.stray]

    def fired(self) -> set[str]:
        """Return the rules that fired.

        A reset of an idle connection is one only if another request follows on it.
        """
        idle = {name for name, rule in self.records.rules.items() if rule.at == "sent"}
        used = {(a.connection, a.request_on_connection) for a in self.records.attempts}
        told = {name for line in self.records.webhooks for name in line.rules}
        return (
            told
            | {struck.rule for struck in self.records.edge}
            | {
                name
                for attempt in self.records.attempts
                for name in attempt.rules
                if name not in idle
                or (attempt.connection, attempt.request_on_connection + 1) in used
            }
        )


def _kept_out(records: Records) -> bool:
    """Return whether a client that pays without faults sent nothing to a port that struck."""
    known = records.header.lesson is not None and bool(records.header.lesson.count)
    return known and bool(records.edge) and not records.attempts


def _told(records: Records) -> dict[str, Telling]:
    """Return when the client was first told of each id, and by which arrival."""
    told: dict[str, Telling] = {}
    for attempt in records.attempts:
        if attempt.ids and is_delivered(attempt) and succeeded(attempt):
            at = attempt.started_s if attempt.ended_s is None else attempt.ended_s
            for made in attempt.ids:
                told[made] = min(told.get(made, NEVER), (at, attempt.arrival))
    for report in records.reports:
        charge = report.outcome.charge
        if charge is not None:
            told[charge] = min(told.get(charge, NEVER), (report.elapsed_s, 0))
    return told


def _reads_back(attempt: Attempt) -> bool:
    """Return whether an attempt is a read that could show a charge, and was answered."""
    return (
        attempt.method == "GET"
        and attempt.path.startswith(READ_BACK)
        and is_delivered(attempt)
        and (succeeded(attempt) or attempt.status == 404)  # noqa: PLR2004
    )
