"""The memory of idempotency keys: one transition table, atomic because nothing here waits.

              same request         other parameters      other endpoint
  absent      execute              execute               execute
  in flight   409                  409                   409
  finished    replay               400 mismatch          400 other endpoint
  expired     execute (new)        execute (new)         execute (new)

A claim puts a key in flight. ``settle`` finishes it with its answer, ``release`` makes it absent
again: parameter validation, a fault before the commit. Sources: stripe-facts 1.1 and 1.2; the
in-flight row is one word for all three columns because the first request has bound the key and
its outcome is not known yet [G].
"""

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

State: TypeAlias = Literal["absent", "in_flight", "finished", "expired"]
Likeness: TypeAlias = Literal["same", "other_parameters", "other_endpoint"]
Move: TypeAlias = Literal["execute", "conflict", "replay", "mismatch", "wrong_endpoint"]

TRANSITIONS: Final[dict[tuple[State, Likeness], Move]] = {
    ("absent", "same"): "execute",
    ("absent", "other_parameters"): "execute",
    ("absent", "other_endpoint"): "execute",
    ("in_flight", "same"): "conflict",
    ("in_flight", "other_parameters"): "conflict",
    ("in_flight", "other_endpoint"): "conflict",
    ("finished", "same"): "replay",
    ("finished", "other_parameters"): "mismatch",
    ("finished", "other_endpoint"): "wrong_endpoint",
    ("expired", "same"): "execute",
    ("expired", "other_parameters"): "execute",
    ("expired", "other_endpoint"): "execute",
}


class Answer(Struct, frozen=True, gc=False):
    """What is stored: the status and either the frozen object or the exact error body."""

    status: int
    content: Any
    ids: tuple[str, ...] = ()


class Record(Struct, gc=False):
    """One key: who bound it, when, and its answer once there is one."""

    key: str
    path: str
    fingerprint: bytes
    created: float
    request_id: str
    arrival: int
    answer: Answer | None = None
    visible_from: float = 0.0


class Claim(Struct, frozen=True, gc=False):
    """What a key look-up decided: the move, and the record it is about."""

    move: Move
    record: Record
    previous: Record | None = None


class Idempotency:
    """All records of one account."""

    __slots__ = ("_records", "forgotten", "retention", "write_window")

    def __init__(self, retention: float) -> None:
        self._records: dict[str, Record] = {}
        self.forgotten: dict[str, str] = {}
        self.retention = retention
        self.write_window = 0.0

    def state(self, record: Record | None, now: float) -> State:
        """Return the state of a key at ``now`` (epoch seconds of the account)."""
        if record is None:
            return "absent"
        if record.answer is None:
            return "in_flight"
        if now < record.visible_from:
            return "absent"
        return "expired" if now - record.created >= self.retention else "finished"

    def claim(self, fresh: Record) -> Claim:
        """Look a key up and, where the table says so, bind it to the fresh record.

        ``fresh.created`` is the account's time of this request.
        """
        found = self._records.get(fresh.key)
        move = TRANSITIONS[self.state(found, fresh.created), _likeness(found, fresh)]
        if found is None or move == "execute":
            self._records[fresh.key] = fresh
            if found is not None and fresh.created < found.visible_from:
                self.forgotten[fresh.key] = "cache_write_window"
                return Claim(move, fresh)
            return Claim(move, fresh, found)
        return Claim(move, found)

    def settle(self, record: Record, answer: Answer, now: float = 0.0) -> None:
        """Finish a claimed key; called by ``Bank.commit`` and for stored refusals.

        A cache with a write window shows the record only when it has passed.
        """
        record.answer = answer
        if self.write_window:
            record.visible_from = max(record.visible_from, now + self.write_window)

    def release(self, record: Record) -> None:
        """Make a claimed key absent again, unless it was settled or bound anew."""
        if record.answer is None and self._records.get(record.key) is record:
            del self._records[record.key]

    def forget(self, key: str, why: str) -> None:
        """Drop a finished record, as a cache that lost it would; remember who did it."""
        record = self._records.get(key)
        if record is not None and record.answer is not None:
            del self._records[key]
            self.forgotten[key] = why

    def expire(self, key: str) -> None:
        """Age a record beyond retention."""
        record = self._records.get(key)
        if record is not None:
            record.created -= self.retention


def _likeness(found: Record | None, fresh: Record) -> Likeness:
    if found is None:
        return "same"
    if found.path != fresh.path:
        return "other_endpoint"
    return "same" if found.fingerprint == fresh.fingerprint else "other_parameters"
