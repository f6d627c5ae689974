"""No whole API key, and no whole card number, is ever shown: not in a journal, not in a report.

A key may stand anywhere that a caller writes: in a parameter, a path, an idempotency key.
"""

import re
from typing import Any, Final

from fakestripe.protocol.headers import mask

_KEY: Final = re.compile(r"[a-z]{2}_(?:test|live)_[A-Za-z0-9_]+")
_CARD: Final = re.compile(r"[0-9]{12,19}")
SHOWN: Final = 4
"""The last digits of a card number that may be shown."""


def masked(text: str) -> str:
    """Return a text with every API key in it masked."""
    if "_test_" not in text and "_live_" not in text:
        return text
    return _KEY.sub(lambda found: mask(found[0]), text)


def masked_tree(value: Any, name: str = "") -> Any:
    """Return nested parameters with keys and card numbers masked."""
    if isinstance(value, dict):
        return {masked(key): masked_tree(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [masked_tree(item, name) for item in value]
    if name == "number" and _CARD.fullmatch(value):
        return "*" * (len(value) - SHOWN) + value[-SHOWN:]
    return masked(value)
