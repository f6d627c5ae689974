"""The differential oracle: the charges of a run against those of the run without faults.

It knows nothing of intents, beliefs and operations, only the multiset of charges: amount,
currency, and the parameters of the request that made each. Where it and the verdict disagree,
neither is believed alone.
"""

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.lesson import Lesson, Pairs
from fakestripe.sweeping.requests import pairs_of
from fakestripe.verdict.truth import truth_of

Money: TypeAlias = tuple[int, str]
Charges: TypeAlias = Counter[tuple[int, str, Pairs]]

SURPLUS = frozenset({"duplicate", "overcharged"})
"""Words that say there is a charge which there would not have been."""
LACK = frozenset({"missing", "unpaid", "cap_exceeded"})
CERTAIN = frozenset({"clean", "orphan"})
"""Words that say the charges are the same as without faults."""


class Compared(Struct, frozen=True):
    """How the charges of a run differ: what is too many, and what is too few, by money.

    ``drifted``: the money is the same, and the parameters it was asked for with are not.
    """

    surplus: tuple[Money, ...] = ()
    lack: tuple[Money, ...] = ()
    drifted: bool = False

    @property
    def words(self) -> str:
        """The difference for a reader."""
        parts = [_counted(self.surplus, "more"), _counted(self.lack, "fewer")]
        told = " and ".join(part for part in parts if part)
        return told or ("none in money, but in parameters" if self.drifted else "none")

    def disagrees(self, word: str) -> bool:
        """Return whether a verdict says otherwise."""
        if word in SURPLUS:
            return not self.surplus
        if word in LACK:
            return bool(self.surplus) or not self.lack
        return word in CERTAIN and bool(self.surplus or self.lack)


def charges_of(attempts: Iterable[Attempt], lesson: Lesson) -> Charges:
    """Return the multiset of a run's charges."""
    attempts = list(attempts)
    pairs = pairs_of(attempts, lesson)
    return Counter(
        (live.amount, live.currency, pairs[live.maker.arrival])
        for live in truth_of(attempts).charges.values()
    )


def compared(plain: Charges, run: Charges) -> Compared:
    """Return how the charges of a run differ from those without faults."""
    before, after = _money(plain), _money(run)
    surplus = tuple((after - before).elements())
    lack = tuple((before - after).elements())
    return Compared(surplus, lack, drifted=plain != run and not (surplus or lack))


def _money(charges: Charges) -> Counter[Money]:
    money: Counter[Money] = Counter()
    for (amount, currency, _), count in charges.items():
        money[amount, currency] += count
    return money


def _counted(several: Iterable[Money], noun: str) -> str:
    return ", ".join(
        f"{count} {noun} of {amount} {currency}"
        for (amount, currency), count in Counter(several).items()
    )
