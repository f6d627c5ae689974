"""Payment intents: create, retrieve, list (stripe-facts 8).

One that is created without ``confirm`` moves no money; with it, what the confirmation makes is
part of the same change, and a declined one is kept as one that waits for another card.
"""

from typing import Any, Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, EventDraft
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.form import Parameters
from fakestripe.protocol.params import Params, Readers
from fakestripe.resources import listing
from fakestripe.resources.attachments import unseen_customer
from fakestripe.resources.confirming import Confirmation, confirmed
from fakestripe.resources.customers import kept
from fakestripe.resources.desk import Desk
from fakestripe.resources.endpoint import Price
from fakestripe.resources.intent_object import (
    KIND,
    AutomaticMethods,
    PaymentIntent,
    ids_of,
    written,
)
from fakestripe.resources.intent_states import missing_method
from fakestripe.resources.intent_terms import (
    CONFIRMING,
    MEANS,
    NOT_EMULATED,
    TERMS,
    exclusive,
    read_automatic,
    read_confirmation,
    read_money,
    unless_confirmed,
)
from fakestripe.resources.means import (
    CARDS,
    Choice,
    Means,
    check_usable,
    chosen,
    default,
    untouched,
)
from fakestripe.resources.payment_methods import check_known
from fakestripe.resources.presented import presented
from fakestripe.resources.sources import no_such


class CreateIntent(Struct, frozen=True, gc=False):
    """What ``POST /v1/payment_intents`` asks for; ``terms`` are fields of the intent as given."""

    amount: int
    currency: str
    terms: dict[str, Any]
    metadata: dict[str, str] | None = None
    confirmation: Confirmation = Confirmation()
    confirms: bool = False

    @property
    def customer(self) -> str | None:
        """Whose intent it is."""
        name: str | None = self.terms.get("customer")
        return name


_OPTIONAL: Final[Readers] = {
    **TERMS,
    "automatic_payment_methods": read_automatic,
    "confirmation_method": lambda params, name: params.choice(name, ("automatic", "manual")),
}
_WAYS: Final = frozenset({"automatic_payment_methods", "payment_method_types"})
_ONCE: Final = frozenset({"amount", "currency", "confirm", "metadata"})
_CREATE: Final = frozenset({*_ONCE, *_OPTIONAL, *CONFIRMING, *MEANS})


def moves_money(parameters: Parameters) -> bool:
    """Return whether a creation charges: only where it confirms."""
    return parameters.get("confirm") == "true"


def spends(_: Desk, command: CreateIntent) -> Price | None:
    """Return what a new intent charges: nothing, unless it confirms."""
    return (command.amount, command.currency) if command.confirms else None


def read_create(params: Params) -> CreateIntent:
    """Read the parameters of a new intent."""
    params.only(_CREATE, refused=NOT_EMULATED)
    amount, currency = read_money(params)
    confirms = params.boolean("confirm") or False
    if not confirms:
        for name in params.given(CONFIRMING):
            raise unless_confirmed(name)
    given = params.given(_OPTIONAL)
    if not given.keys() & _WAYS:
        given["automatic_payment_methods"] = AutomaticMethods()
    elif given.keys() >= _WAYS:
        raise exclusive("automatic_payment_methods", "payment_method_types")
    return CreateIntent(
        amount=amount,
        currency=currency,
        terms={name: value for name, value in given.items() if value is not None},
        metadata=params.metadata(),
        confirmation=read_confirmation(params),
        confirms=confirms,
    )


def check_create(desk: Desk, command: CreateIntent) -> None:
    """Refuse an unknown customer, and unknown means."""
    check_customer(desk.ledger, command.customer)
    check_choice(desk.ledger, command.confirmation.choice)


def check_customer(ledger: Ledger, name: str | None) -> None:
    """Refuse an unknown customer."""
    if name is not None and not ledger.lenient and ledger.get("customer", name) is None:
        raise no_such("customer", name, param="customer")


def check_choice(ledger: Ledger, choice: Choice) -> None:
    """Refuse an unknown payment method or card, and an unknown token in its details."""
    if choice.details is not None:
        presented(ledger, choice.details.card, param="payment_method_data[card][token]")
    elif choice.name is not None and not _is_card(ledger, choice.name):
        check_known(ledger, choice.name)


def _is_card(ledger: Ledger, name: str) -> bool:
    return ledger.get("card", name) is not None or (ledger.lenient and name.startswith(CARDS))


def make_create(desk: Desk, command: CreateIntent) -> Change:
    """Return the change that creates an intent, and confirms it where that is asked."""
    check_create(desk, command)
    means = chosen(desk, command.confirmation.choice, command.customer)
    intent = _new(desk, command, None if means is None else means.card.id)
    if means is not None:
        check_usable(desk, means, command.customer)
    if command.confirms:
        change = _confirmed(desk, intent, means, command.confirmation)
    else:
        change = Change(writes=untouched(means) if means else (), answer=intent)
    return structs.replace(
        change,
        writes=(*unseen_customer(desk, command.customer), written(intent), *change.writes),
        moved=change.moved or _made(intent),
        ids=change.ids or ids_of(intent),
        events=(EventDraft("payment_intent.created", intent), *change.events),
    )


def _new(desk: Desk, command: CreateIntent, method: str | None) -> PaymentIntent:
    ids = desk.ledger.ids
    intent_id = ids.of_payment("pi", ids.family())
    return PaymentIntent(
        id=intent_id,
        amount=command.amount,
        client_secret=ids.secret(intent_id),
        created=desk.second,
        currency=command.currency,
        metadata=kept(command.metadata),
        payment_method=method,
        status="requires_payment_method" if method is None else "requires_confirmation",
        **command.terms,
    )


def _confirmed(
    desk: Desk, intent: PaymentIntent, means: Means | None, asked: Confirmation
) -> Change:
    """Return what confirming a new intent changes; one that nothing pays is kept, and refused."""
    means = means or default(desk, intent.customer)
    if means is None:
        return Change(refusal=missing_method(intent))
    return confirmed(desk, intent, means, asked)


def _made(intent: PaymentIntent) -> Moved:
    """Return what an intent without a charge moved."""
    return Moved(
        kind="intent",
        id=intent.id,
        amount=intent.amount,
        currency=intent.currency,
        customer=intent.customer,
        payment_intent=intent.id,
    )


def find(ledger: Ledger, intent_id: str) -> PaymentIntent:
    """Return an intent; raises a 404 for an unknown id."""
    found: PaymentIntent | None = ledger.get(KIND, intent_id)
    if found is None:
        raise no_such(KIND, intent_id, param="intent", status=404)
    return found


def show(desk: Desk, params: Params) -> PaymentIntent:
    """Answer ``GET /v1/payment_intents/:id``."""
    params.only(frozenset({"client_secret"}))
    return find(desk.ledger, desk.name)


def list_intents(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/payment_intents``, newest first, of a customer or a time where asked."""
    params.only(listing.CURSOR | {"created", "customer"}, refused=frozenset({"customer_account"}))
    cursor, created = listing.read_cursor(params), listing.read_created(params)
    customer = params.text("customer")
    check_customer(desk.ledger, customer)
    return listing.page(
        desk.ledger.collection(KIND),
        cursor,
        url="/v1/payment_intents",
        noun=KIND,
        group=customer,
        created=created,
    )
