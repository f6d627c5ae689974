"""Objects by id and in the order they were made; knows no Stripe type.

A list is append-only and an id knows its place in it, and an object may stand in groups ("those of
customer cus_1") that list its place again, so no read grows with the number of objects. Objects
are frozen values: a new version replaces the old one, and whoever holds the old one (an
idempotency record) keeps a true snapshot. What only readers need (balance transactions, indexes)
is derived from the events when somebody first asks, each event once.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from fakestripe.bank.change import Group, Write
from fakestripe.bank.events import EventLog
from fakestripe.bank.ids import Ids


class Collection:
    """All objects of one kind; a place is the number of objects made before."""

    __slots__ = ("_ascends", "_groups", "_seen", "_stamp", "by_id", "order", "place")

    def __init__(self) -> None:
        self.by_id: dict[str, Any] = {}
        self.place: dict[str, int] = {}
        self.order: list[str] = []
        self._groups: dict[Group, list[int]] = {}
        self._ascends, self._seen, self._stamp = True, 0, float("-inf")

    def put(self, object_id: str, value: Any, groups: tuple[Group, ...] = ()) -> None:
        """Write a new object, or a new version of a known one, and let it join groups."""
        place = self.place.get(object_id)
        if place is None:
            place = self.place[object_id] = len(self.order)
            self.order.append(object_id)
        self.by_id[object_id] = value
        for group in groups:
            places = self._groups.setdefault(group, [])
            at = bisect_left(places, place)
            if places[at : at + 1] != [place]:
                places.insert(at, place)

    def leave(self, object_id: str, groups: Iterable[Group]) -> None:
        """Take a known object out of groups that it stands in."""
        for group in groups:
            places = self._groups[group]
            del places[bisect_left(places, self.place[object_id])]

    @property
    def groups(self) -> Iterable[Group]:
        """The names of all groups that there are."""
        return self._groups

    def places(self, group: Group | None) -> Sequence[int]:
        """Return the places of a group, or of all objects, in the order they were made."""
        return range(len(self.order)) if group is None else self._groups.get(group, ())

    def at(self, places: Sequence[int]) -> list[Any]:
        """Return the newest versions of the objects at these places."""
        return [self.by_id[self.order[place]] for place in places]

    def ascends(self, stamp: Callable[[Any], float | None]) -> bool:
        """Return whether the objects were made in the order of their stamps.

        Each is looked at once, with one and the same ``stamp``; one without a stamp counts for
        nothing.
        """
        for name in self.order[self._seen :]:
            found = stamp(self.by_id[name])
            if found is not None:
                self._ascends = self._ascends and found >= self._stamp
                self._stamp = found
        self._seen = len(self.order)
        return self._ascends


class Ledger:
    """The collections of one account; ``customers: any`` makes any string a customer.

    ``balance`` is the money by currency and the second from which it can be paid out.
    """

    __slots__ = ("_collections", "balance", "customers", "events", "ids")

    def __init__(self, ids: Ids, *, customers: str = "strict") -> None:
        self._collections: dict[str, Collection] = {}
        self.ids = ids
        self.events = EventLog()
        self.balance: dict[tuple[str, int], int] = {}
        self.customers = customers

    @property
    def lenient(self) -> bool:
        """Whether any string is a customer with a working card."""
        return self.customers == "any"

    def collection(self, kind: str) -> Collection:
        """Return the collection of a kind, empty where nothing was written."""
        found = self._collections.get(kind)
        if found is None:
            found = self._collections[kind] = Collection()
        return found

    def get(self, kind: str, object_id: str) -> Any:
        """Return the newest version of an object, or None."""
        return self.collection(kind).by_id.get(object_id)

    def write(self, writes: tuple[Write, ...]) -> None:
        """Write all objects; called by ``Bank.commit`` only."""
        for write in writes:
            collection = self.collection(write.kind)
            collection.put(write.id, write.value, write.groups)
            if write.leaves:
                collection.leave(write.id, write.leaves)
