"""Who pays a charge: a token, a customer's card, or both, resolved against the ledger."""

from msgspec import Struct

from fakestripe.bank.change import Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.resources import customers
from fakestripe.resources.cards import DEFAULT, TestCard
from fakestripe.resources.sources import Card, behind, new_card, token_card


class Payer(Struct, frozen=True, gc=False):
    """The card to charge; ``unseen`` names a customer that the charge's change must make."""

    test_card: TestCard
    customer: str | None = None
    known_card: Card | None = None
    unseen: str | None = None

    def card(self, ledger: Ledger) -> Card:
        """Return the card object that the charge shows."""
        return self.known_card or new_card(ledger, self.test_card, self.customer)

    def writes(self, created: int) -> tuple[Write, ...]:
        """Return the writes beside the charge: an unseen customer, under ``customers: any``."""
        if self.unseen is None:
            return ()
        return (
            Write("customer", self.unseen, customers.Customer(id=self.unseen, created=created)),
        )


def find_payer(ledger: Ledger, source: str | None, customer_id: str | None) -> Payer:
    """Return who pays; raises the errors of stripe-facts 3.2."""
    if customer_id is None:
        return Payer(token_card(ledger, source or ""))
    customer: customers.Customer | None = ledger.get("customer", customer_id)
    if customer is None:
        return _unseen(ledger, source, customer_id)
    if source is not None:
        return _of_customer(ledger, source, customer)
    return _default(ledger, customer)


def _unseen(ledger: Ledger, source: str | None, customer_id: str) -> Payer:
    if ledger.customers == "strict":
        raise customers.no_such_customer(customer_id, param="customer")
    card = DEFAULT if source is None else token_card(ledger, source)
    return Payer(card, customer_id, unseen=customer_id)


def _of_customer(ledger: Ledger, source: str, customer: customers.Customer) -> Payer:
    card: Card | None = ledger.get("card", source)
    if card is not None and card.customer == customer.id:
        return Payer(behind(card), customer.id, known_card=card)
    if ledger.customers != "strict":
        return Payer(token_card(ledger, source), customer.id)
    raise invalid_request(
        f"Customer {customer.id} does not have a linked source with ID {source}.",
        param="source",
        code="missing",
        status=404,
    )


def _default(ledger: Ledger, customer: customers.Customer) -> Payer:
    card: Card | None = ledger.get("card", customer.default_source or "")
    if card is not None:
        return Payer(behind(card), customer.id, known_card=card)
    if ledger.customers != "strict":
        return Payer(DEFAULT, customer.id)
    raise StripeError(  # [L] 402: older logs and the SDK class agree on it
        402,
        "Cannot charge a customer that has no active card",
        type="card_error",
        code="missing",
        param="card",
        recorded=True,
    )
