"""Balance transactions: what a captured charge brings, what a refund takes (stripe-facts 8).

They are read off the events when somebody first asks, each event once: nobody pays for them
before. The fee is that of a US card, 2.9 % and 30 cents, in the charge's own currency [G]; a
refund returns no fee. Money is available on the sixth midnight (UTC) after it came, that of
``tok_bypassPending`` at once; what goes back leaves from where its charge's money is [G].
"""

from typing import Any, Final

from msgspec import Struct, structs

from fakestripe.bank.change import Group
from fakestripe.bank.events import Event
from fakestripe.bank.ledger import Collection, Ledger
from fakestripe.protocol.params import NONE, Params
from fakestripe.resources import listing
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.desk import Desk
from fakestripe.resources.refund_object import Refund
from fakestripe.resources.sources import no_such

KIND: Final = "balance_transaction"
URL: Final = "/v1/balance_transactions"
DAY: Final = 86_400
DAYS: Final = 6
PER_MILLE, FIXED = 29, 30
AT_ONCE: Final = "0077"
"""The last digits of the card whose money is available at once."""
_KNOWN: Final = listing.CURSOR | {"created", "currency", "source", "type"}
NOT_FILTERED: Final = frozenset({"payout"})


class FeeDetail(Struct, frozen=True, gc=False):
    """A part of the fee."""

    amount: int
    application: None
    currency: str
    description: str = "Stripe processing fees"
    type: str = "stripe_fee"


class BalanceTransaction(Struct, frozen=True, kw_only=True, gc=False):
    """The balance transaction object, in Stripe's field order."""

    id: str
    object: str = KIND
    amount: int
    available_on: int
    balance_type: str = "payments"
    created: int
    currency: str
    description: str | None
    exchange_rate: None = None
    fee: int = 0
    fee_details: tuple[FeeDetail, ...] = ()
    net: int
    reporting_category: str
    source: str
    status: str = "pending"
    type: str


def transactions(ledger: Ledger) -> Collection:
    """Return all balance transactions, and bring the balance up to date with them."""
    collection = ledger.collection(KIND)
    for _, event in ledger.events.unread(KIND):
        made = _told_by(event, collection)
        if made is not None:
            groups: tuple[Group, ...] = (
                made.source,
                ("type", made.type),
                ("currency", made.currency),
            )
            collection.put(made.id, made, groups)
            day = made.currency, made.available_on
            ledger.balance[day] = ledger.balance.get(day, 0) + made.net
    return collection


def _told_by(event: Event, known: Collection) -> BalanceTransaction | None:
    """Return the transaction that an event tells of, if it moved money."""
    told: Any = event.object
    if event.type in ("charge.succeeded", "charge.captured") and told.captured:
        return _of_charge(told, int(event.created))
    if event.type == "refund.created" and told.balance_transaction is not None:
        return _of_refund(told, known)
    return None


def _of_charge(charge: Charge, second: int) -> BalanceTransaction:
    amount = charge.amount_captured
    fee = (amount * PER_MILLE + 500) // 1000 + FIXED
    at_once = charge.payment_method_details.card.last4 == AT_ONCE
    return BalanceTransaction(
        id=charge.balance_transaction or "",
        amount=amount,
        available_on=_midnight(second) + (0 if at_once else DAYS * DAY),
        created=second,
        currency=charge.currency,
        description=charge.description,
        fee=fee,
        fee_details=(FeeDetail(fee, None, charge.currency),),
        net=amount - fee,
        reporting_category="charge",
        source=charge.id,
        type="charge",
    )


def _of_refund(refund: Refund, known: Collection) -> BalanceTransaction:
    first: BalanceTransaction = known.at(known.places(refund.charge))[0]
    words = "REFUND FOR CHARGE"  # [L]
    return BalanceTransaction(
        id=refund.balance_transaction or "",
        amount=-refund.amount,
        available_on=max(first.available_on, _midnight(refund.created)),
        created=refund.created,
        currency=refund.currency,
        description=f"{words} ({first.description})" if first.description else words,
        net=-refund.amount,
        reporting_category="refund",
        source=refund.id,
        type="refund",
    )


def _midnight(second: int) -> int:
    return second - second % DAY


def as_of(made: BalanceTransaction, now: float) -> BalanceTransaction:
    """Return a transaction as it stands at a time."""
    return structs.replace(made, status="available") if made.available_on <= now else made


def find(desk: Desk, name: str) -> BalanceTransaction | None:
    """Return a transaction as it stands, or None."""
    made: BalanceTransaction | None = transactions(desk.ledger).by_id.get(name)
    return None if made is None else as_of(made, desk.now)


def show(desk: Desk, params: Params) -> BalanceTransaction:
    """Answer ``GET /v1/balance_transactions/:id``."""
    params.only(NONE)
    found = find(desk, desk.name)
    if found is None:
        raise no_such("balance transaction", desk.name, param="id", status=404)
    return found


def list_transactions(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/balance_transactions``; all filters must hold."""
    params.only(_KNOWN, refused=NOT_FILTERED)
    cursor, created = listing.read_cursor(params), listing.read_created(params)
    source, currency, kind = (params.text(name) for name in ("source", "currency", "type"))
    asked: list[Group] = [] if source is None else [source]
    asked += [("type", kind)] if kind is not None else []
    asked += [("currency", currency.lower())] if currency is not None else []
    made = transactions(desk.ledger)
    places = listing.common(made, asked)
    page = listing.page_of(
        made, [places], cursor, url=URL, noun="balance transaction", created=created
    )
    return structs.replace(page, data=[as_of(each, desk.now) for each in page.data])
