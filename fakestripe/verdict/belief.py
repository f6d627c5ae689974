"""What the client believes of a unit: what it reported, else what its exit status says.

A test's own outcome is never belief. Outcomes are taken per operation, the last one counts; an
exit status speaks for all operations of a run, learnt refunds among them, and of several it says
only that one failed. Of a refund that nobody set out to make it says nothing.
"""

from collections.abc import Iterable

from msgspec import Struct

from fakestripe.protocol.declared import Belief
from fakestripe.protocol.operation import flat_of
from fakestripe.verdict.records import Records, Report
from fakestripe.verdict.units import Unit


class Believed(Struct, frozen=True, kw_only=True):
    """How many of a unit's payments are believed to be what.

    ``some_failed`` is the exit status of a run of several payments: what is told was paid, what
    is not was not. ``reports`` are the outcomes that were reported of this unit.
    """

    paid: int = 0
    failed: int = 0
    unknown: int = 0
    hung: int = 0
    some_failed: bool = False
    reports: tuple[Report, ...] = ()

    @property
    def word(self) -> Belief:
        """The one belief, or ``unknown`` where there are several."""
        words: tuple[Belief, ...] = ("paid", "failed", "hung")
        total = self.paid + self.failed + self.unknown + self.hung
        return next((word for word in words if total and getattr(self, word) == total), "unknown")


class Beliefs:
    """The beliefs of one run."""

    def __init__(self, records: Records, units: list[Unit]) -> None:
        self._reports = {report.outcome.operation: report for report in records.reports}
        self._owner = _owners(self._reports, units)
        self._exit = _exit_belief(records, units)
        self._known: dict[int, Believed] = {}

    def of(self, unit: Unit) -> Believed:
        """Return what is believed of a unit."""
        known = self._known.get(id(unit))
        if known is None:
            known = self._known[id(unit)] = self._believed(unit)
        return known

    def _believed(self, unit: Unit) -> Believed:
        count = unit.intended.count if unit.intended else max(len(unit.live), 1)
        compensates = unit.kind == "refund" and unit.intended is None
        status = "unknown" if compensates else self._exit
        reports = [self._reports[name] for name in self._owner.get(id(unit), ())]
        said = [report.outcome.outcome for report in reports]
        if said and len(unit.names) <= 1:
            said = [said[-1]] * count
        rest = max(count - len(said), 0)
        exits = dict.fromkeys(("paid", "failed", "unknown", "hung"), 0)
        exits[status if status != "some_failed" else "unknown"] = rest
        return Believed(
            paid=said.count("paid") + exits["paid"],
            failed=said.count("failed") + exits["failed"],
            unknown=exits["unknown"],
            hung=exits["hung"],
            some_failed=status == "some_failed" and rest > 0,
            reports=tuple(reports),
        )


def _owners(reports: dict[str, Report], units: list[Unit]) -> dict[int, list[str]]:
    """Return the reported names of each unit: its own, those of its intents, or one it carries.

    Where nothing was declared, an outcome is about the unit whose request carries its name, or
    that has its charge.
    """
    owners: dict[int, list[str]] = {}
    homeless = dict.fromkeys(reports)
    for unit in units:
        for name in dict.fromkeys((unit.name, *unit.names)):
            if name in homeless:
                owners.setdefault(id(unit), []).append(name)
                del homeless[name]
    carriers = _carriers(units) if homeless else {}
    for name in homeless:
        carrier = carriers.get(reports[name].outcome.charge or "") or carriers.get(name)
        if carrier is not None:
            owners.setdefault(id(carrier), []).append(name)
    return owners


def _carriers(units: Iterable[Unit]) -> dict[str, Unit]:
    """Return units by the values that their first request carries and the charges they have."""
    carriers: dict[str, Unit] = {}
    for unit in units:
        values = flat_of(unit.attempts[0]).values() if unit.attempts else ()
        for value in (*values, *(live.id for live in unit.live)):
            carriers.setdefault(value, unit)
    return carriers


def _exit_belief(records: Records, units: list[Unit]) -> str:
    """Return what the exit statuses say of every payment of the run."""
    exits = records.header.client_exits
    if not exits:
        return "unknown"
    payments = [unit for unit in units if unit.kind == "payment" and not unit.stray]
    count = sum(unit.intended.count if unit.intended else 1 for unit in payments)
    if len(exits) > 1:
        one = len(payments) == 1 and count == 1
        return "paid" if one and 0 in exits else "hung" if set(exits) == {None} else "unknown"
    if exits[0] is None:
        return "hung"
    if exits[0] == 0:
        return "paid"
    lesson = records.header.lesson
    if lesson is not None and not records.intents:
        count += sum(identity.refunds for identity in lesson.identities)
    return "failed" if count <= 1 else "some_failed"
