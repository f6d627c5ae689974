"""How a mistake of our own is told: it never looks like Stripe failing."""

from typing import Final

from fakestripe.protocol.errors import encode
from fakestripe.protocol.reply import Reply

SERVER_ERROR: Final = 500


def note_of(bug: Exception) -> str:
    """Return what is noted of a mistake of our own, in text that can be written."""
    return f"{type(bug).__name__}: {bug}".encode("utf-8", "replace").decode()


def bug_reply(bug: Exception) -> Reply:
    """Answer a mistake of our own: it never looks like Stripe failing."""
    said = f"fakestripe has a bug: {note_of(bug)}"
    body = encode({"error": {"message": said, "type": "api_error"}})
    mark = (("Fakestripe-Bug", type(bug).__name__),)
    return Reply(SERVER_ERROR, body + b"\n", mark, altered=True, error_type="api_error")
