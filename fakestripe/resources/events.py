"""Events: what changed, as Stripe tells it, newest first (stripe-facts 8).

They are made of the account's log when somebody first asks. ``request`` names who asked, with
the key that the answer carried, also one that the server made [G]. An update tells what it
changed and how that was before: of a hash, only the keys that differ.
"""

from fnmatch import fnmatchcase
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType, structs, to_builtins

from fakestripe.bank.events import Event
from fakestripe.bank.ids import family_of
from fakestripe.bank.ledger import Collection, Ledger
from fakestripe.protocol.errors import invalid_request
from fakestripe.protocol.headers import API_VERSION
from fakestripe.protocol.params import NONE, Params
from fakestripe.resources import listing
from fakestripe.resources.desk import Desk
from fakestripe.resources.sources import no_such

KIND: Final = "event"
URL: Final = "/v1/events"
MOST_TYPES: Final = 20
_KNOWN: Final = listing.CURSOR | {"created", "type", "types"}
NOT_FILTERED: Final = frozenset({"delivery_success"})
_OF_PAYMENT: Final = ("charge.", "refund.", "payment_intent.")


class Data(Struct, frozen=True, gc=False):
    """What an event is about; ``previous_attributes`` only where something was updated."""

    object: Any
    previous_attributes: dict[str, Any] | UnsetType = UNSET


class Asked(Struct, frozen=True, gc=False):
    """The request that made it happen."""

    id: str | None
    idempotency_key: str | None


class EventObject(Struct, frozen=True, kw_only=True, gc=False):
    """The event object, in Stripe's field order; ``account`` is one that another acts for."""

    id: str
    object: str = KIND
    account: str | UnsetType = UNSET
    api_version: str = API_VERSION
    created: int
    data: Data
    livemode: bool = False
    pending_webhooks: int = 0
    request: Asked
    type: str


def events(ledger: Ledger) -> Collection:
    """Return all events as objects, each in the group of its type."""
    collection = ledger.collection(KIND)
    for place, event in ledger.events.unread(KIND):
        made = event_object(ledger, place, event)
        collection.put(made.id, made, (made.type,))
    return collection


def event_object(ledger: Ledger, place: int, event: Event) -> EventObject:
    """Return an event of the log as Stripe shows it; ``pending_webhooks`` is as of now."""
    family = family_of(event.object.id) if event.type.startswith(_OF_PAYMENT) else None
    before = UNSET if event.previous is None else _before(event.previous, event.object)
    return EventObject(
        id=ledger.ids.event(place, family),
        created=int(event.created),
        data=Data(event.object, before),
        pending_webhooks=ledger.events.pending.get(place, 0),
        request=Asked(event.request_id, event.key),
        type=event.type,
    )


def _before(previous: Any, current: Any) -> dict[str, Any]:
    return _differing(to_builtins(previous), to_builtins(current))


def _differing(previous: dict[str, Any], current: dict[str, Any]) -> dict[str, Any]:
    """Return what differs as it was before; a key that was not there is null."""
    found: dict[str, Any] = {}
    for name in (*previous, *(each for each in current if each not in previous)):
        old, new = previous.get(name), current.get(name)
        if old != new:
            nested = isinstance(old, dict) and isinstance(new, dict)
            found[name] = _differing(old or {}, new or {}) if nested else old
    return found


def show(desk: Desk, params: Params) -> EventObject:
    """Answer ``GET /v1/events/:id``."""
    params.only(NONE)
    known = events(desk.ledger)
    if desk.name not in known.place:
        raise no_such("event", desk.name, param="id", status=404)
    return _now(desk.ledger, known, desk.name)


def _now(ledger: Ledger, known: Collection, name: str) -> EventObject:
    made: EventObject = known.by_id[name]
    pending = ledger.events.pending.get(known.place[name], 0)
    return structs.replace(made, pending_webhooks=pending)


def list_events(desk: Desk, params: Params) -> listing.Page:
    """Answer ``GET /v1/events``, of some types where asked (``charge.*`` is one of many)."""
    params.only(_KNOWN, refused=NOT_FILTERED)
    cursor, created = listing.read_cursor(params), listing.read_created(params)
    known, wanted = events(desk.ledger), _wanted(params)
    groups = [None] if wanted is None else [g for g in known.groups if _fits(str(g), wanted)]
    lists = [known.places(group) for group in groups]
    page = listing.page_of(known, lists, cursor, url=URL, noun="event", created=created)
    return structs.replace(page, data=[_now(desk.ledger, known, each.id) for each in page.data])


def _wanted(params: Params) -> list[str] | None:
    """Return the types that are asked for, or None where all are."""
    one, several = params.text("type"), params.texts("types")
    if one is not None and several is not None:
        raise invalid_request(
            "You may only specify one of these parameters: type, types.",
            param="type",
            code="parameters_exclusive",
        )
    if several is not None and len(several) > MOST_TYPES:
        raise invalid_request(f"You may specify up to {MOST_TYPES} types.", param="types")  # [G]
    return several if one is None else [one]


def _fits(kind: str, wanted: list[str]) -> bool:
    return any(fnmatchcase(kind, pattern) for pattern in wanted)
