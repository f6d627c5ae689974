"""Reads an instant: a date with or without a time (UTC), or epoch seconds."""

from datetime import UTC, datetime
from typing import Final

from fakestripe.profiles.place import Place
from fakestripe.profiles.problems import quoted
from fakestripe.profiles.shapes import Shape, either

LAST_SECOND: Final = 253_402_300_799


def _instant(place: Place) -> float:
    text = place.line("a date such as 2026-01-31, or epoch seconds")
    if text.isascii() and text.isdigit() and len(text) != len("20260131"):
        return float(place.integer(least=0, most=LAST_SECOND))
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise place.wrong(f"{quoted(text)} is no date such as 2026-01-31T09:00:00Z") from None
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return aware.timestamp()


INSTANT: Final = Shape(
    _instant,
    either(
        {"type": "integer", "minimum": 0, "maximum": LAST_SECOND},
        {"type": "string", "pattern": "^[0-9][0-9:T.Z+ -]*$"},
    ),
)
