"""What the further keys of one account may do, and what each has spent of its cap.

A sum is reserved for a request that is about to charge, settled with the charge in
``Bank.commit``, and released where none was made: so charges at the same time cannot pass the cap
together. Cents only. A day is a day of UTC by the account's clock, and a charge counts on the day
on which its request arrived.

An authorisation counts in full; what a capture leaves of it, or a cancellation voids, is given
back to the key and the day it counted for. So is a refund, where the key says so. Replays and
declines never count.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct, structs

from fakestripe.protocol import refusals
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.further_key import FurtherKey
from fakestripe.protocol.permissions import lacking

DAY: Final = 86_400
USD: Final = "usd"


class Holder(Struct, frozen=True):
    """One further key as its account knows it: by number, and masked; the key is not kept.

    ``shown`` is what it is told apart by, wherever it is shown.
    """

    number: int
    shown: str
    masked: str
    rules: FurtherKey


class Day(Struct, gc=False):
    """What one key has spent on one day, and what is held for requests under way; cents."""

    committed: int = 0
    reserved: int = 0


class Hold(Struct, gc=False):
    """So many cents of a key's cap, on one day, held for one request; 0 once it has ended."""

    holder: Holder
    day: int
    amount: int


class Spending(Struct, gc=False):
    """What one charge still counts: for which key, on which day, how many cents."""

    holder: Holder
    day: int
    amount: int
    captured: bool


class Keys:
    """The further keys of one account, what they have spent, and what is held for them."""

    __slots__ = ("_days", "holders", "spent")

    def __init__(self) -> None:
        self.holders: list[Holder] = []
        self.spent: dict[str, Spending] = {}
        self._days: dict[tuple[int, int], Day] = {}

    def add(self, rules: FurtherKey, shown: str) -> Holder:
        """Know a key from now on; two that look alike when masked are numbered."""
        alike = sum(known.masked == shown for known in self.holders)
        told = f"{shown} ({alike + 1})" if alike else shown
        holder = Holder(len(self.holders), told, shown, structs.replace(rules, key=None))
        self.holders.append(holder)
        return holder

    def change(self, holder: Holder, rules: FurtherKey) -> Holder:
        """Give a key other rules; what it has spent stays."""
        changed = structs.replace(holder, rules=structs.replace(rules, key=None))
        self.holders[holder.number] = changed
        return changed

    def day(self, holder: Holder, day: int) -> Day:
        """Return what a key has spent on a day, counted from 1970."""
        return self._days.setdefault((holder.number, day), Day())

    def days(self, holder: Holder) -> Iterator[tuple[int, Day]]:
        """Return the days on which a key was asked for money, in their order."""
        mine = sorted(at for number, at in self._days if number == holder.number)
        return ((at, self._days[holder.number, at]) for at in mine)

    def reserve(self, holder: Holder, amount: int, currency: str, now: float) -> Hold | None:
        """Hold so much of what a key may spend; dollars are counted without a cap too.

        Raises ``ProxyRefusal`` where it would pass the cap, and, where there is one, in a currency
        that is not dollars: without one, such a charge is not counted (None).
        """
        cap = holder.rules.cap
        if currency != USD:
            if cap is None:
                return None
            raise refusals.other_currency(currency)
        at = int(now // DAY)
        day = self.day(holder, at)
        spent = day.committed + day.reserved + amount
        if cap is not None and spent > cap:
            raise refusals.over_cap(cap, spent)
        day.reserved += amount
        return Hold(holder, at, amount)

    def release(self, hold: Hold) -> None:
        """Let go of what is still held; safe to call twice."""
        self.day(hold.holder, hold.day).reserved -= hold.amount
        hold.amount = 0

    def follow(self, moved: Moved | None, hold: Hold | None) -> None:
        """Count what was moved, by whom ever: a charge for its hold, what came of it later."""
        if hold is not None:
            self.release(hold)
        if moved is None or moved.charge is None:
            return
        if moved.kind == "charge":
            if hold is not None and moved.status != "failed":
                self._count(moved.charge, hold, moved)
            return
        spending = self.spent.get(moved.charge)
        if spending is not None:
            self._follow(spending, moved)

    def _count(self, charge: str, hold: Hold, moved: Moved) -> None:
        self.day(hold.holder, hold.day).committed += moved.amount
        self.spent[charge] = Spending(hold.holder, hold.day, moved.amount, moved.captured)

    def _follow(self, spending: Spending, moved: Moved) -> None:
        if moved.kind == "capture":
            spending.captured = True
            self._give_back(spending, spending.amount - moved.amount)
        elif not spending.captured:
            self._give_back(spending, spending.amount)
        elif moved.kind == "refund" and self._today(spending.holder).refunds_give_back:
            self._give_back(spending, moved.amount)

    def _today(self, holder: Holder) -> FurtherKey:
        """Return the rules that a key has by now."""
        return self.holders[holder.number].rules

    def _give_back(self, spending: Spending, amount: int) -> None:
        spending.amount -= amount
        self.day(spending.holder, spending.day).committed -= amount


def admit(holder: Holder, method: str, path: str, now: float, account: str) -> None:
    """Let a request of a further key in, whatever it costs.

    Raises ``ProxyRefusal`` for what the proxy refuses, and Stripe's 403 for a restricted key
    that lacks the permission (stripe-facts 2.2).
    """
    rules = holder.rules
    if rules.expires_at is not None and now >= rules.expires_at:
        raise refusals.expired(rules.expires_at)
    if rules.endpoints is not None and not _listed(rules.endpoints, method, path):
        raise refusals.other_endpoint(method, path, rules.endpoints)
    if rules.permissions is not None:
        lack = lacking(rules.permissions, method, path)
        if lack is not None:
            raise StripeError(
                403,
                f"Permission denied. The provided key '{holder.shown}' does not have the required "
                f"permissions for this endpoint on account '{account}'. Enabling \"{lack.title}\" "
                f"('{lack.name}') permissions on this key would allow this request to continue.",
                front=True,
            )


def _listed(endpoints: tuple[str, ...], method: str, path: str) -> bool:
    for each in endpoints:
        wanted, _, pattern = each.rpartition(" ")
        star_alone = pattern.replace("[", "[[]").replace("?", "[?]")
        if wanted in ("", method) and fnmatchcase(path, star_alone):
            return True
    return False
