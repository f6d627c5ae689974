"""Payment methods: create, retrieve, update, list (stripe-facts 4 and 5).

A magic id (``pm_card_visa``) stands for a new method each time it is used; a GET, which writes
nothing, shows it under the magic id itself [G]. Under ``customers: any`` an unseen ``pm_`` id is
a method with a working card, made by the first request that uses it.
"""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import NONE, Params, Readers, missing
from fakestripe.resources.addresses import Address, read_address
from fakestripe.resources.cards import METHODS, VISA
from fakestripe.resources.charge_object import BillingDetails
from fakestripe.resources.customers import kept
from fakestripe.resources.desk import Desk
from fakestripe.resources.entered_cards import read_card
from fakestripe.resources.method_object import PaymentMethod, method_of
from fakestripe.resources.presented import Source, presented, take
from fakestripe.resources.sources import new_card, no_such

NOUN: Final = "PaymentMethod"
KIND: Final = "payment_method"


class NewMethod(Struct, frozen=True, gc=False):
    """What ``POST /v1/payment_methods`` asks for, and ``payment_method_data`` too."""

    card: Source
    allow_redisplay: str | None = None
    billing_details: BillingDetails | None = None
    metadata: dict[str, str] | None = None


_REDISPLAY: Final = ("always", "limited", "unspecified")
_LINES: Final = frozenset(BillingDetails.__struct_fields__)


def _read_billing(params: Params, name: str) -> BillingDetails | None:
    given = params.below(name)
    if given is None:
        return None
    given.only(_LINES)
    texts = {line: given.unsettable(line) for line in _LINES if line != "address"}
    return BillingDetails(address=read_address(given, "address") or Address(), **texts)


_OPTIONAL: Final[Readers] = {
    "allow_redisplay": lambda params, name: params.choice(name, _REDISPLAY),
    "billing_details": _read_billing,
    "metadata": Params.metadata,
}
_CREATE: Final = frozenset({"type", "card", *_OPTIONAL})
_NOT_EMULATED: Final = frozenset({"customer", KIND, "radar_options"})


def read_create(params: Params) -> NewMethod:
    """Read the parameters of a new payment method, which is a card."""
    params.only(_CREATE, refused=_NOT_EMULATED)
    kind = params.required_text("type")
    if kind != "card":
        text = f"fakestripe emulates no payment method of type {kind}, only card."
        raise invalid_request(text, param="type")
    given = params.below("card")
    if given is None:
        raise missing("card")
    return NewMethod(card=_read_face(given), **params.given(_OPTIONAL))


def _read_face(given: Params) -> Source:
    """Read a card by its token, or in full."""
    token = given.text("token")
    if token is None:
        return read_card(given)
    given.only(frozenset({"token"}))
    if not token.startswith("tok_"):
        raise invalid_request(f"Invalid token id: {token}", param="card[token]")
    return token


def check_create(desk: Desk, command: NewMethod) -> None:
    """Refuse an unknown token."""
    presented(desk.ledger, command.card, param="card[token]")


def make_create(desk: Desk, command: NewMethod) -> Change:
    """Return the change that creates a payment method."""
    method, writes = new_method(desk, command)
    return Change(writes=(*writes, Write(KIND, method.id, method)), answer=method)


def new_method(desk: Desk, command: NewMethod) -> tuple[PaymentMethod, tuple[Write, ...]]:
    """Return a new payment method, and what taking its card writes."""
    card, writes = take(desk, presented(desk.ledger, command.card, param="card[token]"))
    method = structs.replace(
        method_of(desk, card),
        allow_redisplay=command.allow_redisplay or "unspecified",
        billing_details=command.billing_details or BillingDetails(),
        metadata=kept(command.metadata),
    )
    return method, writes


def check_known(ledger: Ledger, method_id: str, *, status: int = 400) -> None:
    """Refuse the id of a payment method that there is not."""
    if ledger.get(KIND, method_id) is None and not _stands_in(ledger, method_id):
        raise no_such(NOUN, method_id, param=KIND, status=status)


def _stands_in(ledger: Ledger, method_id: str) -> bool:
    return method_id in METHODS or (ledger.lenient and method_id.startswith("pm_"))


def find(desk: Desk, method_id: str, *, status: int = 400) -> PaymentMethod:
    """Return a payment method, a new one where the id only stands for one."""
    check_known(desk.ledger, method_id, status=status)
    found: PaymentMethod | None = desk.ledger.get(KIND, method_id)
    if found is not None:
        return found
    magic = METHODS.get(method_id)
    card = new_card(desk.ledger, magic or VISA)
    return method_of(desk, card, None if magic else method_id)


def show(desk: Desk, params: Params) -> PaymentMethod:
    """Answer ``GET /v1/payment_methods/:id``."""
    params.only(NONE)
    name = desk.name
    if name not in METHODS and desk.ledger.get(KIND, name) is None:
        raise no_such(NOUN, name, param=KIND, status=404)
    return structs.replace(find(desk, name), id=name)
