"""What arrived, in words: those in which the table of trials says what should.

A reply is read as it came: whole where its body is as long as announced, else so many bytes of it.
"""

import json
from collections.abc import Collection
from typing import Any, Final

from msgspec import Struct

from fakestripe.cli.doctoring.client import Seen
from fakestripe.cli.doctoring.trials import Trial

LATE: Final = 0.09
FEW: Final = 3
"""So many pieces of five, at least, are a reply that drips."""


class Heard(Struct, frozen=True):
    """A reply whose head is there: ``announced`` is None where no length was."""

    status: str
    headers: dict[str, str]
    body: bytes
    announced: int | None
    whole: bool


def told(trial: Trial, seen: Seen, known: Collection[str]) -> str:
    """Return what arrived in a trial; ``known`` are the charges that there are."""
    heard = _heard(seen.data)
    if heard is None:
        return f"{len(seen.data)} bytes, {seen.ended}" if seen.data else seen.ended
    if not heard.whole:
        content = _json(heard.body)
        if content is None or not heard.announced:
            return f"{heard.status} and {len(heard.body)} bytes, {seen.ended}"
        return f"{heard.status}, length {round(100 * heard.announced / len(heard.body))}%"
    words = [heard.status, *_of_content(heard, known), *_of_timing(trial, seen)]
    if seen.ended != "silence":
        words.append(f"then {seen.ended}")
    return ", ".join(words)


def _of_content(heard: Heard, known: Collection[str]) -> list[str]:
    if "json" not in heard.headers.get("content-type", ""):
        return []
    content = _json(heard.body)
    if content is None:
        return ["broken JSON"]
    if content.get("object") == "charge" and content["id"] not in known:
        return ["another charge"]
    return ["replayed"] if "idempotent-replayed" in heard.headers else []


def _of_timing(trial: Trial, seen: Seen) -> list[str]:
    if trial.timing == "late":
        return ["late" if seen.began >= LATE else "at once"]
    if trial.timing == "pieces":
        return ["in pieces" if seen.pieces >= FEW else "in one piece"]
    return []


def _json(body: bytes) -> dict[str, Any] | None:
    try:
        content = json.loads(body)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _heard(data: bytes) -> Heard | None:
    """Return the reply that some bytes are, None where its head is not whole."""
    head, ends, rest = data.partition(b"\r\n\r\n")
    if not ends:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    status = first.partition(" ")[2][:3]
    if "chunked" in headers.get("transfer-encoding", ""):
        body, whole = _unchunked(rest)
        return Heard(status, headers, body, None, whole)
    length = headers.get("content-length", "")
    announced = int(length) if length.isascii() and length.isdigit() else None
    return Heard(status, headers, rest, announced, len(rest) == announced)


def _unchunked(rest: bytes) -> tuple[bytes, bool]:
    """Return what of a body is there, and whether its last chunk is."""
    body = b""
    while rest:
        line, ends, rest = rest.partition(b"\r\n")
        try:
            size = int(line, 16)
        except ValueError:
            return body, False
        if not size or not ends:
            return body, bool(ends)
        body, rest = body + rest[:size], rest[size + 2 :]
    return body, False
