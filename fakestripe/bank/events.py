"""What changed, in order: one small value an event, written with the change that it tells of.

Nothing is worked out when an event is written: it holds the versions of the object, which others
hold too, and its id is its place in the log. Whoever reads derives the rest, once: a reader has a
name, and is given each event one time.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from fakestripe.bank.change import EventDraft
from fakestripe.protocol.effects import Held


class Event(Struct, frozen=True, gc=False):
    """One event: the object at that time, before it where it was updated, and who asked.

    ``key`` is the idempotency key of the request, also one that the server made.
    """

    type: str
    object: Any
    previous: Any
    created: float
    request_id: str
    key: str | None


class EventLog:
    """All events of one account, oldest first; ``listener`` is told the place of each new one.

    ``pending`` has the places that somebody is still to be told of, and how many are to be;
    ``awaited`` is what the listener left for the request that commits to wait for.
    """

    __slots__ = ("_read", "awaited", "events", "listener", "pending")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.listener: Callable[[int], None] | None = None
        self.pending: dict[int, int] = {}
        self.awaited: list[Held] = []
        self._read: dict[str, int] = {}

    def add(
        self, drafts: tuple[EventDraft, ...], created: float, request_id: str, key: str | None
    ) -> None:
        """Write what a change tells; called by ``Bank.commit`` only."""
        for draft in drafts:
            self.events.append(
                Event(draft.type, draft.object, draft.previous, created, request_id, key)
            )
            if self.listener is not None:
                self.listener(len(self.events) - 1)

    def take_awaited(self) -> tuple[Held, ...]:
        """Return what is to be waited for before the answer, and leave nothing of it."""
        awaited, self.awaited = tuple(self.awaited), []
        return awaited

    def unread(self, reader: str) -> Iterator[tuple[int, Event]]:
        """Yield the events that a reader was not given yet, with their places."""
        start = self._read.get(reader, 0)
        self._read[reader] = len(self.events)
        return enumerate(self.events[start:], start)
