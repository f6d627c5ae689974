"""A card as a parameter presents it: a magic name, a token, or its details; nobody's yet.

What the parameter alone tells (no such token) is validation; what happens when the card is taken
(a token that was used, a wrong number) is the endpoint's own refusal, recorded under the key.
"""

from typing import TypeAlias

from msgspec import structs

from fakestripe.bank.change import Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.params import Params
from fakestripe.resources import tokens
from fakestripe.resources.cards import TOKENS, TestCard, decline_of, declined
from fakestripe.resources.desk import Desk
from fakestripe.resources.entered_cards import EnteredCard, entered_card, read_card
from fakestripe.resources.sources import Card, behind, new_card, token_card
from fakestripe.resources.tokens import Token

Source: TypeAlias = str | EnteredCard
"""What a ``source`` may be: the name of something, or a card in full."""


Presented: TypeAlias = TestCard | Token | EnteredCard
"""What a parameter presents: the card behind a magic name, a token, or details."""


def take(
    desk: Desk, presented: Presented, customer: str | None = None
) -> tuple[Card, tuple[Write, ...]]:
    """Return the card, and what taking it writes: a token is used up."""
    if isinstance(presented, TestCard):
        return new_card(desk.ledger, presented, customer), ()
    if isinstance(presented, EnteredCard):
        return structs.replace(entered_card(desk, presented), customer=customer), ()
    return structs.replace(presented.card, customer=customer), (tokens.use(presented),)


def read_source(params: Params, name: str) -> Source | None:
    """Read a source: a string, or the hash of a card."""
    if not params.is_hash(name):
        return params.text(name)
    card = params.below(name)
    return None if card is None else read_card(card)


def presented(ledger: Ledger, source: Source, *, param: str = "source") -> Presented:
    """Return what a source of no customer presents; an unknown one is a 400."""
    if isinstance(source, EnteredCard):
        return source
    if source in TOKENS:
        return TOKENS[source]
    token = tokens.find(ledger, source) if source.startswith("tok_") else None
    return token_card(ledger, source, param=param) if token is None else token


def check_attachable(card: Card) -> None:
    """Refuse a card that the bank refuses when it is attached; a generic decline names ""."""
    decline = decline_of(behind(card))
    if decline is not None and not decline.attaches:
        raise declined(decline, param="")
