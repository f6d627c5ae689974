"""Lists: newest first, a limit, and cursors on either side (stripe-facts 6)."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from fakestripe.bank.ledger import Collection
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import Params

DEFAULT_LIMIT: Final = 10
MAX_LIMIT: Final = 100

Keep = Callable[[Any], bool]


class Page(Struct, frozen=True):
    """One page of a list; the field order is Stripe's."""

    object: str
    data: list[Any]
    has_more: bool
    url: str


class Cursor(Struct, frozen=True):
    """Which page is asked for."""

    limit: int
    starting_after: str | None
    ending_before: str | None


def read_cursor(params: Params) -> Cursor:
    """Read ``limit``, ``starting_after`` and ``ending_before``."""
    limit = params.integer("limit", minimum=1)
    if limit is not None and limit > MAX_LIMIT:
        raise invalid_request(
            f"This value must be less than or equal to {MAX_LIMIT}",
            param="limit",
            code="parameter_invalid_integer",
        )
    after, before = params.text("starting_after"), params.text("ending_before")
    if after is not None and before is not None:
        raise invalid_request(
            "You may only specify one of these parameters: ending_before, starting_after.",
            param="ending_before",
            code="parameters_exclusive",
        )
    return Cursor(DEFAULT_LIMIT if limit is None else limit, after, before)


def page(collection: Collection, cursor: Cursor, *, url: str, noun: str, keep: Keep) -> Page:
    """Return the page; items that ``keep`` refuses are passed over."""
    if cursor.ending_before is not None:
        start = _place(collection, cursor.ending_before, "ending_before", noun) + 1
        found, more = _collect(collection, range(start, len(collection.order)), cursor.limit, keep)
        found.reverse()
    else:
        end = len(collection.order)
        if cursor.starting_after is not None:
            end = _place(collection, cursor.starting_after, "starting_after", noun)
        found, more = _collect(collection, range(end - 1, -1, -1), cursor.limit, keep)
    return Page(object="list", data=found, has_more=more, url=url)


def _place(collection: Collection, object_id: str, param: str, noun: str) -> int:
    place = collection.place.get(object_id)
    if place is None:
        raise invalid_request(
            f"No such {noun}: '{object_id}'", param=param, code="resource_missing"
        )
    return place


def _collect(
    collection: Collection, places: range, limit: int, keep: Keep
) -> tuple[list[Any], bool]:
    found: list[Any] = []
    for place in places:
        item = collection.by_id[collection.order[place]]
        if not keep(item):
            continue
        if len(found) == limit:
            return found, True
        found.append(item)
    return found, False
