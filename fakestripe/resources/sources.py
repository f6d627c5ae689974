"""Cards as sources: what a token stands for, and the card object that a charge shows."""

import hashlib
from functools import lru_cache
from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.ids import base62
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.resources.cards import BY_NUMBER, METHODS, TOKENS, VISA, TestCard

EXPIRY_MONTH: Final = 11
EXPIRY_YEAR: Final = 2037


class Empty(Struct, frozen=True, gc=False):
    """The empty hash: one value shared by all objects, since a dict of their own costs memory."""


EMPTY: Final = Empty()


class Card(Struct, frozen=True, kw_only=True, gc=False):
    """The card object, in Stripe's field order."""

    id: str
    object: str = "card"
    address_city: str | None = None
    address_country: str | None = None
    address_line1: str | None = None
    address_line1_check: str | None = None
    address_line2: str | None = None
    address_state: str | None = None
    address_zip: str | None = None
    address_zip_check: str | None = None
    allow_redisplay: str = "unspecified"
    brand: str = "Visa"
    country: str = "US"
    customer: str | None = None
    cvc_check: str | None = "pass"
    dynamic_last4: None = None
    exp_month: int = EXPIRY_MONTH
    exp_year: int = EXPIRY_YEAR
    fingerprint: str
    funding: str = "credit"
    last4: str = "4242"
    metadata: Empty = EMPTY
    name: str | None = None
    regulated_status: str = "unregulated"
    tokenization_method: None = None
    wallet: None = None


def token_card(ledger: Ledger, source: str, *, param: str = "source") -> TestCard:
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
    raise no_such(noun, source, param=param)


def no_such(noun: str, name: str, *, param: str, status: int = 400) -> StripeError:
    """Return the error for an unknown object: 404 where the path names it, else 400."""
    message = f"No such {noun}: '{name}'"
    return invalid_request(message, param=param, code="resource_missing", status=status)


def new_card(ledger: Ledger, test_card: TestCard, customer: str | None = None) -> Card:
    """Return a card object for one use of a test card."""
    return card_of(test_card, ledger.ids.of_account("card"), customer)


def card_of(test_card: TestCard, card_id: str, customer: str | None) -> Card:
    """Return the card object of a test card under an id."""
    return structs.replace(_face(test_card), id=card_id, customer=customer)


@lru_cache(maxsize=256)
def _face(test_card: TestCard) -> Card:
    """Return a card as it looks, nobody's yet."""
    return Card(
        id="",
        address_line1_check=test_card.line1_check,
        address_zip_check=test_card.zip_check,
        brand=test_card.brand,
        country=test_card.country,
        cvc_check=test_card.cvc_check,
        fingerprint=_FINGERPRINTS[test_card.number],
        funding=test_card.funding,
        last4=test_card.last4,
    )


def _fingerprint(number: str) -> str:
    digest = hashlib.blake2b(number.encode(), digest_size=12).digest()
    return base62(int.from_bytes(digest, "big"), 16)


_FINGERPRINTS: Final = {number: _fingerprint(number) for number in BY_NUMBER}
_BY_FINGERPRINT: Final = {_FINGERPRINTS[number]: card for number, card in BY_NUMBER.items()}


def behind(card: Card) -> TestCard:
    """Return the test card that a card object was made from."""
    return _BY_FINGERPRINT[card.fingerprint]
