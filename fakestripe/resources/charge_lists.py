"""Lists of charges: all, or those of a customer, a payment intent, a transfer group, a time."""

from typing import Final

from fakestripe.bank.change import Group
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import Params
from fakestripe.resources import listing
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.customers import DELETED
from fakestripe.resources.desk import Desk
from fakestripe.resources.sources import no_such

MOST_OF_A_GROUP: Final = 100
"""The charges that a transfer group may have to be listed."""
OWNERS: Final = ("customer", DELETED)
_KNOWN: Final = listing.CURSOR | {"created", "customer", "payment_intent", "transfer_group"}


def groups_of(charge: Charge) -> tuple[Group, ...]:
    """Return the lists that a charge stands in beside that of all."""
    customer, intent, group = charge.customer, charge.payment_intent, charge.transfer_group
    if intent is None and group is None:
        return () if customer is None else (customer,)
    named = ("payment_intent", intent), ("transfer_group", group)
    words = tuple((word, name) for word, name in named if name is not None)
    return words if customer is None else (customer, *words)


def list_charges(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/charges``, newest first; all filters must hold."""
    params.only(_KNOWN)
    cursor, created = listing.read_cursor(params), listing.read_created(params)
    charges = desk.ledger.collection("charge")
    places = listing.common(charges, _asked_for(desk, params))
    return listing.page_of(
        charges, [places], cursor, url="/v1/charges", noun="charge", created=created
    )


def _asked_for(desk: Desk, params: Params) -> list[Group]:
    """Return the groups that the filters name; a customer or an intent must be known."""
    ledger, found = desk.ledger, list[Group]()
    customer, intent = params.text("customer"), params.text("payment_intent")
    group = params.text("transfer_group")
    if customer is not None:
        if not ledger.lenient and not any(ledger.get(kind, customer) for kind in OWNERS):
            raise no_such("customer", customer, param="customer")
        found.append(customer)
    if intent is not None:
        if ledger.get("payment_intent", intent) is None:
            raise no_such("payment_intent", intent, param="payment_intent")
        found.append(("payment_intent", intent))
    if group is not None:
        found.append(("transfer_group", group))
        if len(ledger.collection("charge").places(found[-1])) > MOST_OF_A_GROUP:
            raise invalid_request(f"Too many charges with transfer group: {group}")
    return found
