"""Reading a CONNECT from a socket, and not one byte more: what comes behind it is the tunnel's.

The kernel is asked what is there before it is taken. What begins otherwise than with CONNECT is
left where it is, for the server that reads it as an ordinary request.
"""

import asyncio
import socket
from typing import Final, Literal, TypeAlias

from msgspec import Struct

LONGEST: Final = 16_384
"""Bytes that the head of a CONNECT may have."""
METHOD: Final = b"CONNECT "
END: Final = b"\r\n\r\n"
HANDSHAKE: Final = b"\x16"
"""What the greeting of a TLS client begins with, and no request."""

Begins: TypeAlias = Literal["connect", "tls", "request"]


class BadConnectError(ValueError):
    """A CONNECT that cannot be understood: the text says why, ``status`` how it is answered."""

    def __init__(self, said: str, status: int = 400) -> None:
        super().__init__(said)
        self.status = status


class Connect(Struct, frozen=True):
    """A CONNECT: whom it asks for, as it was written."""

    authority: str


async def readable(sock: socket.socket) -> None:
    """Return when a socket has something to read, its end included."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[None] = loop.create_future()

    def comes() -> None:
        if not came.done():
            came.set_result(None)

    loop.add_reader(sock.fileno(), comes)
    try:
        await came
    finally:
        loop.remove_reader(sock.fileno())


async def peeked(sock: socket.socket) -> bytes:
    """Return what is there to read, without taking it, once there is something; empty at the end.

    Raises ``OSError`` where the connection was reset.
    """
    while True:
        try:
            return sock.recv(LONGEST, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            await readable(sock)


async def begins(sock: socket.socket) -> Begins | None:
    """Return what a connection begins with; None where it ends before it tells."""
    try:
        while True:
            seen = (await peeked(sock))[: len(METHOD)]
            if not seen:
                return None
            if not METHOD.startswith(seen):
                return "tls" if seen.startswith(HANDSHAKE) else "request"
            if seen == METHOD:
                return "connect"
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, len(METHOD))
            await readable(sock)
            if len(await peeked(sock)) <= len(seen):  # it ended there
                return "request"
    finally:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)


async def taken(sock: socket.socket) -> Connect | None:
    """Take the head of a CONNECT; None where the connection ends within it.

    Raises ``BadConnectError``, ``OSError``.
    """
    head = b""
    while END not in head:
        if len(head) > LONGEST:
            raise BadConnectError(f"the head of a CONNECT has {LONGEST} bytes at most", 431)
        seen = await peeked(sock)
        if not seen:
            return None
        end = (head + seen).find(END)
        head += sock.recv(len(seen) if end < 0 else end + len(END) - len(head))
    return _connect(head)


def _connect(head: bytes) -> Connect:
    words = head.partition(b"\r\n")[0].decode("latin-1").split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):  # noqa: PLR2004  # method, target, version
        raise BadConnectError("a CONNECT is written as: CONNECT HOST:PORT HTTP/1.1")
    return Connect(words[1])
