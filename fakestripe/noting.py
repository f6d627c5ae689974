"""What an exchange writes down of itself in its line of the journal; it decides nothing."""

from typing import Final

from fakestripe.bank.idempotency import Claim, Move
from fakestripe.protocol.attempt import Attempt, KeyState
from fakestripe.protocol.reply import Reply

KEY_STATES: Final[dict[Move, KeyState]] = {
    "conflict": "in_flight",
    "replay": "replay",
    "mismatch": "mismatch",
    "wrong_endpoint": "mismatch",
}
PASSED: Final = frozenset({None, "allowed"})
"""What a further key decides of a request that goes on to Stripe."""


def bound(attempt: Attempt, claim: Claim) -> None:
    """Note what was known of the idempotency key."""
    if claim.move != "execute":
        attempt.key_state = KEY_STATES[claim.move]
        attempt.replayed_from = claim.record.arrival
    elif attempt.idempotency_key is not None:
        attempt.key_state = "expired" if claim.state == "expired" else "new"
        attempt.replayed_from = claim.previous.arrival if claim.previous else None
        attempt.forgotten_by = claim.forgotten_by


def answered(attempt: Attempt, reply: Reply) -> None:
    """Note what is going to be answered."""
    attempt.status, attempt.ids = reply.status, reply.ids
    attempt.error_type, attempt.error_code = reply.error_type, reply.error_code
    attempt.charge = reply.charge or attempt.charge


def delivered(attempt: Attempt, reply: Reply) -> None:
    """Note that all of the reply has reached its client."""
    attempt.delivery = "altered" if reply.altered else "intact"
    if attempt.outcome is None:
        in_front = reply.origin == "front" or attempt.policy not in PASSED
        attempt.outcome = "refused" if in_front else "answered"
