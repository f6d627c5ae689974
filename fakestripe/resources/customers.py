"""Customers: create and retrieve, and the card a customer is charged on.

Under ``customers: any`` every string is a customer with a working card, made as part of the
charge's own change; a GET of an unseen id stays 404 (design 5).
"""

from typing import Any

from msgspec import Struct

from fakestripe.bank.change import Change, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.params import Params
from fakestripe.resources.sources import EMPTY, Card, Empty, new_card, token_card


class InvoiceSettings(Struct, frozen=True):
    """Constant part of a customer."""

    custom_fields: None = None
    default_payment_method: str | None = None
    footer: None = None
    rendering_options: None = None


class Customer(Struct, frozen=True, kw_only=True):
    """The customer object, in Stripe's field order."""

    id: str
    object: str = "customer"
    address: dict[str, Any] | None = None
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
    shipping: dict[str, Any] | None = None
    tax_exempt: str = "none"
    test_clock: None = None


class CreateCustomer(Struct, frozen=True):
    """What ``POST /v1/customers`` asks for."""

    id: str | None
    email: str | None
    name: str | None
    phone: str | None
    description: str | None
    address: dict[str, Any] | None
    shipping: dict[str, Any] | None
    metadata: dict[str, str]
    source: str | None


def read_create(params: Params) -> CreateCustomer:
    """Read the parameters of a new customer."""
    command = CreateCustomer(
        id=params.text("id"),
        email=params.unsettable("email"),
        name=params.unsettable("name"),
        phone=params.unsettable("phone"),
        description=params.unsettable("description"),
        address=params.mapping("address"),
        shipping=params.mapping("shipping"),
        metadata=params.metadata() or {},
        source=params.text("source"),
    )
    params.finish()
    return command


def check_create(ledger: Ledger, command: CreateCustomer) -> None:
    """Refuse what needs the ledger but is still validation."""
    if command.id is not None and ledger.get("customer", command.id) is not None:
        raise invalid_request("Customer already exists.", code="resource_already_exists")
    if command.source is not None:
        token_card(ledger, command.source)


def make_create(ledger: Ledger, command: CreateCustomer, now: float) -> Change:
    """Return the change that creates a customer, with its card where a source is given."""
    customer_id = command.id or ledger.ids.short("cus")
    card: Card | None = None
    if command.source is not None:
        card = new_card(ledger, token_card(ledger, command.source), customer_id)
    customer = Customer(
        id=customer_id,
        created=int(now),
        default_source=card.id if card else None,
        email=command.email,
        name=command.name,
        phone=command.phone,
        description=command.description,
        address=command.address,
        shipping=command.shipping,
        metadata=kept(command.metadata),
    )
    writes = (Write("customer", customer_id, customer),)
    if card is not None:
        writes += (Write("card", card.id, card),)
    return Change(writes=writes, answer=customer)


def kept(metadata: dict[str, str]) -> dict[str, str] | Empty:
    """Return the metadata of a new object: an empty value is none."""
    return {key: value for key, value in metadata.items() if value != ""} or EMPTY


def show(ledger: Ledger, customer_id: str) -> Customer:
    """Return a customer; raises a 404 for an unknown id."""
    found: Customer | None = ledger.get("customer", customer_id)
    if found is None:
        raise no_such_customer(customer_id, param="id", status=404)
    return found


def no_such_customer(customer_id: str, *, param: str, status: int = 400) -> StripeError:
    """Return the error for an unknown customer."""
    return invalid_request(
        f"No such customer: '{customer_id}'",
        param=param,
        code="resource_missing",
        status=status,
    )
