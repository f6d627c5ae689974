"""Charges: create, retrieve (stripe-facts 4).

What Connect adds (fees, destinations) is refused aloud: a charge made without it would be wrong.
"""

from typing import Final

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import NONE, Params, Readers
from fakestripe.resources.addresses import read_shipping
from fakestripe.resources.cards import decline_of, declined
from fakestripe.resources.charge_lists import groups_of
from fakestripe.resources.charge_making import CreateCharge, moved_by, new_charge
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.currencies import check_amount, read_currency
from fakestripe.resources.descriptors import read_descriptor
from fakestripe.resources.desk import Desk
from fakestripe.resources.endpoint import Price
from fakestripe.resources.payer import find_payer
from fakestripe.resources.presented import read_source
from fakestripe.resources.sources import behind, no_such

CONNECT: Final = frozenset(
    {
        "application_fee",
        "application_fee_amount",
        "destination",
        "on_behalf_of",
        "transfer_data",
    }
)


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


def spends(_: Desk, command: CreateCharge) -> Price:
    """Return what a new charge charges, captured or not."""
    return command.amount, command.currency


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
