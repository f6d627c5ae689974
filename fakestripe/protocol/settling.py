"""Whether an attempt has settled anything: what its client can know of its outcome.

Settled is who was delivered an unaltered answer that decides the matter. No answer, a 5xx, a
409, an ``idempotency_error``, a cut or an altered answer settle nothing. ``now`` is in seconds
of the port, so that a journal read later gives the answers that were true at that moment.
"""

from typing import Final

from fakestripe.protocol.attempt import Attempt

DECIDES: Final = frozenset({400, 401, 402, 403, 404, 429})
"""Statuses that settle an attempt beside the 2xx."""
CLOSES: Final = frozenset({400, 402, 404})
"""Statuses after which the same key will not move money any more."""


def is_over(attempt: Attempt, now: float) -> bool:
    """Return whether an attempt has ended, or its client has left."""
    ended, left = attempt.ended_s, attempt.left_s
    if ended is None and attempt.delivery == "intact":
        return True
    return (ended is not None and ended <= now) or (left is not None and left <= now)


def is_delivered(attempt: Attempt, now: float = float("inf")) -> bool:
    """Return whether the client had got the whole unaltered answer by ``now``."""
    ended = attempt.ended_s
    return attempt.delivery == "intact" and (ended is None or ended <= now)


def succeeded(attempt: Attempt) -> bool:
    """Return whether the status is a 2xx."""
    return attempt.status is not None and 200 <= attempt.status < 300  # noqa: PLR2004


def is_settled(attempt: Attempt, now: float = float("inf")) -> bool:
    """Return whether the client knows by ``now`` what came of this attempt."""
    if not is_delivered(attempt, now) or attempt.error_type == "idempotency_error":
        return False
    return succeeded(attempt) or attempt.status in DECIDES


def key_of(attempt: Attempt) -> str | int:
    """Return what stands for the idempotency key: without one, every arrival is its own."""
    return attempt.arrival if attempt.idempotency_key is None else attempt.idempotency_key
