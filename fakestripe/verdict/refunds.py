"""Refunds as units of their own: how many of an operation were meant, and which are too many.

Two refunds of one charge are one too many where more refunds exist than were learnt. The first
refund of a charge never is: a client may give back what it is in doubt about, and where no refund
was learnt, nothing was intended either. Parts of different amounts are no repeats of each other.
One that was learnt and never sent is a lack of its own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.lesson import Identity, Lesson
from fakestripe.protocol.operation import flat_of, id_in
from fakestripe.verdict.finding import Intended
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import REFUND, Placed, Unit


def refund_units(lesson: Lesson | None, placed: list[Placed]) -> Iterator[Unit]:
    """Yield the refunds of every operation that has any, and those that were never sent."""
    units = {
        found.number: Unit(
            name=f"{found.name} (refund)",
            attempts=attempts,
            live=sorted(found.refunds, key=lambda refund: refund.id),
            kind="refund",
            operation_of=dict.fromkeys((a.arrival for a in attempts), found.number),
        )
        for found in placed
        if (attempts := [attempt for attempt in found.attempts if attempt.step == REFUND])
    }
    never = [] if lesson is None else list(_counted(lesson, placed, units))
    yield from (*units.values(), *never)


def _counted(lesson: Lesson, placed: list[Placed], units: Mapping[int, Unit]) -> Iterator[Unit]:
    """Set what was intended of each unit, and yield what was learnt and never sent."""
    for number, identity in enumerate(lesson.identities):
        members = [found for found in placed if found.home == number]
        own = [units[found.number] for found in members if found.number in units]
        if identity.refunds:
            spare = identity.refunds - sum(len(unit.live) for unit in own)
            _excess(own, -spare)
            yield from _never_sent(identity, members, _lack(identity, own, spare))


def _excess(units: list[Unit], over: int) -> None:
    """Blame what is too many on those that repeat a key, a part of a charge, or a charge."""
    for unit in units:
        unit.intended = Intended(len(unit.live))
    for repeats in (_of_one_key, _of_one_part, again):
        for unit in units:
            more = min(over, repeats(unit.live) - (unit.excess or 0))
            if more > 0:
                over -= more
                unit.excess = (unit.excess or 0) + more
                unit.intended = Intended(len(unit.live) - unit.excess)


def _lack(identity: Identity, units: list[Unit], spare: int) -> int:
    """Let units carry what is lacking, each of several what it tried in vain; return the rest."""
    for unit in units:
        made, parts = len(unit.live), {_part(attempt) for attempt in unit.attempts}
        lack = max(spare, 0) if identity.count <= 1 else max(min(spare, len(parts) - made), 0)
        spare -= lack
        if lack:
            unit.intended = Intended(made + lack)
    return spare


def _part(attempt: Attempt) -> tuple[str | None, str | None]:
    """Return what a request gives back: of what, and how much."""
    flat = flat_of(attempt)
    about = flat.get("charge") or flat.get("payment_intent") or id_in(attempt.path)
    return about, flat.get("amount")


def _never_sent(identity: Identity, members: list[Placed], spare: int) -> Iterator[Unit]:
    """Yield what was learnt to be given back, was charged, and of which no refund was ever sent.

    Where not all payments of an identity are given back, that is sure only once all exist.
    """
    charged = sum(len(found.live) for found in members)
    kept = [found for found in members if found.live and not _asked_back(found)]
    lack = min(spare, len(kept))
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


def _of_one_key(refunds: list[Live]) -> int:
    """Return how many refunds are of a key that made one before."""
    makers = [refund.maker for refund in refunds]
    keys = Counter((one.account, one.idempotency_key or one.arrival) for one in makers)
    return sum(number - 1 for number in keys.values())


def _of_one_part(refunds: list[Live]) -> int:
    """Return how many refunds are of a charge and an amount that had one before."""
    parts = Counter((refunded(refund), refund.amount) for refund in refunds)
    return sum(number - 1 for number in parts.values())


def again(refunds: list[Live]) -> int:
    """Return how many refunds are of a charge that had one before."""
    charges = Counter(refunded(refund) for refund in refunds)
    return sum(number - 1 for number in charges.values())


def alike(refunds: list[Live]) -> bool:
    """Return whether two refunds are of one charge and one amount: parts of it may differ."""
    return _of_one_part(refunds) > 0


def refunded(refund: Live) -> str | None:
    """Return the charge of which a refund is."""
    moved = refund.maker.moved
    return None if moved is None else moved.charge or moved.payment_intent
