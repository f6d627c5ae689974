"""What a payment intent is paid with: a payment method, or a card that its customer has.

First what the confirmation says, then what the intent says, then the card that the customer is
charged on, as Stripe does for who comes from charges. Who may use whose payment method is decided
here; whose card works is not.
"""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Write
from fakestripe.protocol.errors import StripeError
from fakestripe.resources.attachments import check_unspent, spend, written
from fakestripe.resources.charge_object import BillingDetails
from fakestripe.resources.customers import Customer
from fakestripe.resources.desk import Desk
from fakestripe.resources.intent_object import PaymentIntent
from fakestripe.resources.intent_states import refusal
from fakestripe.resources.method_object import PaymentMethod, asked, card_behind
from fakestripe.resources.payer import find_payer
from fakestripe.resources.payment_methods import NewMethod, find, new_method
from fakestripe.resources.sources import Card

CARDS: Final = ("card_", "src_")


class Means(Struct, frozen=True, gc=False):
    """A card, under the id that the charge shows; ``beside`` is what taking it writes.

    ``method`` is the payment method that it belongs to, if it does; ``chosen`` says that somebody
    named it, rather than that the customer is charged on it.
    """

    card: Card
    method: PaymentMethod | None = None
    beside: tuple[Write, ...] = ()
    chosen: bool = True

    @property
    def billing(self) -> BillingDetails:
        """Who is billed."""
        return BillingDetails() if self.method is None else self.method.billing_details


class Choice(Struct, frozen=True, gc=False):
    """What a request says about the means: the id of some, or the details of new ones."""

    name: str | None = None
    details: NewMethod | None = None


def chosen(desk: Desk, choice: Choice, customer: str | None) -> Means | None:
    """Return the means that a request chooses, or None where it chooses none."""
    if choice.details is not None:
        method, beside = new_method(desk, choice.details)
        return Means(card_behind(method, customer), method, beside)
    name = choice.name
    if name is None:
        return None
    if name.startswith(CARDS):
        card, beside = find_payer(desk.ledger, name, customer).pay(desk)
        return Means(card, beside=beside)
    method = find(desk, name)
    return Means(card_behind(method, customer), method)


def default(desk: Desk, customer_id: str | None) -> Means | None:
    """Return the card that a customer is charged on, or None."""
    if customer_id is None:
        return None
    customer: Customer | None = desk.ledger.get("customer", customer_id)
    if not desk.ledger.lenient and (customer is None or customer.default_source is None):
        return None
    card, beside = find_payer(desk.ledger, None, customer_id).pay(desk)
    return Means(card, beside=beside, chosen=False)


def check_usable(desk: Desk, means: Means, customer: str | None) -> None:
    """Refuse a payment method of somebody else, or one that may not be used again: recorded."""
    method = means.method
    if method is None:
        return
    owner = method.customer
    if owner is None:
        check_unspent(desk.ledger, method.id)
    elif customer is None:
        raise StripeError(
            400,
            f"The `payment_method` parameter supplied {method.id} belongs to the Customer {owner}."
            " Please include the Customer in the `customer` parameter on the PaymentIntent.",
            code="parameter_missing",
            param="source",
            recorded=True,
        )
    elif owner != customer:
        raise StripeError(
            400,
            f"The PaymentMethod {method.id} does not belong to the Customer you supplied "
            f"{customer}. Please use this PaymentMethod with the Customer that it belongs to "
            "instead.",
            param="payment_method",
            recorded=True,
        )


def shown_with(intent: PaymentIntent, refused: StripeError) -> StripeError:
    """Return a refusal that shows the intent it is about."""
    param = refused.fields.get("param")
    return refusal(intent, str(refused), code=refused.code, param=param)


def charged(means: Means, keep_for: str | None = None) -> Means:
    """Return means after a bank was asked to charge them, succeed or fail.

    A method of nobody is attached to the customer ``keep_for``, or else used up, by a declined
    charge too [G].
    """
    if means.method is None:
        return means
    method = asked(means.method)
    if method.customer is None and keep_for is not None:
        method = structs.replace(method, customer=keep_for)
    used = () if method.customer is not None else (spend(method.id),)
    card = card_behind(method, means.card.customer)
    return Means(card, method, (*means.beside, written(method), *used), means.chosen)


def untouched(means: Means) -> tuple[Write, ...]:
    """Return the writes of means that no bank was asked about: a new method is kept."""
    kept = () if means.method is None else (written(means.method),)
    return (*means.beside, *kept)
