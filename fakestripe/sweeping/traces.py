"""What a run looked like from the server: runs of one trace cannot differ under a further fault.

A trace holds what the client sent, and what stood in the ledger when it did; not what it was told
by the fault itself, which is what the runs of one slot differ in.
"""

from typing import Final, TypeAlias

from fakestripe.sweeping.cells import Cell
from fakestripe.sweeping.requests import Request

Trace: TypeAlias = tuple[object, ...]
NO_KEY: Final = -1


def trace_of(cell: Cell) -> Trace:
    """Return the trace of a run: its slot, its requests by operation, how the client ended."""
    keys: dict[str, int] = {}
    ordered = sorted(cell.requests, key=lambda each: (str(each.home), each.attempt.arrival))
    return (cell.plan.last.slot.place, cell.exits, *(_seen(each, keys) for each in ordered))


def _seen(request: Request, keys: dict[str, int]) -> object:
    attempt = request.attempt
    key = attempt.idempotency_key
    number = NO_KEY if key is None else keys.setdefault(key, len(keys))
    moved = None if attempt.moved is None else (attempt.moved.kind, attempt.moved.amount)
    told = None if attempt.rules else attempt.status
    return (request.place, request.pairs, number, attempt.key_state, moved, told)
