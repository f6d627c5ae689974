"""Cards as sources: what a token stands for, and the card object that a charge shows."""

from typing import Final

from msgspec import Struct

from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.resources.cards import DEFAULT, TOKENS, TestCard

EXPIRY_MONTH: Final = 11
EXPIRY_YEAR: Final = 2037
_BY_FACE: Final = {(card.last4, card.brand): card for card in TOKENS.values()}


class Empty(Struct, frozen=True, gc=False):
    """The empty hash: one value shared by all objects, since a dict of their own costs memory."""


EMPTY: Final = Empty()


class Card(Struct, frozen=True, kw_only=True, gc=False):
    """The card object, in Stripe's field order."""

    id: str
    object: str = "card"
    address_city: None = None
    address_country: None = None
    address_line1: None = None
    address_line1_check: None = None
    address_line2: None = None
    address_state: None = None
    address_zip: None = None
    address_zip_check: None = None
    allow_redisplay: str = "unspecified"
    brand: str = "Visa"
    country: str = "US"
    customer: str | None = None
    cvc_check: str | None = "pass"
    dynamic_last4: None = None
    exp_month: int = EXPIRY_MONTH
    exp_year: int = EXPIRY_YEAR
    fingerprint: str = "w4XDzQOFakih5EZM"
    funding: str = "credit"
    last4: str = "4242"
    metadata: Empty = EMPTY
    name: None = None
    regulated_status: str = "unregulated"
    tokenization_method: None = None
    wallet: None = None


def token_card(ledger: Ledger, token: str) -> TestCard:
    """Return the test card behind a token; an unknown token is a 400."""
    known = TOKENS.get(token)
    if known is not None:
        return known
    if ledger.customers != "strict" and token.startswith(("pm_", "card_", "src_")):
        return DEFAULT
    raise no_such_source(token)


def no_such_source(source: str) -> StripeError:
    """Return the error for an unknown token or source."""
    noun = {"tok": "token", "pm": "PaymentMethod"}.get(source.partition("_")[0], "source")
    return invalid_request(
        f"No such {noun}: '{source}'", param="source", code="resource_missing"
    )


def new_card(ledger: Ledger, test_card: TestCard, customer: str | None = None) -> Card:
    """Return a card object for one use of a test card."""
    return Card(
        id=ledger.ids.of_account("card"),
        brand=test_card.brand,
        country=test_card.country,
        funding=test_card.funding,
        last4=test_card.last4,
        customer=customer,
    )


def behind(card: Card) -> TestCard:
    """Return the test card that a card object was made from."""
    return _BY_FACE.get((card.last4, card.brand), DEFAULT)
