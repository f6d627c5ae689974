"""Customers that change or go: update, delete (stripe-facts 8).

A new ``source`` becomes the default and takes the place of the old one. Of a deleted customer a
stub is left, and its charges.
"""

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType, structs

from fakestripe.bank.change import Change, EventDraft, Write
from fakestripe.bank.ledger import Ledger
from fakestripe.protocol.params import NONE, Params, Readers
from fakestripe.resources.addresses import Address, Shipping, read_address, read_shipping
from fakestripe.resources.attachments import left_alone
from fakestripe.resources.customers import (
    DELETED,
    NOT_EMULATED,
    Customer,
    DeletedCustomer,
    attached,
    find,
    groups_of,
    read_email,
    write_of_card,
)
from fakestripe.resources.desk import Desk
from fakestripe.resources.metadata import merged
from fakestripe.resources.presented import Source, presented, read_source
from fakestripe.resources.sources import Card, no_such


class UpdateCustomer(Struct, frozen=True, gc=False):
    """What ``POST /v1/customers/:id`` asks for; what is unset stays as it is."""

    address: Address | UnsetType | None = UNSET
    default_source: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    email: str | UnsetType | None = UNSET
    metadata: dict[str, str] | UnsetType = UNSET
    name: str | UnsetType | None = UNSET
    phone: str | UnsetType | None = UNSET
    shipping: Shipping | UnsetType | None = UNSET
    source: Source | None = None


_UPDATE: Final[Readers] = {
    "address": read_address,
    "default_source": Params.text,
    "description": Params.unsettable,
    "email": read_email,
    "metadata": Params.metadata,
    "name": Params.unsettable,
    "phone": Params.unsettable,
    "shipping": read_shipping,
    "source": read_source,
}


def read_update(params: Params) -> UpdateCustomer:
    """Read the parameters of an update."""
    params.only(_UPDATE.keys(), refused=NOT_EMULATED)
    return UpdateCustomer(**params.given(_UPDATE))


def check_update(desk: Desk, command: UpdateCustomer) -> None:
    """Refuse an unknown customer or source."""
    customer = find(desk.ledger, desk.name)
    wanted = command.default_source
    if wanted is not UNSET and card_of(desk.ledger, customer.id, wanted) is None:
        raise no_such("source", wanted, param="default_source")  # [G]
    if command.source is not None:
        presented(desk.ledger, command.source)


def card_of(ledger: Ledger, customer_id: str, name: str) -> Card | None:
    """Return a card of a customer, or None."""
    card: Card | None = ledger.get("card", name)
    return card if card is not None and card.customer == customer_id else None


def make_update(desk: Desk, command: UpdateCustomer) -> Change:
    """Return the change that updates; where nothing changes, nothing is told."""
    check_update(desk, command)
    before = find(desk.ledger, desk.name)
    card, beside = attached(desk, command.source, before.id)
    after = _after(before, command, card)
    if after == before:
        return Change(writes=beside, answer=before)
    told = EventDraft("customer.updated", after, before)
    if card is None:
        return Change(writes=(*beside, rewritten(after, before)), answer=after, events=(told,))
    gone = card_of(desk.ledger, before.id, before.default_source or "")
    away = () if gone is None else (taken_away(gone),)
    events = [EventDraft("customer.source.created", card), told]
    if gone is not None:
        events.append(EventDraft("customer.source.deleted", gone))
    return Change(
        writes=(*beside, write_of_card(card), *away, rewritten(after, before)),
        answer=after,
        events=tuple(events),
    )


def _after(before: Customer, command: UpdateCustomer, card: Card | None) -> Customer:
    given = {n: v for n, v in _fields(command).items() if v is not UNSET}
    if "metadata" in given:
        given["metadata"] = merged(before.metadata, given["metadata"])
    if card is not None:
        given["default_source"] = card.id
    return structs.replace(before, **given)


def _fields(command: UpdateCustomer) -> dict[str, Any]:
    fields = structs.asdict(command)
    del fields["source"]
    return fields


def rewritten(after: Customer, before: Customer) -> Write:
    """Return the write of a customer that changed: its lists follow its address."""
    known, groups = groups_of(before), groups_of(after)
    left = tuple(group for group in known if group not in groups)
    return Write("customer", after.id, after, groups, left)


def taken_away(card: Card) -> Write:
    """Return the write that takes a card from its customer."""
    owner = card.customer or ""
    return Write("card", card.id, structs.replace(card, customer=None), (), (owner,))


class DeleteCustomer(Struct, frozen=True, gc=False):
    """What a DELETE asks for: nothing but what the path says."""


def read_delete(params: Params) -> DeleteCustomer:
    """Read that there are no parameters."""
    params.only(NONE)
    return DeleteCustomer()


def check_delete(desk: Desk, _: DeleteCustomer) -> None:
    """Refuse an unknown customer, and one that is deleted already."""
    find(desk.ledger, desk.name)


def make_delete(desk: Desk, _: DeleteCustomer) -> Change:
    """Return the change that deletes a customer, takes its cards and detaches its methods."""
    customer, ledger = find(desk.ledger, desk.name), desk.ledger
    cards = ledger.collection("card")
    gone = DeletedCustomer(customer.id)
    return Change(
        writes=(
            *(taken_away(card) for card in cards.at(cards.places(customer.id))),
            *left_alone(ledger, customer.id),
            Write("customer", customer.id, None, (), groups_of(customer)),
            Write(DELETED, customer.id, gone),
        ),
        answer=gone,
        events=(EventDraft("customer.deleted", customer),),
    )
