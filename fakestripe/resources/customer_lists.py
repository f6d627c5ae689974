"""Lists of customers: those that were not deleted, perhaps of one address or a time."""

from typing import Final

from fakestripe.protocol.params import Params
from fakestripe.resources import listing
from fakestripe.resources.customers import LIVING
from fakestripe.resources.desk import Desk

URL: Final = "/v1/customers"
NOT_FILTERED: Final = frozenset({"test_clock"})


def list_customers(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/customers``; an address is compared letter by letter."""
    params.only(listing.CURSOR | {"created", "email"}, refused=NOT_FILTERED)
    cursor, created = listing.read_cursor(params), listing.read_created(params)
    email = params.text("email")
    return listing.page(
        desk.ledger.collection("customer"),
        cursor,
        url=URL,
        noun="customer",
        group=LIVING if email is None else ("email", email),
        created=created,
    )
