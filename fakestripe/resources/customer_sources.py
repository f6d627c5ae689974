"""The cards of a customer: added, listed, retrieved, taken away (stripe-facts 4.5, 8).

The first card becomes the default; where the default goes, the newest of the others follows it.
"""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, EventDraft
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import NONE, Params, missing
from fakestripe.resources import customers, listing
from fakestripe.resources.customer_updates import card_of, rewritten, taken_away
from fakestripe.resources.customers import Customer, attached, write_of_card
from fakestripe.resources.desk import Desk
from fakestripe.resources.presented import Source, presented, read_source
from fakestripe.resources.sources import Card, no_such

NOT_EMULATED: Final = frozenset({"metadata", "validate"})
KINDS: Final = frozenset({"card", "bank_account"})


class AddSource(Struct, frozen=True, gc=False):
    """What ``POST /v1/customers/:id/sources`` asks for."""

    source: Source


class DeletedCard(Struct, frozen=True, gc=False):
    """What is answered for a card that was taken away."""

    id: str
    object: str = "card"
    deleted: bool = True


class RemoveSource(Struct, frozen=True, gc=False):
    """What a DELETE asks for: nothing but what the path says."""


def read_add(params: Params) -> AddSource:
    """Read the source to add."""
    params.only(frozenset({"source"}), refused=NOT_EMULATED)
    source = read_source(params, "source")
    if source is None:
        raise missing("source")
    return AddSource(source)


def check_add(desk: Desk, command: AddSource) -> None:
    """Refuse an unknown customer or source."""
    customers.find(desk.ledger, desk.name)
    presented(desk.ledger, command.source)


def make_add(desk: Desk, command: AddSource) -> Change:
    """Return the change that adds a card."""
    check_add(desk, command)
    customer = customers.find(desk.ledger, desk.name)
    card, beside = attached(desk, command.source, customer.id)
    if card is None:
        raise missing("source")
    added = EventDraft("customer.source.created", card)
    writes = (*beside, write_of_card(card))
    if customer.default_source is not None:
        return Change(writes=writes, answer=card, events=(added,))
    after = structs.replace(customer, default_source=card.id)
    return Change(
        writes=(*writes, rewritten(after, customer)),
        answer=card,
        events=(added, EventDraft("customer.updated", after, customer)),
    )


def find(desk: Desk) -> Card:
    """Return the card that the path names as part of a customer."""
    customer = customers.find(desk.ledger, desk.name)
    found = card_of(desk.ledger, customer.id, desk.part)
    if found is None:
        raise no_such("source", desk.part, param="id", status=404)
    return found


def show(desk: Desk, params: Params) -> Card:
    """Answer ``GET /v1/customers/:id/sources/:source``."""
    params.only(NONE)
    return find(desk)


def list_sources(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/customers/:id/sources``."""
    params.only(listing.CURSOR | {"object"})
    cursor, kind = listing.read_cursor(params), params.text("object")
    customer = customers.find(desk.ledger, desk.name)
    if kind is not None and kind not in KINDS:
        raise invalid_request(
            "Invalid object: must be one of card or bank_account", param="object"
        )
    page = of_customer(desk, customer.id, cursor)
    return page if kind != "bank_account" else structs.replace(page, data=[], has_more=False)


def of_customer(
    desk: Desk, customer_id: str, cursor: listing.Cursor = listing.FIRST_PAGE
) -> listing.Page:
    """Return a page of a customer's cards."""
    return listing.page(
        desk.ledger.collection("card"),
        cursor,
        url=f"/v1/customers/{customer_id}/sources",
        noun="source",
        group=customer_id,
    )


def read_remove(params: Params) -> RemoveSource:
    """Read that there are no parameters."""
    params.only(NONE)
    return RemoveSource()


def check_remove(desk: Desk, _: RemoveSource) -> None:
    """Refuse an unknown card."""
    find(desk)


def make_remove(desk: Desk, _: RemoveSource) -> Change:
    """Return the change that takes a card away."""
    card, customer = find(desk), customers.find(desk.ledger, desk.name)
    gone, removed = DeletedCard(card.id), EventDraft("customer.source.deleted", card)
    if customer.default_source != card.id:
        return Change(writes=(taken_away(card),), answer=gone, events=(removed,))
    after = structs.replace(customer, default_source=_next(desk, customer, card))
    return Change(
        writes=(taken_away(card), rewritten(after, customer)),
        answer=gone,
        events=(removed, EventDraft("customer.updated", after, customer)),
    )


def _next(desk: Desk, customer: Customer, gone: Card) -> str | None:
    """Return the newest other card of a customer."""
    cards: list[Card] = of_customer(desk, customer.id, listing.Cursor(2)).data
    return next((card.id for card in cards if card.id != gone.id), None)
