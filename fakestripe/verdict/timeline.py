"""The attempts of one operation, line by line, as the page and the text show them.

Times count from the operation's first attempt: by the clock that nobody moves, or, where the
account's clock was moved in between, by that one.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.duration import words
from fakestripe.protocol.labels import EITHER, sender
from fakestripe.verdict.finding import OperationVerdict, Seen

LONGEST: Final = 72
MOVED: Final = 1.0
"""Seconds by which the two clocks may differ before one of them was moved."""

KEYS: Final[dict[str, str]] = {
    "absent": "",
    "new": "",
    "replay": "replayed",
    "in_flight": "in flight already",
    "mismatch": "refused: bound to other parameters",
    "expired": "forgotten, too old",
    "refused": "refused: no legal key",
}
LABELS: Final[dict[str, str]] = {
    "first": "",
    "sdk_retry": "a retry under the same key",
    "app_retry": "sent again by the application",
    "replica": "sent while an earlier one was in flight: another replica, thread or submit",
}


class Line(Struct, frozen=True):
    """One attempt for a reader: when, what, on which connection, under which key, what came."""

    arrival: int
    after: str
    request: str
    connection: str
    key: str
    happened: str
    made: str | None = None
    label: str = ""


def lines(found: OperationVerdict, points: Mapping[str, str]) -> Iterator[Line]:
    """Yield the attempts of an operation; ``points`` says where each rule strikes."""
    if not found.attempts:
        return
    first = found.attempts[0].attempt
    charges = charge_names(found)
    for seen in found.attempts:
        attempt = seen.attempt
        yield Line(
            arrival=attempt.arrival,
            after=f"+{offset(first, attempt)}",
            request=f"{attempt.method} {attempt.path}",
            connection=_connection(attempt),
            key=_key(attempt),
            happened=", ".join(_happened(attempt, points)),
            made=_made(attempt, charges),
            label=_label(seen),
        )


def charge_names(found: OperationVerdict) -> dict[str, str]:
    """Return what the charges of an operation are called: ch_A, ch_B and so on."""
    return {made: f"ch_{_letter(place)}" for place, made in enumerate(found.charges)}


def offset(first: Attempt, attempt: Attempt) -> str:
    """Return how long after the first an attempt came."""
    real, account = attempt.started_s - first.started_s, attempt.at - first.at
    return words(account if abs(account - real) > MOVED else real)


def _letter(place: int) -> str:
    """Return A, B, …, and numbers behind Z."""
    return chr(ord("A") + place) if place < 26 else str(place + 1)  # noqa: PLR2004


def _connection(attempt: Attempt) -> str:
    nth = attempt.request_on_connection
    return f"connection {attempt.connection} ({'fresh' if nth <= 1 else f'its request {nth}'})"


def _key(attempt: Attempt) -> str:
    key = attempt.idempotency_key
    if key is None:
        return "no key"
    state = KEYS[attempt.key_state]
    if attempt.forgotten_by is not None:
        state = "forgotten by the server"
    short = key if len(key) <= LONGEST else f"{key[: LONGEST - 10]}…{key[-8:]}"
    return f"key {short}" + (f" ({state})" if state else "")


def _happened(attempt: Attempt, points: Mapping[str, str]) -> Iterator[str]:
    """Yield the faults that struck, and what the client got."""
    if attempt.faults:
        struck = dict.fromkeys(points[name] for name in attempt.rules if name in points)
        where = f" at {' and '.join(struck)}" if struck and attempt.delivery == "none" else ""
        yield f"{', '.join(attempt.rules)}: {', then '.join(attempt.faults)}{where}"
    yield got(attempt)
    if attempt.outcome == "bug":
        yield f"which is a bug of fakestripe, not of your client ({attempt.note})"
    if attempt.error_code or attempt.error_type:
        yield attempt.error_code or attempt.error_type or ""


def got(attempt: Attempt) -> str:
    """Return what the client got."""
    left = attempt.left_s
    if attempt.delivery == "intact":
        return f"answered {attempt.status}"
    if attempt.delivery == "altered":
        return f"answered {attempt.status}, which is not the true answer"
    if attempt.delivery == "partial":
        return f"its answer was cut after {attempt.bytes_sent} bytes"
    if left is not None:
        return f"no answer, the client left after {words(max(left - attempt.started_s, 0.0))}"
    return "no answer" if attempt.ended_s is not None else "no answer, and no end"


def _made(attempt: Attempt, charges: Mapping[str, str]) -> str | None:
    moved = attempt.moved
    if moved is None:
        return None
    if moved.id in charges and moved.kind == "charge":
        return f"{charges[moved.id]} = {moved.id}"
    state = " (failed)" if moved.status == "failed" else ""
    return f"{moved.kind} {moved.id}{state}"


def _label(seen: Seen) -> str:
    if seen.label == "transport_resend":
        stack = sender(seen.attempt)
        return f"a byte-identical copy that {stack.name if stack else 'the stack'} sent by itself"
    if seen.label == "app_retry" and seen.attempt.user_agent.startswith(EITHER):
        return "sent again by your code or its HTTP library"
    return LABELS[seen.label]
