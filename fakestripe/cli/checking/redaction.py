"""No whole API key is shown: not in a table, not in a report, not in what a client printed."""

import re
from typing import Final

from fakestripe.protocol.headers import mask

_KEY: Final = re.compile(r"\b[a-z]{2}_(?:test|live)_[A-Za-z0-9_]+")


def redacted(text: str) -> str:
    """Return the text with every API key masked, and with nothing that UTF-8 cannot say."""
    return _KEY.sub(lambda found: mask(found[0]), text.encode(errors="replace").decode())
