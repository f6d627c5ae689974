"""Reads the body of a request: all of it, or so much as a fault at ``reading`` lets come.

What of a body has arrived when a connection is broken off is a race of the client's bytes with
the server's: nothing here pretends otherwise.
"""

from typing import Final

from aiohttp import web

from fakestripe.faults.kinds import Fault
from fakestripe.protocol.effects import part
from fakestripe.server.wire import Line

NO_LENGTH: Final = 0
"""What a fraction is of, where a chunked body does not say how long it will be."""


def arrived(raw: web.BaseRequest) -> bytes:
    """Return the body where all of it came with the headers: there is nothing to wait for."""
    content = raw.content
    return content.read_nowait() if content.is_eof() and raw.can_read_body else b""


async def whole(raw: web.BaseRequest, line: Line) -> bytes:
    """Return the body; one that cannot be read is answered 400, as nginx would."""
    _invite(raw, line)
    try:
        return await raw.read()
    except (web.HTTPException, ConnectionError):
        raise
    except Exception as wrong:
        raise web.HTTPBadRequest(text=f"400 Bad Request: {wrong}\n") from wrong


async def some(raw: web.BaseRequest, line: Line, fault: Fault) -> tuple[bytes, bool]:
    """Return what had come of the body when a fault begins, and whether that is all of it."""
    wanted, content, body = getattr(fault, "body", None) or 0, raw.content, b""
    size = part(wanted, raw.content_length or NO_LENGTH) if isinstance(wanted, float) else wanted
    if size:
        _invite(raw, line)
    try:
        while len(body) < size and not content.at_eof():
            body += await content.readany()
        body += content.read_nowait()
    except Exception:  # noqa: BLE001  # broken by the client: this is what has come of it
        return body, False
    return body, content.at_eof()


def _invite(raw: web.BaseRequest, line: Line) -> None:
    if not isinstance(raw, web.Request):  # an application invites by itself
        line.invite()
