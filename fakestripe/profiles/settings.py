"""Reads ``settings``: how the account behaves, apart from what the rules of a profile do."""

from datetime import UTC, datetime
from typing import Final

from fakestripe.faults.rules import MOST_CUSTOMERS, Settings
from fakestripe.profiles import tree
from fakestripe.profiles.place import Place
from fakestripe.profiles.shapes import (
    BOOLEAN,
    DURATION,
    DURATION_OR_NONE,
    Shape,
    either,
    items,
    mapping,
    whole,
)
from fakestripe.profiles.webhooks import DELIVERIES, HOOK

LAST_SECOND: Final = 253_402_300_799


def read_settings(place: Place) -> Settings:
    """Read the settings; a clock is two of them."""
    given = place.fields(SETTINGS)
    clock = given.pop("clock", {})
    if "start" in clock:
        given["clock_start"] = clock["start"]
    if "frozen" in clock:
        given["clock_frozen"] = clock["frozen"]
    return Settings(**given)


def _start(place: Place) -> float:
    """Read an instant: epoch seconds, or a date with or without a time (UTC)."""
    text = place.line("a date such as 2026-01-31, or epoch seconds")
    if text.isascii() and text.isdigit() and len(text) != len("20260131"):
        return float(place.integer(least=0, most=LAST_SECOND))
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise place.wrong(f"{text!r} is no date such as 2026-01-31T09:00:00Z") from None
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return aware.timestamp()


def _customers(place: Place) -> str | int:
    """Read which customers there are: a word, or how many people."""
    if isinstance(place.node, tree.Scalar) and place.node.text.isdigit():
        return place.integer(least=1, most=MOST_CUSTOMERS)
    return place.word(["strict", "any"], "choice of customers")


INSTANT: Final = Shape(
    _start,
    either(
        {"type": "integer", "minimum": 0, "maximum": LAST_SECOND},
        {"type": "string", "pattern": "^[0-9][0-9:T.Z+ -]*$"},
    ),
)

CLOCK: Final = {
    "start": INSTANT.told("When the account's time begins: a date, or epoch seconds."),
    "frozen": BOOLEAN.told("Whether it stands still until somebody moves it."),
}

SETTINGS: Final = {
    "key_retention": DURATION.told("How long a key is kept: 24h if left out."),
    "cache_write_window": DURATION_OR_NONE.told("How long a stored key stays invisible."),
    "clock": mapping(CLOCK).told("The account's clock."),
    "seed": whole(least=0).told("What ids and people are made from."),
    "customers": Shape(
        _customers,
        either({"enum": ["strict", "any"]}, whole(most=MOST_CUSTOMERS).schema),
    ).told("Which customers there are: those created, any, or so many people."),
    "webhooks": items(HOOK).told("Who is told of events."),
    "deliveries": DELIVERIES.told("What befalls the events on their way to every webhook."),
}
BEHAVIOUR: Final = Shape(read_settings, mapping(SETTINGS).schema)
