"""The balance: what can be paid out, and what will be (stripe-facts 8)."""

from msgspec import Struct

from fakestripe.protocol.params import NONE, Params
from fakestripe.resources.balance_transactions import transactions
from fakestripe.resources.desk import Desk

HOME = "usd"
"""The currency that is shown even where there is none of it."""


class Cards(Struct, frozen=True, gc=False):
    """Money by the kind of source that it came from."""

    card: int


class Funds(Struct, frozen=True, gc=False):
    """An amount of one currency."""

    amount: int
    currency: str
    source_types: Cards


class Balance(Struct, frozen=True, kw_only=True, gc=False):
    """The balance object, in Stripe's field order."""

    object: str = "balance"
    available: tuple[Funds, ...]
    livemode: bool = False
    pending: tuple[Funds, ...]


def show(desk: Desk, params: Params) -> Balance:
    """Answer ``GET /v1/balance``."""
    params.only(NONE)
    transactions(desk.ledger)
    available, pending = {HOME: 0}, {HOME: 0}
    for (currency, day), net in desk.ledger.balance.items():
        held = available if day <= desk.now else pending
        held[currency] = held.get(currency, 0) + net
    return Balance(available=_funds(available), pending=_funds(pending))


def _funds(held: dict[str, int]) -> tuple[Funds, ...]:
    return tuple(Funds(amount, currency, Cards(amount)) for currency, amount in held.items())
