"""Reads the body of a request: all of it, or so much as a fault at ``reading`` lets come.

What of a body has arrived when a connection is broken off is a race of the client's bytes with
the server's: nothing here pretends otherwise. Bodies are bounded, one by one and together: large
ones wait for each other, and one that does not come in time is given up.
"""

import asyncio
from typing import Final

from aiohttp import StreamReader, web

from fakestripe.faults.kinds import Fault
from fakestripe.protocol.effects import part
from fakestripe.server.wire import Line

BODY_LIMIT: Final = 16 * 2**20
"""Bytes; nothing that Stripe takes on these routes comes near."""
SMALL: Final = 2**16
"""Bytes of a body for which nobody has to wait."""
AT_ONCE: Final = 4
"""Large bodies that are read at once."""
PATIENCE: Final = 60.0
"""Seconds in which a body has to come, as at nginx."""
LATE: Final = f"408 Request Timeout: the body did not come within {PATIENCE:g} s\n"
NO_LENGTH: Final = 0
"""What a fraction is of, where a chunked body does not say how long it will be."""


def arrived(raw: web.BaseRequest) -> bytes:
    """Return the body where all of it came with the headers: there is nothing to wait for."""
    content = raw.content
    return content.read_nowait() if content.is_eof() and raw.can_read_body else b""


async def whole(raw: web.BaseRequest, line: Line, large: asyncio.Semaphore) -> bytes:
    """Return the body; one that cannot be read is answered 400, 408 or 413, as nginx would.

    ``large`` is held while one is read that is not small.
    """
    length = raw.content_length
    if length is not None and length > BODY_LIMIT:
        raise web.HTTPRequestEntityTooLarge(BODY_LIMIT, length)
    _invite(raw, line)
    try:
        async with asyncio.timeout(PATIENCE):
            return await _read(raw.content, large)
    except (web.HTTPException, ConnectionError):
        raise
    except TimeoutError as late:
        raise web.HTTPRequestTimeout(text=LATE) from late
    except Exception as wrong:
        raise web.HTTPBadRequest(text=f"400 Bad Request: {wrong}\n") from wrong


async def _read(content: StreamReader, large: asyncio.Semaphore) -> bytes:
    body = bytearray()
    if not await _fill(content, body, SMALL):
        async with large:
            if not await _fill(content, body, BODY_LIMIT):
                size = len(body)
                body.clear()  # what is raised would keep it
                raise web.HTTPRequestEntityTooLarge(BODY_LIMIT, size)
    return bytes(body)


async def _fill(content: StreamReader, body: bytearray, most: int) -> bool:
    """Take what comes, up to about ``most`` bytes; return whether it was all of the body."""
    while len(body) <= most:
        piece = await content.readany()
        if not piece:
            return True
        body += piece
    return False


async def some(raw: web.BaseRequest, line: Line, fault: Fault) -> tuple[bytes, bool]:
    """Return what had come of the body when a fault begins, and whether that is all of it."""
    wanted, content, body = getattr(fault, "body", None) or 0, raw.content, b""
    size = part(wanted, raw.content_length or NO_LENGTH) if isinstance(wanted, float) else wanted
    size = min(size, BODY_LIMIT)
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
