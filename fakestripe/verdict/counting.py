"""The table of words: what stands in the ledger against what was intended and what is believed.

  ledger against intents   believes paid      believes failed   never told        hung
  once each, right amount  clean if told *    orphan            clean if told *   inconclusive
  more than intended       duplicate          duplicate         duplicate         duplicate
  fewer than intended      missing            unpaid            inconclusive      inconclusive
  fewer, and a spend cap   missing            cap_exceeded      cap_exceeded      cap_exceeded
    refused the last try
  once, wrong amount       overcharged or undercharged, whatever is believed
                                                              * else inconclusive

Without intents a second charge is a duplicate only where it can be nothing else.
"""

from collections.abc import Hashable
from typing import Final

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.settling import is_delivered, is_over
from fakestripe.verdict import words
from fakestripe.verdict.belief import Believed
from fakestripe.verdict.finding import Intended
from fakestripe.verdict.refunds import alike, refunded
from fakestripe.verdict.run import Run
from fakestripe.verdict.stopping import stopped
from fakestripe.verdict.telling import telling
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import REFUND, Unit

REFUSED: Final = frozenset({400, 402})


class Count(Struct, frozen=True):
    """A word, its reasons where it is inconclusive, and what the explanation should mention."""

    word: str
    reasons: tuple[str, ...] = ()
    elsewhere: str | None = None


CLEAN: Final = Count("clean")
CAPPED: Final = Count("cap_exceeded")


def _doubt(reason: str) -> Count:
    return Count("inconclusive", (reason,))


def count(unit: Unit, run: Run) -> Count:
    """Return the word of one unit, before anybody asks for proof."""
    believed = run.beliefs.of(unit)
    if unit.stray:
        return _stray(unit, run)
    if unit.intended is None:
        return _unasked(unit, believed, run)
    found = [
        _number(unit, unit.intended, believed, run),
        *(_amount(live, unit.intended) for live in unit.live),
        _told(unit, believed, run),
    ]
    return min(found, key=lambda one: words.ORDER[one.word])


def _stray(unit: Unit, run: Run) -> Count:
    """Judge a charge that fits nothing which was intended."""
    amounts = {(live.amount, live.currency) for live in unit.live}
    others = [live for other in run.units if other is not unit for live in other.live]
    equal = any((live.amount, live.currency) in amounts for live in others)
    if len(unit.live) > 1 and repeats(unit, run):
        return Count("duplicate")
    return Count("duplicate") if run.in_check and equal else _doubt("intent_unmatched")


def _unasked(unit: Unit, believed: Believed, run: Run) -> Count:
    """Judge an operation of which nothing was said beforehand."""
    if len(unit.live) > 1:
        if unit.kind == "refund" and not alike(unit.live):
            return _told(unit, believed, run)
        return Count("duplicate") if repeats(unit, run) else _doubt("ambiguous_repeat")
    if not unit.live:
        if stopped(unit):
            return CAPPED
        refused = any(is_delivered(a) and a.status in REFUSED for a in unit.attempts)
        return CLEAN if refused else _doubt("outcome_unknown")
    return _told(unit, believed, run)


def _number(unit: Unit, intended: Intended, believed: Believed, run: Run) -> Count:
    live = len(unit.live)
    if live > intended.count or unit.excess or _one_key_twice(unit):
        return Count("duplicate")
    lack = intended.count - live
    if lack == 0:
        return CAPPED if _is_cut_short(unit, intended, believed) else CLEAN
    return _lacking(unit, lack, believed, run)


def _is_cut_short(unit: Unit, intended: Intended, believed: Believed) -> bool:
    """Return whether a cap stopped one of several payments that nothing tells apart.

    There are as many charges as were meant, but perhaps as many too many of one as another one
    lacks: the cap made the number come out.
    """
    several = intended.count > 1 or unit.identity is not None
    return several and believed.paid < max(intended.count, 1) and bool(stopped(unit))


def _one_key_twice(unit: Unit) -> bool:
    """Return whether a key, which stands for one payment, made two."""
    makers = [live.maker for live in unit.live if live.maker.idempotency_key is not None]
    return len({(maker.account, maker.idempotency_key) for maker in makers}) < len(makers)


def _lacking(unit: Unit, lack: int, believed: Believed, run: Run) -> Count:
    if believed.paid > len(unit.live):
        return _doubt("intent_unmatched") if run.strays() else Count("missing")
    if stopped(unit):
        return CAPPED
    sure = not believed.unknown and not believed.hung
    if believed.some_failed or (sure and believed.failed >= lack):
        return Count("unpaid")
    if believed.hung:
        return _doubt("client_hung")
    return _doubt("outcome_unknown" if unit.attempts else "intent_unmatched")


def _amount(live: Live, intended: Intended) -> Count:
    if intended.amount is None or live.amount == intended.amount:
        wrong = intended.currency is not None and intended.currency.lower() != live.currency
        return _doubt("intent_unmatched") if wrong else CLEAN
    return Count("overcharged" if live.amount > intended.amount else "undercharged")


def _told(unit: Unit, believed: Believed, run: Run) -> Count:
    """Judge charges that are right by number: whether the client knows of them."""
    live, untold = unit.live, [one for one in unit.live if not run.told(one)]
    if not live:
        return CLEAN
    elsewhere = _elsewhere(unit, believed, run)
    if elsewhere is not None:
        return Count("orphan", (), elsewhere)
    if believed.some_failed:
        return Count("orphan") if untold else CLEAN
    if len(live) > believed.paid + believed.unknown + believed.hung:
        return Count("orphan")
    if believed.hung:
        return _doubt("client_hung")
    return _doubt("outcome_unknown") if untold else CLEAN


def _elsewhere(unit: Unit, believed: Believed, run: Run) -> str | None:
    """Return a charge that was reported of this unit and belongs to another."""
    for report in believed.reports:
        owner = run.owner.get(report.outcome.charge or "")
        if owner is not None and owner is not unit:
            return report.outcome.charge
    return None


def repeats(unit: Unit, run: Run) -> list[Live]:
    """Return the charges of a unit that can be nothing but one of its others made again.

    One is that has the key of an earlier one, or that shares a telling parameter with one which
    had ended and was not told by then. Whoever was told once is looked at no more.
    """
    known: set[Hashable] = set()
    untold: dict[Hashable, list[Live]] = {}
    found = []
    for live in sorted(unit.live, key=lambda one: one.maker.arrival):
        maker, part = live.maker, _part(live)
        again = (part, maker.idempotency_key) in known
        for pair in telling(maker):
            waiting = untold.setdefault((part, pair), [])
            again |= _is_lost_among(waiting, maker, run)
            waiting.append(live)
        if again:
            found.append(live)
        if maker.idempotency_key is not None:
            known.add((part, maker.idempotency_key))
    return found


def _is_lost_among(waiting: list[Live], maker: Attempt, run: Run) -> bool:
    """Return whether one of these had ended untold when ``maker`` began; it is first next."""
    for place, before in enumerate(waiting):
        if not run.told_before(before, maker) and is_over(before.maker, maker.started_s):
            waiting.insert(0, waiting.pop(place))
            return True
    waiting[:] = [before for before in waiting if not run.told_before(before, maker)]
    return False


def _part(live: Live) -> Hashable:
    """Return what only a refund has to share with another to be one: its charge and amount."""
    return (refunded(live), live.amount) if live.maker.step == REFUND else None
