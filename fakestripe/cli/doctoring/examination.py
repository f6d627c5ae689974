"""Every trial against one server, most of them at once: each on an account of its own.

What needs a port of its own comes one after the other, beside the rest. A trial whose rule never
struck, or whose request arrived twice, says so: something stands between.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from typing import Final, Literal

from msgspec import Struct, structs

from fakestripe.cli.doctoring.client import Place, Seen, look
from fakestripe.cli.doctoring.patient import Patient, Refused, Talk, further
from fakestripe.cli.doctoring.telling import told
from fakestripe.cli.doctoring.trials import OWN, TRIALS, Trial
from fakestripe.protocol.points import ORDER

QUIET: Final = 0.5
"""Seconds without a byte that are silence."""
KNOCK: Final = 0.4
"""Seconds in which a connection is made, or is not."""
BODY: Final = b"amount=2000&currency=usd&source=tok_visa&description=fakestripe+doctor"
AFTER: Final = 3.0
"""Seconds in which a port that refused connections takes them again."""

TROUBLE: Final = (Refused, OSError, HTTPException, ValueError)
"""What an admin call may end in."""


class Row(Struct, frozen=True):
    """One trial and what came of it; ``arrivals`` is how often its request reached the server."""

    point: str
    fault: str
    expected: str
    arrived: str
    result: Literal["ok", "differs", "skipped"]
    arrivals: int | None = None
    why: str | None = None


def examine(patient: Patient) -> list[Row]:
    """Try everything, and leave nothing behind."""
    numbered = list(enumerate(TRIALS, 1))
    with ThreadPoolExecutor(len(numbered) + 1) as pool:
        own = pool.submit(_on_own_port, patient)
        shared = list(pool.map(lambda each: _tried(patient, *each), numbered))
        found = own.result()
    _forget(patient, len(numbered))
    return sorted([*found, *shared], key=lambda row: ORDER[row.point])


def _tried(patient: Patient, number: int, trial: Trial) -> Row:
    """Try one on an account of its own; a server that cannot be told to is not as it should be."""
    key = patient.key(number)
    try:
        with patient.talk() as talk:
            talk.ask("PUT", "profile", key, trial.profile)
            seen = look(patient.place, _request(patient.place, key), QUIET)
            return _explained(trial, _row(trial, seen, talk, key), *_known(talk, key))
    except TROUBLE as reason:
        return Row(trial.at, trial.fault, trial.due, "", "differs", why=str(reason))


def _explained(trial: Trial, row: Row, arrivals: int, struck: int) -> Row:
    """Add what the server knows of it."""
    if not struck:
        why = "the request never met the fault"
        return structs.replace(row, result="differs", arrivals=arrivals, why=why)
    more = arrivals - (trial.tag == "resend")
    return structs.replace(
        row, arrivals=arrivals, why=f"it came {more} times" if more > 1 else None
    )


def _known(talk: Talk, key: str) -> tuple[int, int]:
    """Return how often a request arrived, and how often the fault struck it."""
    lines = [each for each in talk.ask("GET", "journal", key) if each["kind"] == "attempt"]
    struck = {each["arrival"] for each in lines if each["rules"]}
    return len({each["arrival"] for each in lines}), len(struck)


def _row(trial: Trial, seen: Seen, talk: Talk, key: str) -> Row:
    known = {each["id"] for each in talk.ask("GET", "charges", key)}
    arrived = told(trial, seen, known)
    result: Literal["ok", "differs"] = "ok" if arrived == trial.due else "differs"
    return Row(trial.at, trial.fault, trial.due, arrived, result)


def _request(place: Place, key: str) -> bytes:
    return (
        f"POST /v1/charges HTTP/1.1\r\nHost: {place.host}\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nIdempotency-Key: doctor\r\n"
        f"User-Agent: fakestripe-doctor\r\nContent-Length: {len(BODY)}\r\n\r\n"
    ).encode() + BODY


def _on_own_port(patient: Patient) -> list[Row]:
    """Try what needs a port of one's own, or say why it cannot be."""
    rows: list[Row] = []
    try:
        with further(patient) as own:
            rows.extend(_tried_alone(own, trial) for trial in OWN)
    except TROUBLE as reason:
        rows += [_skipped(trial, str(reason)) for trial in OWN[len(rows) :]]
    return rows


def _skipped(trial: Trial, reason: str) -> Row:
    return Row(trial.at, trial.fault, trial.due, "", "skipped", why=reason)


def _tried_alone(own: Patient, trial: Trial) -> Row:
    key = own.key(0)
    patience = KNOCK if trial.tag == "blackhole" else AFTER
    with own.talk() as talk:
        talk.ask("PUT", "profile", key, trial.profile)
        seen = look(own.place, _request(own.place, key), QUIET, patience)
        row = _row(trial, seen, talk, key)
    if trial.at == "listen":
        _await_open(own)
    return row


def _await_open(own: Patient) -> None:
    """Return when the port takes connections again."""
    ends = time.monotonic() + AFTER
    while time.monotonic() < ends:
        with suppress(OSError, HTTPException):
            own.ask("GET", "health")
            return
        time.sleep(0.02)


def _forget(patient: Patient, most: int) -> None:
    """Leave no account behind; what cannot be forgotten harms nobody."""
    with suppress(*TROUBLE), patient.talk() as talk:
        for number in range(most + 1):
            talk.ask("POST", "reset", patient.key(number))
