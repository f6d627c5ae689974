"""Reads ``settings``: how the account behaves, apart from what the rules of a profile do."""

from typing import Final

from fakestripe.faults.rules import MOST_CUSTOMERS, Settings
from fakestripe.profiles import tree
from fakestripe.profiles.instants import INSTANT
from fakestripe.profiles.keys import KEYS
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


def read_settings(place: Place) -> Settings:
    """Read the settings; a clock is two of them."""
    given = place.fields(SETTINGS)
    clock = given.pop("clock", {})
    if "start" in clock:
        given["clock_start"] = clock["start"]
    if "frozen" in clock:
        given["clock_frozen"] = clock["frozen"]
    return Settings(**given)


def _customers(place: Place) -> str | int:
    """Read which customers there are: a word, or how many people."""
    if isinstance(place.node, tree.Scalar) and place.node.text.isdigit():
        return place.integer(least=1, most=MOST_CUSTOMERS)
    return place.word(["strict", "any"], "choice of customers")


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
    "keys": KEYS.told("Further keys of the account: with a spend cap, or restricted."),
    "deliveries": DELIVERIES.told("What befalls the events on their way to every webhook."),
}
BEHAVIOUR: Final = Shape(read_settings, mapping(SETTINGS).schema)
