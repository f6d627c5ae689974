"""Lists: newest first, a limit, cursors on either side, and filters (stripe-facts 6).

A page costs what is on it: its beginning is found by bisection, whatever the length of the list.
Only where an account's clock was moved back does a filter by time look at every object.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from fakestripe.bank.change import Group
from fakestripe.bank.ledger import Collection
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.params import Params
from fakestripe.resources.sources import no_such

DEFAULT_LIMIT: Final = 10
MAX_LIMIT: Final = 100
LATEST: Final = 2**63

Places: TypeAlias = Sequence[int]


class Page(Struct, frozen=True):
    """One page of a list, in Stripe's field order."""

    object: str
    data: list[Any]
    has_more: bool
    url: str


class Window(Struct, frozen=True):
    """The seconds in which the objects of a list were made, both ends included."""

    low: int = 0
    high: int = LATEST


class Cursor(Struct, frozen=True):
    """Which page is asked for."""

    limit: int
    starting_after: str | None = None
    ending_before: str | None = None


CURSOR: Final = frozenset(Cursor.__struct_fields__)
WHENEVER: Final = Window()
FIRST_PAGE: Final = Cursor(DEFAULT_LIMIT)
_BOUNDS: Final = frozenset({"gt", "gte", "lt", "lte"})


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


def read_created(params: Params) -> Window:
    """Read ``created``: a second, or bounds (``gt gte lt lte``) of which all must hold."""
    if not params.is_hash("created"):
        second = params.integer("created")
        return WHENEVER if second is None else Window(second, second)
    given = params.below("created")
    if given is None:
        return WHENEVER
    given.only(_BOUNDS)
    lows = [given.integer("gte"), _next(given.integer("gt"), 1)]
    highs = [given.integer("lte"), _next(given.integer("lt"), -1)]
    return Window(
        max((low for low in lows if low is not None), default=0),
        min((high for high in highs if high is not None), default=LATEST),
    )


def _next(second: int | None, step: int) -> int | None:
    return None if second is None else second + step


def page(  # noqa: PLR0913  # all but two by keyword
    collection: Collection,
    cursor: Cursor,
    *,
    url: str,
    noun: str,
    group: Group | None = None,
    created: Window = WHENEVER,
) -> Page:
    """Return the page of a collection, or of one group in it."""
    return page_of(
        collection,
        [collection.places(group)],
        cursor,
        url=url,
        noun=noun,
        created=created,
    )


def page_of(  # noqa: PLR0913  # all but three by keyword
    collection: Collection,
    lists: Sequence[Places],
    cursor: Cursor,
    *,
    url: str,
    noun: str,
    created: Window = WHENEVER,
) -> Page:
    """Return the page of what stands in any of the lists; an object stands in one at most."""
    if created != WHENEVER:
        lists = [_within(collection, places, created) for places in lists]
    after, before, limit = cursor.starting_after, cursor.ending_before, cursor.limit
    if before is not None:
        mark = _place(collection, before, "ending_before", noun)
        starts = [bisect_right(places, mark) for places in lists]
        found = [
            p for n, places in enumerate(lists) for p in places[starts[n] : starts[n] + limit + 1]
        ]
        chosen = sorted(found)[:limit]
    else:
        mark = LATEST if after is None else _place(collection, after, "starting_after", noun)
        ends = [bisect_left(places, mark) for places in lists]
        found = [
            p
            for n, places in enumerate(lists)
            for p in places[max(ends[n] - limit - 1, 0) : ends[n]]
        ]
        chosen = sorted(found)[-limit:]
    data = collection.at(chosen)
    data.reverse()
    return Page(object="list", data=data, has_more=len(found) > limit, url=url)


def common(collection: Collection, groups: Sequence[Group]) -> Places:
    """Return the places that stand in every one of the groups; of none of them, all places."""
    lists = sorted((collection.places(group) for group in groups), key=len)
    if not lists:
        return collection.places(None)
    first, *others = lists
    for other in others:
        first = [place for place in first if _holds(other, place)]
    return first


def _holds(places: Places, place: int) -> bool:
    at = bisect_left(places, place)
    return at < len(places) and places[at] == place


def _within(collection: Collection, places: Places, window: Window) -> Places:
    """Return those of the places whose objects were made in the window."""

    def second(place: int) -> int:
        found: int = collection.by_id[collection.order[place]].created
        return found

    if not collection.ascends(lambda value: getattr(value, "created", None)):
        return [place for place in places if window.low <= second(place) <= window.high]
    start = bisect_left(places, window.low, key=second)
    return places[start : bisect_right(places, window.high, key=second)]


def _place(collection: Collection, object_id: str, param: str, noun: str) -> int:
    place = collection.place.get(object_id)
    if place is None:
        raise no_such(noun, object_id, param=param)
    return place
