"""Lists: newest first, a limit, and cursors on either side (stripe-facts 6).

A page costs what is on it: its beginning is found by bisection, whatever the length of the list.
"""

from bisect import bisect_left, bisect_right
from typing import Any, Final

from msgspec import Struct

from fakestripe.bank.ledger import Collection
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import Params
from fakestripe.resources.sources import no_such

DEFAULT_LIMIT: Final = 10
MAX_LIMIT: Final = 100


class Page(Struct, frozen=True):
    """One page of a list, in Stripe's field order."""

    object: str
    data: list[Any]
    has_more: bool
    url: str


class Cursor(Struct, frozen=True):
    """Which page is asked for."""

    limit: int
    starting_after: str | None
    ending_before: str | None


CURSOR: Final = frozenset(Cursor.__struct_fields__)


def read_cursor(params: Params) -> Cursor:
    """Read ``limit``, ``starting_after`` and ``ending_before``."""
    limit = params.integer("limit", minimum=1, maximum=MAX_LIMIT)
    after, before = params.text("starting_after"), params.text("ending_before")
    if after is not None and before is not None:
        raise invalid_request(
            "You may only specify one of these parameters: ending_before, starting_after.",
            param="ending_before",
            code="parameters_exclusive",
        )
    return Cursor(DEFAULT_LIMIT if limit is None else limit, after, before)


def page(
    collection: Collection, cursor: Cursor, *, url: str, noun: str, group: str | None = None
) -> Page:
    """Return the page of a collection, or of one group in it."""
    places = collection.places(group)
    if cursor.ending_before is not None:
        mark = _place(collection, cursor.ending_before, "ending_before", noun)
        start = bisect_right(places, mark)
        end = min(start + cursor.limit, len(places))
        more = end < len(places)
    else:
        end = len(places)
        if cursor.starting_after is not None:
            mark = _place(collection, cursor.starting_after, "starting_after", noun)
            end = bisect_left(places, mark)
        start = max(end - cursor.limit, 0)
        more = start > 0
    data = collection.at(places[start:end])
    data.reverse()
    return Page(object="list", data=data, has_more=more, url=url)


def _place(collection: Collection, object_id: str, param: str, noun: str) -> int:
    place = collection.place.get(object_id)
    if place is None:
        raise no_such(noun, object_id, param=param)
    return place
