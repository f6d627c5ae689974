"""A raw client: what arrives on one connection, and how it ends, as TCP has it.

TLS is spoken in memory over the plain socket, so that a reset is still seen as one. Nothing is
sent again, and nothing that comes is mended.
"""

import socket
import ssl
import time
from typing import Final

from msgspec import Struct

PATIENCE: Final = 3.0
"""Seconds in which a connection is made, and a handshake."""
GAP: Final = 0.010
"""Seconds between two pieces of a reply that were sent apart."""
ROOM: Final = 65536


class Place(Struct, frozen=True):
    """Where a server is, and whom to trust there; without ``context`` it is plain HTTP."""

    host: str
    port: int
    context: ssl.SSLContext | None = None

    @property
    def scheme(self) -> str:
        """The scheme of its URL."""
        return "http" if self.context is None else "https"


class Seen(Struct, frozen=True):
    """What arrived, how it ended, in how many pieces, and after how many seconds it began.

    ``ended`` is RST or FIN; silence where nothing more came; refused or no connection.
    """

    ended: str
    data: bytes = b""
    pieces: int = 0
    began: float = 0.0


class FinishedError(ConnectionError):
    """The other end said that nothing more will come."""


class Line:
    """One connection to a place; bytes go out and come in, plain or under TLS."""

    def __init__(self, place: Place, patience: float) -> None:
        self._socket = socket.create_connection((place.host, place.port), patience)
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None
        if place.context is not None:
            self._tls = place.context.wrap_bio(self._in, self._out, server_hostname=place.host)

    def send(self, data: bytes, quiet: float) -> None:
        """Send all; from then on, wait no longer than ``quiet`` seconds for what comes."""
        if self._tls is not None:
            self._shake_hands(self._tls)
            self._tls.write(data)
            data = self._out.read()
        self._socket.sendall(data)
        self._socket.settimeout(quiet)

    def _shake_hands(self, tls: ssl.SSLObject) -> None:
        while True:
            try:
                tls.do_handshake()
            except ssl.SSLWantReadError:
                self._flush()
                self._in.write(self._received())
            else:
                return self._flush()

    def _flush(self) -> None:
        if self._out.pending:
            self._socket.sendall(self._out.read())

    def _received(self) -> bytes:
        chunk = self._socket.recv(ROOM)
        if not chunk:
            raise FinishedError
        return chunk

    def some(self) -> bytes:
        """Return the next bytes; raises ``FinishedError``, as the kernel does at a reset."""
        if self._tls is None:
            return self._received()
        while True:
            try:
                chunk = self._tls.read(ROOM)
            except ssl.SSLWantReadError:
                chunk = b""
            if chunk:
                return chunk
            self._in.write(self._received())

    def close(self) -> None:
        """Leave."""
        self._socket.close()


def look(place: Place, request: bytes, quiet: float, patience: float = PATIENCE) -> Seen:
    """Send a request on a connection of its own, and see what comes until nothing more does."""
    try:
        line = Line(place, patience)
    except ConnectionRefusedError:
        return Seen("refused")
    except OSError:
        return Seen("no connection")
    try:
        return _watched(line, request, quiet)
    finally:
        line.close()


def _watched(line: Line, request: bytes, quiet: float) -> Seen:
    data, pieces, began, before = b"", 0, 0.0, 0.0
    ended = "silence"
    start = time.monotonic()
    try:
        line.send(request, quiet)
        while True:
            data += line.some()
            now = time.monotonic() - start
            began = began or now
            pieces += now - before >= GAP or not pieces
            before = now
    except FinishedError:
        ended = "FIN"
    except ssl.SSLError as broken:
        ended = f"no TLS ({broken.reason})"
    except TimeoutError:
        pass
    except ConnectionError:
        ended = "RST"
    return Seen(ended, data, pieces, began)
