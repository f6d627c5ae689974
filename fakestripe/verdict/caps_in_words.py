"""What spend caps did, in sentences: how much they let through, and where they stopped a run."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from fakestripe.protocol.duration import words
from fakestripe.protocol.further_key import dollars
from fakestripe.verdict.finding import Capped, Stop

NAMED: Final = 5
"""How many duplicates are named in a sentence; JSON has all."""


def summary(cap: Capped) -> str:
    """Return what a cap let through and what it stopped, in one sentence."""
    return f"{_through(cap)}; {_refused(cap)}."


def details(cap: Capped) -> Iterator[str]:
    """Yield which duplicates a cap let through, and where it stopped the run."""
    if cap.duplicates:
        these = "these duplicates" if len(cap.duplicates) > 1 else "this duplicate"
        yield f"it let {these} through: {_duplicates(cap)}."
    if cap.stop is not None:
        yield _where(cap.stop)


def _through(cap: Capped) -> str:
    money = f"{dollars(cap.let_through_usd_cents)} of {dollars(cap.cap_usd_cents)} USD"
    number = len(cap.duplicates)
    doubled = (
        f", {number} of them {'duplicates' if number > 1 else 'a duplicate'}" if number else ""
    )
    charges = _counted(cap.let_through, "charge")
    return f"{cap.key} on {cap.day} let {charges} through ({money}){doubled}"


def _refused(cap: Capped) -> str:
    if not cap.stopped:
        return "it stopped nothing"
    operations = _counted(len(cap.stopped_operations), "operation")
    doubled = cap.would_have_doubled
    spared = f", {doubled} of them for what was paid already" if doubled else ""
    return f"it stopped {_counted(cap.stopped, 'charge')} of {operations}{spared}"


def _duplicates(cap: Capped) -> str:
    named = [f"{one.charge} of {one.operation}" for one in cap.duplicates[:NAMED]]
    more = len(cap.duplicates) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _where(stop: Stop) -> str:
    moment = datetime.fromtimestamp(int(stop.at), UTC).isoformat().replace("+00:00", "Z")
    spent = f"{dollars(stop.before_usd_cents)} USD were committed or reserved"
    where = (
        f"at arrival {stop.arrival} ({stop.operation}), {words(stop.elapsed_s)} after the start"
    )
    what = (
        "it stopped the run"
        if stop.final
        else "it let other charges through afterwards; its first refusal was"
    )
    would = f"with this charge they would have been {dollars(stop.spent_usd_cents)}"
    return f"{what} {where}, {moment}: {spent}, {would} of {dollars(stop.cap_usd_cents)}."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
