"""A charge as it is made: the command it follows, what the bank says of it, what it moves.

Whoever charges (a charge of its own, a payment intent) makes it here, with ids of a family of
payments; nothing is written.
"""

from operator import attrgetter
from typing import Final

from msgspec import Struct, structs

from fakestripe.protocol.attempt import Moved
from fakestripe.resources.addresses import Shipping
from fakestripe.resources.cards import VISA, Decline, TestCard
from fakestripe.resources.charge_object import CAPTURE_WINDOW, Charge, details_of, outcome_of
from fakestripe.resources.customers import kept
from fakestripe.resources.descriptors import calculated
from fakestripe.resources.desk import Desk
from fakestripe.resources.presented import Source
from fakestripe.resources.sources import Card, behind, card_of


class CreateCharge(Struct, frozen=True, gc=False):
    """What ``POST /v1/charges`` asks for."""

    amount: int
    currency: str
    source: Source | None = None
    customer: str | None = None
    capture: bool = True
    description: str | None = None
    metadata: dict[str, str] | None = None
    receipt_email: str | None = None
    shipping: Shipping | None = None
    statement_descriptor: str | None = None
    statement_descriptor_suffix: str | None = None
    transfer_group: str | None = None


def moved_by(charge: Charge) -> Moved:
    """Return what a new charge moved."""
    return Moved(
        kind="charge",
        id=charge.id,
        amount=charge.amount,
        currency=charge.currency,
        charge=charge.id,
        customer=charge.customer,
        status=charge.status,
        captured=charge.captured,
        payment_intent=charge.payment_intent,
    )


def new_charge(
    desk: Desk, command: CreateCharge, card: Card, decline: Decline | None, family: str
) -> Charge:
    """Return the charge as it will be written, succeeded or failed, with ids of a family."""
    ids, failed = desk.ledger.ids, decline is not None
    captured = command.capture and decline is None
    charge_id = ids.of_payment("ch", family)
    second = desk.second
    held = None if captured or failed else second + CAPTURE_WINDOW
    return structs.replace(
        _worded(_decided(decline, behind(card)), command),
        id=charge_id,
        amount=command.amount,
        amount_captured=command.amount if captured else 0,
        balance_transaction=ids.of_payment("txn", family) if captured else None,
        captured=captured,
        created=second,
        currency=command.currency,
        customer=card.customer,
        description=command.description,
        metadata=kept(command.metadata),
        payment_method=card.id,
        payment_method_details=details_of(
            card, command.amount, failed=failed, capture_before=held
        ),
        receipt_url=None if failed else receipt_url(charge_id),
        source=card,
    )


_BLANK: Final = Charge(
    id="",
    amount=0,
    amount_captured=0,
    balance_transaction=None,
    captured=False,
    created=0,
    currency="",
    payment_method=None,
    payment_method_details=details_of(card_of(VISA, "", None), 0),
    receipt_url=None,
    source=None,
)
"""What charges share. Python calls with up to fourteen names fast, and a charge has more."""
_words: Final = attrgetter(
    "receipt_email",
    "shipping",
    "statement_descriptor",
    "statement_descriptor_suffix",
    "transfer_group",
)
_UNSAID: Final = _words(CreateCharge(0, ""))


def _decided(decline: Decline | None, test_card: TestCard) -> Charge:
    """Return what the bank said, as a charge shows it."""
    if decline is None and not test_card.elevated:
        return _BLANK
    outcome = outcome_of(decline, elevated=test_card.elevated)
    if decline is None:
        return structs.replace(_BLANK, outcome=outcome)
    return structs.replace(
        _BLANK,
        failure_code=decline.code,
        failure_message=decline.message,
        outcome=outcome,
        paid=False,
        status="failed",
    )


def _worded(charge: Charge, command: CreateCharge) -> Charge:
    """Return a charge with what its caller has said of it."""
    if _words(command) == _UNSAID:
        return charge
    descriptor, suffix = command.statement_descriptor, command.statement_descriptor_suffix
    return structs.replace(
        charge,
        calculated_statement_descriptor=calculated(descriptor, suffix),
        receipt_email=command.receipt_email,
        shipping=command.shipping,
        statement_descriptor=descriptor,
        statement_descriptor_suffix=suffix,
        transfer_group=command.transfer_group,
    )


def receipt_url(charge_id: str) -> str:
    """Return a receipt address of today's form."""
    return f"https://pay.stripe.com/receipts/payment/CAcaFwoV{charge_id[3:]}"
