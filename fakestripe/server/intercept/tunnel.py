"""A tunnel: bytes carried both ways as they are, no more of them at once than one piece each way.

It ends as the connections do: a half that is finished finishes the other's, a reset resets it.
One thing is read: the name in a greeting of TLS, since an address does not tell that it is
Stripe's. Nothing of such a greeting is sent on.
"""

import asyncio
import os
import re
import socket
from typing import Final

from fakestripe.server import kernel

PIECE: Final = 65_536
"""Bytes that are carried at once, each way."""
PATIENCE: Final = 10.0
"""Seconds in which a host must take a connection."""


HANDSHAKE: Final = b"\x16"
HEADER: Final = 5
"""Bytes before a record of TLS; the last two say how long it is."""
_STRIPES: Final = re.compile(rb"(?<![a-z0-9_-])stripe\.com(?![a-z0-9_.-])", re.IGNORECASE)


class UnreachableError(OSError):
    """A host that cannot be reached: the text says why."""


async def reached(host: str, port: int) -> socket.socket:
    """Return a connection to a host; raises ``UnreachableError``."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await _connected(host, port)
    except TimeoutError:
        raise UnreachableError(f"no answer within {PATIENCE:g} s") from None
    except OSError as failure:
        raise UnreachableError(_why(failure)) from None


def _why(failure: OSError) -> str:
    """Return what the system says of it; asyncio puts words of its own in its place."""
    if failure.errno is None or isinstance(failure, socket.gaierror):
        return failure.strerror or str(failure)
    return os.strerror(failure.errno)


async def _connected(host: str, port: int) -> socket.socket:
    """Return a connection to the first address of a host that takes one."""
    loop = asyncio.get_running_loop()
    failure = OSError("it has no address")
    for family, kind, protocol, _, place in await loop.getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    ):
        far = socket.socket(family, kind, protocol)
        try:
            far.settimeout(0)
            await loop.sock_connect(far, place)
        except OSError as wrong:
            far.close()
            failure = wrong
        except BaseException:
            far.close()
            raise
        else:
            return far
    raise failure


async def carry(client: socket.socket, far: socket.socket) -> None:
    """Carry bytes both ways until both are finished or one of them breaks; ``far`` is closed."""
    try:
        async with asyncio.TaskGroup() as ways:
            ways.create_task(_out(client, far))
            ways.create_task(_one_way(far, client))
    except* OSError:
        kernel.linger(client)
        kernel.linger(far)
    finally:
        far.close()


async def _out(client: socket.socket, far: socket.socket) -> None:
    """Carry what a client says, unless it greets Stripe: that is a reset, for both."""
    loop, first = asyncio.get_running_loop(), await _first(client)
    if first.startswith(HANDSHAKE) and _STRIPES.search(first):
        raise ConnectionResetError
    await loop.sock_sendall(far, first)
    await _one_way(client, far)


async def _first(client: socket.socket) -> bytes:
    """Return the first piece of what a client says; of TLS, its first record."""
    loop, first = asyncio.get_running_loop(), b""
    while piece := await loop.sock_recv(client, PIECE):
        first += piece
        known = first[:1] != HANDSHAKE or (
            len(first) >= HEADER and len(first) >= HEADER + int.from_bytes(first[3:HEADER])
        )
        if known:
            break
    return first


async def _one_way(source: socket.socket, sink: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while piece := await loop.sock_recv(source, PIECE):
        await loop.sock_sendall(sink, piece)
    sink.shutdown(socket.SHUT_WR)
