"""Customers that are there before anybody asks: people, each with a card that works.

Their ids come from the seed and their number alone, so that they are the same in every account,
and those of charges are what they would be without them. No event tells of them.
"""

import hashlib
from typing import Final

from msgspec import structs

from fakestripe.bank import Bank
from fakestripe.bank.ids import base62
from fakestripe.profiles.people import Person, people
from fakestripe.resources.addresses import Address
from fakestripe.resources.cards import TOKENS
from fakestripe.resources.customers import DELETED, Customer, writes_of
from fakestripe.resources.sources import Card, card_of

CARDS: Final = ("tok_visa", "tok_mastercard", "tok_visa_debit", "tok_amex", "tok_discover")


def settle(bank: Bank, count: int) -> list[Customer]:
    """Return the first ``count`` people as customers of the account, written where they lack."""
    found = []
    for person in people(count, bank.seed):
        name = _id("cus_", 14, person.number, bank.seed)
        known: Customer | None = bank.ledger.get("customer", name)
        if known is None and bank.ledger.get(DELETED, name) is None:
            card = _card(person, name, bank.seed)
            known = _customer(person, name, card, bank.clock.now())
            bank.populate(writes_of(known, card))
        if known is not None:
            found.append(known)
    return found


def _id(prefix: str, width: int, number: int, seed: int) -> str:
    digest = hashlib.blake2b(f"{seed}:{prefix}:{number}".encode(), digest_size=20).digest()
    return prefix + base62(int.from_bytes(digest, "big"), width)


def _customer(person: Person, name: str, card: Card, now: float) -> Customer:
    return Customer(
        id=name,
        address=_address(person),
        created=int(now),
        default_source=card.id,
        email=person.email,
        name=person.name,
        phone=person.phone,
    )


def _address(person: Person) -> Address:
    return Address(
        city=person.city,
        country=person.country,
        line1=person.line1,
        postal_code=person.postal_code,
        state=person.state,
    )


def _card(person: Person, customer: str, seed: int) -> Card:
    card = card_of(
        TOKENS[CARDS[person.number % len(CARDS)]],
        _id("card_1", 23, person.number, seed),
        customer,
    )
    return structs.replace(
        card,
        address_city=person.city,
        address_country=person.country,
        address_line1=person.line1,
        address_line1_check="pass",
        address_state=person.state,
        address_zip=person.postal_code,
        address_zip_check="pass",
        exp_month=1 + person.number % 12,
        name=person.name,
    )
