"""The refund object, in Stripe's field order (stripe-facts 8), and the charge that it changes."""

from typing import Final

from msgspec import UNSET, Struct, UnsetType, structs

from fakestripe.bank.change import Write
from fakestripe.bank.ids import family_of
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.desk import Desk
from fakestripe.resources.sources import EMPTY, Empty


class CardDestination(Struct, frozen=True, gc=False):
    """How a card gets its money back; a hold that is let go has no reference."""

    reference_status: str | UnsetType = "pending"
    reference_type: str | UnsetType = "acquirer_reference_number"
    type: str = "refund"


class Destination(Struct, frozen=True, gc=False):
    """Where a refund goes."""

    card: CardDestination = CardDestination()
    type: str = "card"


TO_THE_CARD: Final = Destination()
LET_GO: Final = Destination(CardDestination(UNSET, UNSET, "reversal"))


class Refund(Struct, frozen=True, kw_only=True, gc=False):
    """The refund object."""

    id: str
    object: str = "refund"
    amount: int
    balance_transaction: str | None
    charge: str
    created: int
    currency: str
    customer: str | None
    customer_account: None = None
    destination_details: Destination
    metadata: dict[str, str] | Empty = EMPTY
    payment_intent: str | None
    payment_method: str | None
    reason: str | None
    receipt_number: None = None
    source_transfer_reversal: None = None
    status: str = "succeeded"
    transfer_reversal: None = None


def new_refund(
    desk: Desk,
    charge: Charge,
    amount: int,
    *,
    reason: str | None = None,
    metadata: dict[str, str] | Empty = EMPTY,
) -> Refund:
    """Return a refund of a charge; of one not captured a hold is let go, and no money moves."""
    ids, family, moves = desk.ledger.ids, family_of(charge.id), charge.captured
    return Refund(
        id=ids.of_payment("re", family),
        amount=amount,
        balance_transaction=ids.of_payment("txn", family) if moves else None,
        charge=charge.id,
        created=desk.second,
        currency=charge.currency,
        customer=charge.customer,
        destination_details=TO_THE_CARD if moves else LET_GO,
        metadata=metadata,
        payment_intent=charge.payment_intent,
        payment_method=charge.payment_method,
        reason=reason,
    )


def refunded(charge: Charge, amount: int) -> Charge:
    """Return a charge of which so much more has gone back."""
    total = charge.amount_refunded + amount
    return structs.replace(charge, amount_refunded=total, refunded=total == charge.amount)


def written(refund: Refund) -> Write:
    """Return the write of a refund, in the lists of its charge and its payment intent."""
    intent = refund.payment_intent
    groups = (refund.charge,) if intent is None else (refund.charge, intent)
    return Write("refund", refund.id, refund, groups)
