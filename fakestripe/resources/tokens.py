"""Tokens: a card's details behind a name that can be used once (stripe-facts 3.2).

A token is used up by the first request that gets as far as its card, a declined one too; the
magic ones (``tok_visa`` and its family) are objects of nobody and never used up.
"""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.params import NONE, Params, missing
from fakestripe.resources.desk import Desk
from fakestripe.resources.entered_cards import EnteredCard, entered_card, read_card
from fakestripe.resources.sources import Card, no_such


class Token(Struct, frozen=True, kw_only=True, gc=False):
    """The token object, in Stripe's field order."""

    id: str
    object: str = "token"
    card: Card
    client_ip: None = None
    created: int
    livemode: bool = False
    type: str = "card"
    used: bool = False


_CREATE: Final = frozenset({"card"})
_NOT_EMULATED: Final = frozenset(
    {"account", "bank_account", "customer", "cvc_update", "person", "pii"}
)


def read_create(params: Params) -> EnteredCard:
    """Read the card of a new token."""
    params.only(_CREATE, refused=_NOT_EMULATED)
    given = params.below("card")
    if given is None:
        raise missing("card")
    return read_card(given)


def check_create(_: Desk, __: EnteredCard) -> None:
    """Refuse nothing more: a new token needs nothing that exists."""


def make_create(desk: Desk, command: EnteredCard) -> Change:
    """Return the change that creates a token."""
    card = entered_card(desk, command)
    token = Token(id=desk.ledger.ids.of_account("tok"), card=card, created=desk.second)
    return Change(writes=(Write("token", token.id, token),), answer=token)


def find(ledger: Ledger, token_id: str) -> Token | None:
    """Return a token that was made, or None."""
    found: Token | None = ledger.get("token", token_id)
    return found


def use(token: Token) -> Write:
    """Return the write that uses a token up; raises the recorded refusal of a used one."""
    if token.used:
        raise StripeError(
            400,
            f"You cannot use a Stripe token more than once: {token.id}.",
            code="token_already_used",
            recorded=True,
        )
    return Write("token", token.id, structs.replace(token, used=True))


def show(desk: Desk, params: Params) -> Token:
    """Answer ``GET /v1/tokens/:id``."""
    params.only(NONE)
    found = find(desk.ledger, desk.name)
    if found is None:
        raise no_such("token", desk.name, param="token", status=404)
    return found
