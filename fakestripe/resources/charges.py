"""Charges: create, retrieve (stripe-facts 4).

What Connect adds (fees, destinations) is refused aloud: a charge made without it would be wrong.
"""

from typing import Final

from msgspec import Struct

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import NONE, Params, Readers
from fakestripe.resources.addresses import Shipping, read_shipping
from fakestripe.resources.cards import Decline, decline_of, declined
from fakestripe.resources.charge_lists import groups_of
from fakestripe.resources.charge_object import CAPTURE_WINDOW, Charge, details_of, outcome_of
from fakestripe.resources.currencies import check_amount, read_currency
from fakestripe.resources.customers import kept
from fakestripe.resources.descriptors import calculated, read_descriptor
from fakestripe.resources.desk import Desk
from fakestripe.resources.payer import find_payer
from fakestripe.resources.presented import Source, read_source
from fakestripe.resources.sources import Card, behind, no_such

CONNECT: Final = frozenset(
    {
        "application_fee",
        "application_fee_amount",
        "destination",
        "on_behalf_of",
        "transfer_data",
    }
)


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


_OPTIONAL: Final[Readers] = {
    "source": read_source,
    "customer": Params.text,
    "capture": Params.boolean,
    "description": Params.unsettable,
    "metadata": Params.metadata,
    "receipt_email": Params.unsettable,
    "shipping": read_shipping,
    "statement_descriptor": read_descriptor,
    "statement_descriptor_suffix": read_descriptor,
    "transfer_group": Params.text,
}
_CREATE: Final = frozenset({*CreateCharge.__struct_fields__, "radar_options"})


def read_create(params: Params) -> CreateCharge:
    """Read the parameters of a new charge."""
    params.only(_CREATE, refused=CONNECT)
    amount = params.required_int("amount", minimum=1)
    currency = read_currency(params)
    check_amount(amount, currency)
    command = CreateCharge(amount=amount, currency=currency, **params.given(_OPTIONAL))
    if command.source is None and command.customer is None:
        raise invalid_request("Must provide source or customer.", code="parameter_missing")
    return command


def check_create(desk: Desk, command: CreateCharge) -> None:
    """Refuse an unknown customer, token or source."""
    find_payer(desk.ledger, command.source, command.customer)


def make_create(desk: Desk, command: CreateCharge) -> Change:
    """Return the change that charges: a decline leaves a failed charge and a 402."""
    payer = find_payer(desk.ledger, command.source, command.customer)
    card, beside = payer.pay(desk)
    decline = decline_of(behind(card))
    charge = new_charge(desk, command, card, decline, desk.ledger.ids.family())
    return Change(
        writes=(*beside, Write("charge", charge.id, charge, groups_of(charge))),
        answer=charge,
        refusal=None if decline is None else declined(decline, charge=charge.id),
        moved=moved_by(charge),
        ids=(charge.id,),
        events=(EventDraft("charge.succeeded" if decline is None else "charge.failed", charge),),
    )


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
    return Charge(
        id=charge_id,
        amount=command.amount,
        amount_captured=command.amount if captured else 0,
        balance_transaction=ids.of_payment("txn", family) if captured else None,
        calculated_statement_descriptor=calculated(
            command.statement_descriptor, command.statement_descriptor_suffix
        ),
        captured=captured,
        created=second,
        currency=command.currency,
        customer=card.customer,
        description=command.description,
        failure_code=decline.code if decline else None,
        failure_message=decline.message if decline else None,
        metadata=kept(command.metadata),
        outcome=outcome_of(decline, elevated=behind(card).elevated),
        paid=not failed,
        payment_method=card.id,
        payment_method_details=details_of(
            card, command.amount, failed=failed, capture_before=held
        ),
        receipt_email=command.receipt_email,
        receipt_url=None if failed else receipt_url(charge_id),
        shipping=command.shipping,
        source=card,
        statement_descriptor=command.statement_descriptor,
        statement_descriptor_suffix=command.statement_descriptor_suffix,
        status="failed" if failed else "succeeded",
        transfer_group=command.transfer_group,
    )


def receipt_url(charge_id: str) -> str:
    """Return a receipt address of today's form."""
    return f"https://pay.stripe.com/receipts/payment/CAcaFwoV{charge_id[3:]}"


def find(ledger: Ledger, charge_id: str, *, param: str = "id") -> Charge:
    """Return a charge; raises a 404 for an unknown id."""
    found: Charge | None = ledger.get("charge", charge_id)
    if found is None:
        raise no_such("charge", charge_id, param=param, status=404)
    return found


def show(desk: Desk, params: Params) -> Charge:
    """Answer ``GET /v1/charges/:id``."""
    params.only(NONE)
    return find(desk.ledger, desk.name)
