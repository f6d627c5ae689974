"""Refunds that were made: retrieved, updated and listed, by themselves or as part of a charge."""

from typing import Final

from msgspec import Struct, structs

from fakestripe.bank.change import Change, EventDraft, Group, Write
from fakestripe.protocol.params import NONE, Params
from fakestripe.resources import charges, listing
from fakestripe.resources.desk import Desk
from fakestripe.resources.metadata import merged
from fakestripe.resources.refund_object import Refund
from fakestripe.resources.sources import no_such

URL: Final = "/v1/refunds"
_KNOWN: Final = listing.CURSOR | {"created", "charge", "payment_intent"}


class UpdateRefund(Struct, frozen=True, gc=False):
    """What an update asks for: nothing but metadata can change."""

    metadata: dict[str, str] | None = None


def read_update(params: Params) -> UpdateRefund:
    """Read the parameters of an update."""
    params.only(frozenset({"metadata"}))
    return UpdateRefund(**params.given({"metadata": Params.metadata}))


def find(desk: Desk) -> Refund:
    """Return the refund that the path names, perhaps as part of a charge."""
    name = desk.part or desk.name
    found: Refund | None = desk.ledger.get("refund", name)
    if found is None or (desk.part and found.charge != desk.name):
        raise no_such("refund", name, param="refund", status=404)
    return found


def check_update(desk: Desk, _: UpdateRefund) -> None:
    """Refuse an unknown refund."""
    find(desk)


def make_update(desk: Desk, command: UpdateRefund) -> Change:
    """Return the change that updates; where nothing changes, nothing is told."""
    refund = find(desk)
    if command.metadata is None:
        return Change(answer=refund, ids=(refund.id,))
    after = structs.replace(refund, metadata=merged(refund.metadata, command.metadata))
    if after == refund:
        return Change(answer=refund, ids=(refund.id,))
    return Change(
        writes=(Write("refund", after.id, after),),
        answer=after,
        ids=(after.id,),
        events=(
            EventDraft("refund.updated", after, refund),
            EventDraft("charge.refund.updated", after, refund),
        ),
    )


def show(desk: Desk, params: Params) -> Refund:
    """Answer a refund, by itself or as part of a charge."""
    params.only(NONE)
    return find(desk)


def list_refunds(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/refunds``, of one charge or payment intent where asked."""
    params.only(_KNOWN)
    cursor, created = listing.read_cursor(params), listing.read_created(params)
    given = {"charge": params.text("charge"), "payment_intent": params.text("payment_intent")}
    named: list[Group] = []
    for kind, name in given.items():
        if name is not None:
            if desk.ledger.get(kind, name) is None:
                raise no_such(kind, name, param=kind)
            named.append(name)
    refunds = desk.ledger.collection("refund")
    places = listing.common(refunds, named)
    return listing.page_of(refunds, [places], cursor, url=URL, noun="refund", created=created)


def list_of_charge(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/charges/:id/refunds``."""
    params.only(listing.CURSOR)
    return of_charge(desk, charges.find(desk.ledger, desk.name).id, listing.read_cursor(params))


def of_charge(
    desk: Desk, charge_id: str, cursor: listing.Cursor = listing.FIRST_PAGE
) -> listing.Page:
    """Return a page of a charge's refunds."""
    return listing.page(
        desk.ledger.collection("refund"),
        cursor,
        url=f"/v1/charges/{charge_id}/refunds",
        noun="refund",
        group=charge_id,
    )
