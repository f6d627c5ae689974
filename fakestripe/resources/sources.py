"""Cards as sources: what a token stands for, and the card object that a charge shows."""

import hashlib
from typing import Final

from msgspec import Struct

from fakestripe.bank.ids import base62
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.resources.cards import METHODS, TOKENS, VISA, TestCard

EXPIRY_MONTH: Final = 11
EXPIRY_YEAR: Final = 2037


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
    cvc_check: str = "pass"
    dynamic_last4: None = None
    exp_month: int = EXPIRY_MONTH
    exp_year: int = EXPIRY_YEAR
    fingerprint: str
    funding: str = "credit"
    last4: str = "4242"
    metadata: Empty = EMPTY
    name: None = None
    regulated_status: str = "unregulated"
    tokenization_method: None = None
    wallet: None = None


def token_card(ledger: Ledger, source: str) -> TestCard:
    """Return the test card behind a source of no customer; an unknown one is a 400.

    Under ``customers: any`` every payment method, card and source works, and the magic payment
    methods fail as their names say.
    """
    known = TOKENS.get(source)
    if known is not None:
        return known
    if ledger.lenient and source.startswith(("pm_", "card_", "src_")):
        return METHODS.get(source, VISA)
    noun = {"tok": "token", "pm": "PaymentMethod"}.get(source.partition("_")[0], "source")
    raise no_such(noun, source, param="source")


def no_such(noun: str, name: str, *, param: str, status: int = 400) -> StripeError:
    """Return the error for an unknown object: 404 where the path names it, else 400."""
    message = f"No such {noun}: '{name}'"
    return invalid_request(message, param=param, code="resource_missing", status=status)


def new_card(ledger: Ledger, test_card: TestCard, customer: str | None = None) -> Card:
    """Return a card object for one use of a test card."""
    return Card(
        id=ledger.ids.of_account("card"),
        brand=test_card.brand,
        country=test_card.country,
        customer=customer,
        cvc_check=test_card.cvc_check,
        fingerprint=_FINGERPRINTS[test_card.number],
        funding=test_card.funding,
        last4=test_card.last4,
    )


def _fingerprint(number: str) -> str:
    digest = hashlib.blake2b(number.encode(), digest_size=12).digest()
    return base62(int.from_bytes(digest, "big"), 16)


_FINGERPRINTS: Final = {card.number: _fingerprint(card.number) for card in TOKENS.values()}
_BY_FINGERPRINT: Final = {_FINGERPRINTS[card.number]: card for card in TOKENS.values()}


def behind(card: Card) -> TestCard:
    """Return the test card that a card object was made from."""
    return _BY_FINGERPRINT[card.fingerprint]
