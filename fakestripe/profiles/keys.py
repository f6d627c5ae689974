"""Reads the further keys of an account, each by a name of the author's: a client has to know it.

What a key may say is decided where keys are (``protocol/further_key.py``); here a mistake gets
its place in the file.
"""

from collections.abc import Callable
from typing import Final

from fakestripe.profiles.instants import INSTANT
from fakestripe.profiles.place import Place
from fakestripe.profiles.shapes import BOOLEAN, Shape, items, mapping, one_of
from fakestripe.protocol.further_key import (
    DOLLARS,
    ENDPOINT,
    KEY,
    FurtherKey,
    Wrong,
    cents,
    check_endpoint,
    check_key,
    key_of,
)
from fakestripe.protocol.permissions import RIGHTS, WORDS

KEYED: Final = "a mapping such as {key: vk_test_nightly, daily_usd_cap: 450.00}"


def _checked(wanted: str, check: Callable[[str], object]) -> Callable[[Place], str]:
    """Return a reader of a text that is as a key says it."""

    def read(place: Place) -> str:
        text = place.line(wanted)
        try:
            check(text)
        except Wrong as wrong:
            raise place.wrong(wrong.said) from None
        return text

    return read


def _key(place: Place) -> FurtherKey:
    given = place.fields(FIELDS, ["key"], KEYED)
    try:
        return key_of(given)
    except Wrong as wrong:
        raise place.at(wrong.field).wrong(wrong.said) from None


def _keys(place: Place) -> tuple[FurtherKey, ...]:
    found = place.items(EACH, "a list of keys")
    names = [rules.key for rules in found]
    if len(set(names)) < len(names):
        raise place.wrong("a key is given twice: each has its rules once")
    return found


def _text(pattern: str) -> dict[str, object]:
    return {"type": "string", "pattern": f"^{pattern}$"}


FIELDS: Final = {
    "key": Shape(_checked("a key such as vk_test_nightly", check_key), _text(KEY)).told(
        "The key: vk_test_… for a vault key, rk_test_… for a restricted one."
    ),
    "daily_usd_cap": Shape(
        _checked("dollars such as 450.00", cents),
        {"type": ["string", "number"], "minimum": 0, "pattern": f"^{DOLLARS}$"},
    ).told("What it may charge on one day of UTC, in dollars."),
    "allowed_endpoints": items(
        Shape(_checked("an endpoint such as /v1/charges", check_endpoint), _text(ENDPOINT)),
        "a list of endpoints",
    ).told("Where it may go: a path, * in it for any text, perhaps with a method before it."),
    "expires_at": INSTANT.told("When it ends: a date, or epoch seconds."),
    "refunds_give_back": BOOLEAN.told("Whether a refund gives back of the cap."),
    "permissions": mapping(
        {word: one_of(RIGHTS, "right").told(f"What it may do with {word}.") for word in WORDS}
    ).told("What a restricted key may do; none where nothing is said."),
}
EACH: Final = Shape(_key, mapping(FIELDS, ["key"]).schema)
KEYS: Final = Shape(_keys, items(EACH).schema)
