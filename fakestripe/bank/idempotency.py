"""The memory of idempotency keys: one transition table, atomic because nothing here waits.

              same request         other parameters      other endpoint
  absent      execute              execute               execute
  in flight   409                  409                   409
  unseen      execute              execute               execute
  finished    replay               400 mismatch          400 other endpoint
  expired     execute              execute               execute

A claim puts a key in flight. ``settle`` finishes it with its answer; ``release`` puts back what
was there before: parameter validation, a fault before the commit. "Unseen" is a finished record
that a slow cache does not show yet (``cache_write_window``). Sources: stripe-facts 1.1 and 1.2;
the in-flight row is one word because the first request has bound the key and its outcome is not
known yet [G]; a key expires at the very second its retention ends [G]. ``expand`` is a parameter
like any other, ``Stripe-Version`` is none [G].
"""

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from fakestripe.protocol.form import same

State: TypeAlias = Literal["absent", "in_flight", "unseen", "finished", "expired"]
Likeness: TypeAlias = Literal["same", "other_parameters", "other_endpoint"]
Move: TypeAlias = Literal["execute", "conflict", "replay", "mismatch", "wrong_endpoint"]
Forgetting: TypeAlias = Literal["server_lost_record", "cache_write_window"]

TRANSITIONS: Final[dict[tuple[State, Likeness], Move]] = {
    ("absent", "same"): "execute",
    ("absent", "other_parameters"): "execute",
    ("absent", "other_endpoint"): "execute",
    ("in_flight", "same"): "conflict",
    ("in_flight", "other_parameters"): "conflict",
    ("in_flight", "other_endpoint"): "conflict",
    ("unseen", "same"): "execute",
    ("unseen", "other_parameters"): "execute",
    ("unseen", "other_endpoint"): "execute",
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
    error_type: str | None = None
    error_code: str | None = None


class Record(Struct, gc=False):
    """One key: who bound it, when, and its answer once there is one."""

    key: str
    path: str
    form: bytes
    created: float
    request_id: str
    arrival: int
    answer: Answer | None = None
    visible_from: float = 0.0


class Claim(Struct, frozen=True, gc=False):
    """What a key look-up decided: the move, and the record it is about.

    ``previous`` is the record that the claim took the place of, ``state`` what it was in.
    ``forgotten_by`` says which fault made the server forget a key it had known.
    """

    move: Move
    record: Record
    state: State
    previous: Record | None = None
    forgotten_by: Forgetting | None = None


def unbound(record: Record) -> Claim:
    """Return the claim of a request that binds no key, a DELETE: its record stands nowhere."""
    return Claim("execute", record, "absent")


class Idempotency:
    """All records of one account; times are seconds of the account's clock."""

    __slots__ = ("_forgotten", "_records", "retention", "write_window")

    def __init__(self, retention: float) -> None:
        self._records: dict[str, Record] = {}
        self._forgotten: dict[str, Forgetting] = {}
        self.retention = retention
        self.write_window = 0.0

    def state(self, record: Record | None, now: float) -> State:
        """Return the state of a key at ``now``."""
        if record is None:
            return "absent"
        if record.answer is None:
            return "in_flight"
        if now - record.created >= self.retention:
            return "expired"
        return "unseen" if now < record.visible_from else "finished"

    def claim(self, fresh: Record) -> Claim:
        """Look a key up and, where the table says so, bind it to the fresh record.

        ``fresh.created`` is the account's time of this request.
        """
        found = self._records.get(fresh.key)
        if found is None:  # the first rows of the table: nothing to compare with
            self._records[fresh.key] = fresh
            return Claim("execute", fresh, "absent", None, self._forgotten.get(fresh.key))
        state = self.state(found, fresh.created)
        move = TRANSITIONS[state, _likeness(found, fresh)]
        if move != "execute":
            return Claim(move, found, state)
        self._records[fresh.key] = fresh
        forgotten = "cache_write_window" if state == "unseen" else self._forgotten.get(fresh.key)
        return Claim(move, fresh, state, found, forgotten)

    def settle(self, record: Record, answer: Answer, now: float) -> None:
        """Finish a claimed key with its answer, or put another in its place."""
        record.answer = answer
        if self.write_window:
            record.visible_from = now + self.write_window
        self._forgotten.pop(record.key, None)

    def release(self, claim: Claim) -> None:
        """Undo a claim, unless it was settled or its key has been bound anew."""
        record = claim.record
        if record.answer is not None or self._records.get(record.key) is not record:
            return
        if claim.previous is None:
            del self._records[record.key]
        else:
            self._records[record.key] = claim.previous

    def forget(self, key: str) -> None:
        """Drop a finished record, as a server that lost it would, and remember that."""
        record = self._records.get(key)
        if record is not None and record.answer is not None:
            del self._records[key]
            self._forgotten[key] = "server_lost_record"

    def expire(self, key: str) -> None:
        """Age a finished record beyond retention."""
        record = self._records.get(key)
        if record is not None and record.answer is not None:
            record.created -= self.retention


def _likeness(found: Record, fresh: Record) -> Likeness:
    if found.path != fresh.path:
        return "other_endpoint"
    if not same(found.form, fresh.form):
        return "other_parameters"
    return "same"
