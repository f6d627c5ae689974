"""Objects by id and in the order they were made; knows no Stripe type.

A list is append-only and an id knows its place in it, so no read grows with the number of
objects. Objects are frozen values: a new version replaces the old one, and whoever holds the
old one (an idempotency record) keeps a true snapshot.
"""

from typing import Any

from fakestripe.bank.change import Write
from fakestripe.bank.ids import Ids


class Collection:
    """All objects of one kind."""

    __slots__ = ("by_id", "order", "place")

    def __init__(self) -> None:
        self.by_id: dict[str, Any] = {}
        self.place: dict[str, int] = {}
        self.order: list[str] = []

    def put(self, object_id: str, value: Any) -> None:
        """Write a new object, or a new version of a known one."""
        if object_id not in self.by_id:
            self.place[object_id] = len(self.order)
            self.order.append(object_id)
        self.by_id[object_id] = value


class Ledger:
    """The collections of one account."""

    __slots__ = ("_collections", "customers", "ids")

    def __init__(self, ids: Ids, *, customers: str = "strict") -> None:
        self._collections: dict[str, Collection] = {}
        self.ids = ids
        self.customers = customers

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
            self.collection(write.kind).put(write.id, write.value)
