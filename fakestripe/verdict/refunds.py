"""Refunds as units of their own: how many of an operation were meant, and which are too many.

Two refunds of one charge are one too many where more refunds exist than were learnt. The first
refund of a charge never is: a client may give back what it is in doubt about, and where no refund
was learnt, nothing was intended either. Parts of different amounts are no repeats of each other.
One that was learnt and never sent is a lack of its own.
"""

from collections import Counter
from collections.abc import Iterator

from fakestripe.protocol.lesson import Identity, Lesson
from fakestripe.verdict.finding import Intended
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import REFUND, Placed, Unit


def refund_units(lesson: Lesson | None, placed: list[Placed]) -> Iterator[Unit]:
    """Yield the refunds of every operation that has any."""
    spare = {} if lesson is None else _spare(lesson, placed)
    for found in placed:
        attempts = [attempt for attempt in found.attempts if attempt.step == REFUND]
        if attempts:
            unit = Unit(
                name=f"{found.name} (refund)",
                attempts=attempts,
                live=sorted(found.refunds, key=lambda refund: refund.id),
                kind="refund",
                operation_of=dict.fromkeys((a.arrival for a in attempts), found.number),
            )
            if lesson is not None and isinstance(found.home, int):
                _count(unit, found.home, lesson.identities[found.home], spare)
            yield unit
    if lesson is not None:
        yield from _never_sent(lesson, placed, spare)


def _never_sent(lesson: Lesson, placed: list[Placed], spare: dict[int, int]) -> Iterator[Unit]:
    """Yield what was learnt to be given back, was charged, and of which no refund was ever sent.

    Where not all payments of an identity are given back, that is sure only once all exist.
    """
    for number, identity in enumerate(lesson.identities):
        members = [found for found in placed if found.home == number]
        charged = sum(len(found.live) for found in members)
        kept = [found for found in members if found.live and not _asked_back(found)]
        lack = min(spare[number], len(kept))
        if lack > 0 and identity.count <= max(identity.refunds, charged):
            name = kept[0].name if len(kept) == 1 else identity.shape
            yield Unit(
                name=f"{name} (refund), never sent",
                attempts=[],
                live=[],
                kind="refund",
                intended=Intended(lack),
            )


def _asked_back(found: Placed) -> bool:
    return any(attempt.step == REFUND for attempt in found.attempts)


def _spare(lesson: Lesson, placed: list[Placed]) -> dict[int, int]:
    """Return by identity how many of its learnt refunds nobody made, or minus what is too many."""
    spare = {number: one.refunds for number, one in enumerate(lesson.identities)}
    for found in placed:
        if isinstance(found.home, int):
            spare[found.home] -= len(found.refunds)
    return spare


def _count(unit: Unit, home: int, identity: Identity, spare: dict[int, int]) -> None:
    """Set what was intended of a unit: what it has, less what is too many, or what it lacks."""
    if not identity.refunds:
        return
    made, excess = len(unit.live), min(max(-spare[home], 0), again(unit.live))
    lack = max(spare[home], 0) if identity.count <= 1 or not made else 0
    if identity.count > 1:
        lack = min(lack, 1)
    spare[home] += excess - lack
    unit.excess = excess or None
    unit.intended = Intended(made - excess + lack)


def again(refunds: list[Live]) -> int:
    """Return how many refunds are of a charge that had one before."""
    charges = Counter(refunded(refund) for refund in refunds)
    return sum(number - 1 for number in charges.values())


def alike(refunds: list[Live]) -> bool:
    """Return whether two refunds are of one charge and one amount: parts of it may differ."""
    parts = Counter((refunded(refund), refund.amount) for refund in refunds)
    return any(number > 1 for number in parts.values())


def refunded(refund: Live) -> str | None:
    """Return the charge of which a refund is."""
    moved = refund.maker.moved
    return None if moved is None else moved.charge or moved.payment_intent
