"""No whole API key is shown: not in a table, not in a report, not in what a client printed."""

from fakestripe.protocol.secrets import masked


def redacted(text: str) -> str:
    """Return the text with every API key masked, and with nothing that UTF-8 cannot say."""
    return masked(text.encode(errors="replace").decode())
