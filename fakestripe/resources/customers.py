"""Customers: create and retrieve, and the card a customer is charged on.

Under ``customers: any`` every string is a customer with a working card, made as part of the
charge's own change; a GET of an unseen id stays 404 (design 5).
"""

import re
from typing import Final

from msgspec import Struct

from fakestripe.bank.change import Change, EventDraft, Group, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import NONE, Params, Readers
from fakestripe.resources.addresses import Address, Shipping, read_address, read_shipping
from fakestripe.resources.desk import Desk
from fakestripe.resources.entered_cards import verified
from fakestripe.resources.presented import Source, check_attachable, presented, read_source, take
from fakestripe.resources.sources import EMPTY, Card, Empty, no_such


class InvoiceSettings(Struct, frozen=True, gc=False):
    """Constant part of a customer."""

    custom_fields: None = None
    default_payment_method: None = None
    footer: None = None
    rendering_options: None = None


class Customer(Struct, frozen=True, kw_only=True, gc=False):
    """The customer object, in Stripe's field order."""

    id: str
    object: str = "customer"
    address: Address | None = None
    balance: int = 0
    created: int
    currency: str | None = None
    customer_account: None = None
    default_source: str | None = None
    delinquent: bool = False
    description: str | None = None
    discount: None = None
    email: str | None = None
    invoice_prefix: str = "FAKE0001"
    invoice_settings: InvoiceSettings = InvoiceSettings()
    livemode: bool = False
    metadata: dict[str, str] | Empty = EMPTY
    name: str | None = None
    next_invoice_sequence: int = 1
    phone: str | None = None
    preferred_locales: tuple[str, ...] = ()
    shipping: Shipping | None = None
    tax_exempt: str = "none"
    test_clock: None = None


class DeletedCustomer(Struct, frozen=True, gc=False):
    """What is left of a customer that was deleted."""

    id: str
    object: str = "customer"
    deleted: bool = True


DELETED: Final = "deleted customer"
"""The kind under which the ledger keeps them."""


class CreateCustomer(Struct, frozen=True, gc=False):
    """What ``POST /v1/customers`` asks for."""

    id: str | None = None
    email: str | None = None
    name: str | None = None
    phone: str | None = None
    description: str | None = None
    address: Address | None = None
    shipping: Shipping | None = None
    metadata: dict[str, str] | None = None
    source: Source | None = None


_ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+")


def read_email(params: Params, name: str) -> str | None:
    """Read an email address, or None where absent or unset."""
    address = params.unsettable(name)
    if address is not None and not _ADDRESS.fullmatch(address):
        text = f"Invalid email address: {address}"  # [L]
        raise invalid_request(text, param=name, code="email_invalid")
    return address


_CREATE: Final[Readers] = {
    "id": Params.text,
    "email": read_email,
    "name": Params.unsettable,
    "phone": Params.unsettable,
    "description": Params.unsettable,
    "address": read_address,
    "shipping": read_shipping,
    "metadata": Params.metadata,
    "source": read_source,
}
NOT_EMULATED: Final = frozenset(
    {
        "balance",
        "business_name",
        "cash_balance",
        "individual_name",
        "invoice_prefix",
        "invoice_settings",
        "next_invoice_sequence",
        "payment_method",
        "preferred_locales",
        "tax",
        "tax_exempt",
        "tax_id_data",
        "test_clock",
        "validate",
    }
)


def read_create(params: Params) -> CreateCustomer:
    """Read the parameters of a new customer."""
    params.only(_CREATE.keys(), refused=NOT_EMULATED)
    return CreateCustomer(**params.given(_CREATE))


def check_create(desk: Desk, command: CreateCustomer) -> None:
    """Refuse an id that is taken and an unknown source."""
    if command.id is not None and desk.ledger.get("customer", command.id) is not None:
        raise invalid_request("Customer already exists.", code="resource_already_exists")
    if command.source is not None:
        presented(desk.ledger, command.source)


def make_create(desk: Desk, command: CreateCustomer) -> Change:
    """Return the change that creates a customer, with its card where a source is given."""
    check_create(desk, command)  # again: its id may have been taken since
    ledger = desk.ledger
    customer_id = command.id or ledger.ids.short("cus")
    card, beside = attached(desk, command.source, customer_id)
    customer = Customer(
        id=customer_id,
        created=desk.second,
        default_source=card.id if card else None,
        email=command.email,
        name=command.name,
        phone=command.phone,
        description=command.description,
        address=command.address,
        shipping=command.shipping,
        metadata=kept(command.metadata),
    )
    return Change(
        writes=(*beside, *writes_of(customer, card)),
        answer=customer,
        events=(EventDraft("customer.created", customer),),
    )


def attached(
    desk: Desk, source: Source | None, customer_id: str
) -> tuple[Card | None, tuple[Write, ...]]:
    """Return the card of a customer that a source becomes, and what taking it writes."""
    if source is None:
        return None, ()
    taken, writes = take(desk, presented(desk.ledger, source), customer_id)
    check_attachable(taken)
    return verified(taken), writes


def writes_of(customer: Customer, card: Card | None) -> tuple[Write, ...]:
    """Return the writes of a customer and its card."""
    written = Write("customer", customer.id, customer, groups_of(customer))
    return (written,) if card is None else (written, write_of_card(card))


def write_of_card(card: Card) -> Write:
    """Return the write of a card, in the list of its customer where it has one."""
    return Write("card", card.id, card, () if card.customer is None else (card.customer,))


LIVING: Final = "living"
"""The group of all customers that were not deleted."""


def groups_of(customer: Customer) -> tuple[Group, ...]:
    """Return the lists that a customer stands in: of all, and of those with this address."""
    return (LIVING,) if customer.email is None else (LIVING, ("email", customer.email))


def kept(metadata: dict[str, str] | None) -> dict[str, str] | Empty:
    """Return the metadata of a new object: an empty value is none."""
    if not metadata:
        return EMPTY
    if "" not in metadata.values():
        return metadata
    return {key: value for key, value in metadata.items() if value != ""} or EMPTY


def find(ledger: Ledger, customer_id: str) -> Customer:
    """Return a customer; raises a 404 for an id that is unknown, or of nobody any more."""
    found: Customer | None = ledger.get("customer", customer_id)
    if found is None:
        raise no_such("customer", customer_id, param="id", status=404)
    return found


def show(desk: Desk, params: Params) -> Customer | DeletedCustomer:
    """Answer ``GET /v1/customers/:id``: of one that was deleted, what is left."""
    params.only(NONE)
    gone: DeletedCustomer | None = desk.ledger.get(DELETED, desk.name)
    if gone is not None and desk.ledger.get("customer", desk.name) is None:
        return gone
    return find(desk.ledger, desk.name)
