"""Which payments and refunds an answer names: whoever gets it knows of them."""

from collections.abc import Iterator
from typing import Any, Final

PAYMENTS: Final = ("ch_", "pi_", "py_", "re_", "pyr_")
_NAMING: Final = ("id", "charge", "latest_charge", "source")
"""The fields of an object in which such an id may stand."""


def ids_in(value: Any) -> tuple[str, ...]:
    """Return the ids of payments and refunds in an object, a page of them, or an event."""
    if isinstance(value, dict):
        return tuple(dict.fromkeys(_within(value)))
    items = getattr(value, "data", None)
    if not isinstance(items, list):
        return tuple(dict.fromkeys(_named(value)))
    return tuple(dict.fromkeys(name for item in items for name in _named(item)))


def _named(item: Any) -> Iterator[str]:
    for field in _NAMING:
        text = getattr(item, field, None)
        if isinstance(text, str) and text.startswith(PAYMENTS):
            yield text
    told = getattr(getattr(item, "data", None), "object", None)
    if told is not None:
        yield from _named(told)


def _within(value: Any) -> Iterator[str]:
    """Yield what an expanded object names, at every level."""
    if isinstance(value, dict):
        texts = (value.get(field) for field in _NAMING)
        yield from (t for t in texts if isinstance(t, str) and t.startswith(PAYMENTS))
    for below in value.values() if isinstance(value, dict) else value:
        if isinstance(below, dict | list):
            yield from _within(below)
