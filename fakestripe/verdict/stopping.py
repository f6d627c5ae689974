"""Whether a spend cap stopped an operation: it refused it, and let it through no more.

That a payment was stopped is nobody's guilt; the word for it is found in ``counting``.
"""

from itertools import chain
from typing import Final

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.settling import is_settled
from fakestripe.verdict.units import Unit

EXCEEDED: Final = "daily_usd_cap_exceeded"
EXECUTING: Final = frozenset({"claimed", "committed"})
IN_FRONT: Final = frozenset({401, 403, 429})
"""Statuses that say nothing of whether a request was let through."""


def is_over_cap(attempt: Attempt) -> bool:
    """Return whether the cap of its key refused an arrival."""
    return attempt.policy == EXCEEDED


def stopped(unit: Unit) -> list[Attempt]:
    """Return the refusals by a cap after which their operation was let through no more."""
    refused: dict[int, list[Attempt]] = {}
    for attempt in unit.attempts:
        number = unit.operation_of[attempt.arrival]
        if is_over_cap(attempt):
            refused.setdefault(number, []).append(attempt)
        elif _is_let_through(attempt):
            refused.pop(number, None)
    return sorted(chain(*refused.values()), key=lambda attempt: attempt.arrival)


def _is_let_through(attempt: Attempt) -> bool:
    """Return whether an arrival came to be executed: it holds its key, or was told so."""
    decided = is_settled(attempt) and attempt.status not in IN_FRONT
    return attempt.moved is not None or attempt.last_point in EXECUTING or decided
