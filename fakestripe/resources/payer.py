"""Who pays a charge: a token, a customer's card, or both, resolved against the ledger.

Under ``customers: any`` (design 5) every string is a customer with a working card; a token
together with a customer is refused even then, as Stripe does.
"""

from msgspec import Struct

from fakestripe.bank.change import Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.resources.cards import VISA, TestCard
from fakestripe.resources.customers import Customer, writes_of
from fakestripe.resources.desk import Desk
from fakestripe.resources.entered_cards import EnteredCard, verified
from fakestripe.resources.presented import Presented, Source, presented, take
from fakestripe.resources.sources import Card, no_such, token_card


class Payer(Struct, frozen=True, gc=False):
    """The card to charge: one that is known, or one that is presented; neither: there is none.

    ``unseen``: the customer is made as part of the charge's own change.
    """

    customer: str | None
    known_card: Card | None = None
    presented: Presented | None = None
    unseen: bool = False

    def pay(self, desk: Desk) -> tuple[Card, tuple[Write, ...]]:
        """Return the card object that the charge shows, and the writes beside the charge.

        An unseen customer is made with this card as its own.
        """
        if self.known_card is not None:
            return self.known_card, ()
        if self.presented is None:
            raise _no_card()
        taken, writes = take(desk, self.presented, self.customer)
        card = taken if isinstance(self.presented, TestCard) else verified(taken)
        if not self.unseen or self.customer is None:
            return card, writes
        customer = Customer(id=self.customer, created=desk.second, default_source=card.id)
        return card, (*writes, *writes_of(customer, card))


def find_payer(ledger: Ledger, source: Source | None, customer_id: str | None) -> Payer:
    """Return who pays; raises the errors of stripe-facts 3.2 that are validation."""
    if customer_id is None:
        return Payer(None, presented=presented(ledger, source or ""))
    customer: Customer | None = ledger.get("customer", customer_id)
    if customer is None and not ledger.lenient:
        raise no_such("customer", customer_id, param="customer")
    if isinstance(source, EnteredCard):
        return Payer(customer_id, presented=source, unseen=customer is None)
    default = customer.default_source if customer else None
    card: Card | None = ledger.get("card", source or default or "")
    if card is not None and card.customer == customer_id:
        return Payer(customer_id, card)
    if source is None:
        return Payer(
            customer_id, presented=VISA if ledger.lenient else None, unseen=customer is None
        )
    if card is not None or not ledger.lenient or source.startswith("tok_"):
        raise _not_linked(customer_id, source)
    return Payer(customer_id, presented=token_card(ledger, source), unseen=customer is None)


def _no_card() -> StripeError:
    """[L] 402: older logs and the SDK class agree on it. The endpoint's own refusal: recorded."""
    return StripeError(
        402,
        "Cannot charge a customer that has no active card",
        type="card_error",
        code="missing",
        param="card",
        recorded=True,
    )


def _not_linked(customer_id: str, source: str) -> StripeError:
    return invalid_request(
        f"Customer {customer_id} does not have a linked source with ID {source}.",
        param="source",
        code="missing",
        status=404,
    )
