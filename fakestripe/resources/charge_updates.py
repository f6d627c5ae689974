"""Changing what a charge says, never what it moved (stripe-facts 4.1).

The customer and the transfer group can be set once; the texts of those refusals are unknown [G].
"""

from typing import Final

from msgspec import UNSET, Struct, UnsetType, structs

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.params import Params, Readers, missing
from fakestripe.resources.addresses import Shipping, read_shipping
from fakestripe.resources.charge_lists import groups_of
from fakestripe.resources.charge_object import Charge, FraudDetails
from fakestripe.resources.charges import find
from fakestripe.resources.desk import Desk
from fakestripe.resources.metadata import merged
from fakestripe.resources.sources import no_such

REPORTS: Final = ("fraudulent", "safe")


class UpdateCharge(Struct, frozen=True, gc=False):
    """What ``POST /v1/charges/:id`` asks for; what is unset stays as it is."""

    customer: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    fraud_details: FraudDetails | UnsetType = UNSET
    metadata: dict[str, str] | UnsetType = UNSET
    receipt_email: str | UnsetType | None = UNSET
    shipping: Shipping | UnsetType | None = UNSET
    transfer_group: str | UnsetType = UNSET


def read_report(params: Params, name: str) -> FraudDetails:
    """Read what its owner says of a charge."""
    given = params.below(name)
    if given is None:
        raise missing(name)
    given.only(frozenset({"user_report"}))
    report = given.choice("user_report", REPORTS)
    return FraudDetails(UNSET if report is None else report)


_UPDATE: Final[Readers] = {
    "customer": Params.text,
    "description": Params.unsettable,
    "fraud_details": read_report,
    "metadata": Params.metadata,
    "receipt_email": Params.unsettable,
    "shipping": read_shipping,
    "transfer_group": Params.text,
}


def read_update(params: Params) -> UpdateCharge:
    """Read the parameters of an update."""
    params.only(_UPDATE.keys())
    return UpdateCharge(**params.given(_UPDATE))


def check_update(desk: Desk, command: UpdateCharge) -> None:
    """Refuse an unknown charge or customer."""
    find(desk.ledger, desk.name)
    customer = command.customer
    if customer is not UNSET and not _known(desk, customer):
        raise no_such("customer", customer, param="customer")


def _known(desk: Desk, customer: str) -> bool:
    return desk.ledger.lenient or desk.ledger.get("customer", customer) is not None


def make_update(desk: Desk, command: UpdateCharge) -> Change:
    """Return the change that updates; where nothing changes, nothing is told."""
    check_update(desk, command)
    charge = find(desk.ledger, desk.name)
    for name in ("customer", "transfer_group"):
        _check_once(charge, name, getattr(command, name))
    given = {name: value for name, value in structs.asdict(command).items() if value is not UNSET}
    if "metadata" in given:
        given["metadata"] = merged(charge.metadata, given["metadata"])
    after = structs.replace(charge, **given)
    if after == charge:
        return Change(answer=charge, ids=(charge.id,))
    return Change(
        writes=(Write("charge", after.id, after, groups_of(after)),),
        answer=after,
        ids=(after.id,),
        events=(EventDraft("charge.updated", after, charge),),
    )


def _check_once(charge: Charge, name: str, given: str | UnsetType) -> None:
    """Refuse to change what is set already; to say it again is fine."""
    known = getattr(charge, name)
    if given is UNSET or known is None or known == given:
        return
    raise StripeError(
        400,
        f"{name} can only be set if it has not already been set on the Charge.",
        param=name,
        recorded=True,
    )
