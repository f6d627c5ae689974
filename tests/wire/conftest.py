"""A raw-socket client and servers on both event loops: what is asserted is what arrives."""

import asyncio
import socket
import ssl
import struct
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvloop

sys.path.append(str(Path(__file__).parent))

from receiver import Receiver  # the line above finds it

from fakestripe.faults.kinds import Fault
from fakestripe.faults.rules import Profile, Rule, When
from fakestripe.server.accounts import SHARED
from fakestripe.server.listener import Server

CHARGE = b"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1"
BOTH_WAYS = [(how, loop) for how in ("plain", "tls", "tunnel") for loop in ("asyncio", "uvloop")]
NEVER = 60.0
"""Seconds after which a condition is given up; nothing that holds takes so long."""
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


class Raw:
    """One TCP connection, and how it ended: "FIN", "RST" or "open".

    With ``ca_file`` it speaks TLS, in memory over the same plain socket, so that what ends it is
    still seen as TCP has it; ``goodbye`` tells whether the server took its leave (close_notify)
    before. The handshake is made by what is first sent, not before: ``hello()`` alone makes it.
    With ``tunnel`` a CONNECT to Stripe comes before that, to a server that is a proxy.
    """

    def __init__(
        self,
        url: str,
        timeout: float = 5.0,
        ca_file: Path | None = None,
        source: tuple[str, int] | None = None,
        *,
        tunnel: bool = False,
    ) -> None:
        host, port = url.partition("://")[2].split(":")
        self.socket = socket.create_connection((host, int(port)), timeout, source)
        self.data = b""
        self.goodbye = False
        self._ended: str | None = None
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = None
        if ca_file is not None:
            context = ssl.create_default_context(cafile=ca_file)
            name = "api.stripe.com" if tunnel else host
            self._tls = context.wrap_bio(self._in, self._out, server_hostname=name)
        self._connects = tunnel

    def send(self, path: str = "/v1/charges", body: bytes = CHARGE, **headers: str) -> "Raw":
        """Send a POST; keyword names become headers, ``_`` becomes ``-``."""
        lines = {"authorization": "Bearer sk_test_raw", "content-type": _FORM}
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines |= {"host": "x", "content-length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return self.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body)

    def write(self, data: bytes) -> "Raw":
        """Send bytes as they are; a connection that ends meanwhile is told by ``end()``."""
        try:
            if self._tls is not None:
                self._handshake()
                self._tls.write(data)
                data = self._out.read()
            self.socket.sendall(data)
        except ConnectionError as gone:
            self._ended = self._ended or ("FIN" if isinstance(gone, FinishedError) else "RST")
        return self

    def hello(self) -> "Raw":
        """Make the TLS handshake, if there is one to make."""
        return self.write(b"")

    def _connect(self) -> None:
        """Ask for a tunnel, and read no byte more than that there is one."""
        self._connects = False
        self.socket.sendall(b"CONNECT api.stripe.com:443 HTTP/1.1\r\n\r\n")
        said = b""
        while not said.endswith(b"\r\n\r\n"):
            byte = self.socket.recv(1)
            if not byte:
                raise FinishedError
            said += byte
        assert said == b"HTTP/1.1 200 Connection established\r\n\r\n"

    def _handshake(self) -> None:
        if self._connects:
            self._connect()
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self._flush()
                self._receive()
            else:
                self._flush()
                return

    def _flush(self) -> None:
        if self._out.pending:
            self.socket.sendall(self._out.read())

    def _receive(self) -> None:
        """Take bytes from the socket into the memory of TLS."""
        chunk = self.socket.recv(65536)
        if not chunk:
            raise FinishedError
        self._in.write(chunk)

    def _some(self) -> bytes:
        """Return the next bytes; ``FinishedError`` is a FIN, ``ConnectionResetError`` a RST."""
        if self._tls is None:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise FinishedError
            return chunk
        while True:
            try:
                chunk = b"" if self.goodbye else self._tls.read(65536)
            except ssl.SSLWantReadError:
                self._flush()  # as a client does that was still being greeted
            else:
                self.goodbye = not chunk
                if chunk:
                    return chunk
            self._receive()

    def end(self) -> str:
        """Read to the end of the connection and say how it ended."""
        while self._ended is None:
            try:
                self.data += self._some()
            except ConnectionResetError:
                self._ended = "RST"
            except FinishedError:
                self._ended = "FIN"
            except TimeoutError:
                return "open"
        return self._ended

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Read one whole reply: status, headers by lower-case name, body."""
        while b"\r\n\r\n" not in self.data:
            self.data += self._some()
        head, _, rest = self.data.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in lines)}
        while len(rest) < int(headers["content-length"]):
            rest += self._some()
        size = int(headers["content-length"])
        self.data = rest[size:]
        return int(first.split()[1]), headers, rest[:size]

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        """Leave by a RST, after which the own address is free at once."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class FinishedError(ConnectionError, EOFError):
    """The server's end of the connection said that nothing more will come."""


_FORM = "application/x-www-form-urlencoded"


class Served:
    """A server on one kind of loop, its account, and raw clients of it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tunnel = server.intercepts
        self.account = server.port.accounts.named(SHARED)
        self._open: list[Raw] = []

    def fault(self, at: str, *do: Fault, **when: object) -> None:
        """Set a profile of one rule that strikes money requests."""
        rule = Rule(name="test#0", at=at, do=do, when=When(**when))
        self.server.call(lambda: self.account.use(Profile(name="test", rules=(rule,))))

    @property
    def secure(self) -> bool:
        """Whether it is served under TLS."""
        return self.server.ca_file is not None

    def raw(self, timeout: float = 5.0, source: tuple[str, int] | None = None) -> Raw:
        ca_file = self.server.ca_file
        client = Raw(self.server.url, timeout, ca_file, source, tunnel=self.tunnel)
        self._open.append(client)
        return client

    @property
    def charges(self) -> int:
        return self.server.call(lambda: len(self.account.bank.ledger.collection("charge").order))

    @property
    def attempts(self):
        """The attempts, read between two steps of the loop."""
        return self.server.call(lambda: list(self.account.bank.journal.attempts))

    def until(self, condition: Callable[[], bool]) -> None:
        """Return when a condition on the journal holds; fail where it never does."""
        never = time.monotonic() + NEVER
        while not condition():
            assert time.monotonic() < never, "the condition never held"

    def close(self) -> None:
        for client in self._open:
            client.close()
        self.server.stop()


@pytest.fixture(params=LOOPS)
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """A served account, on asyncio and on uvloop."""
    serving = Served(Server(new_loop=LOOPS[request.param]).start())
    yield serving
    serving.close()


@pytest.fixture(params=BOTH_WAYS, ids="-".join)
def served_both_ways(request: pytest.FixtureRequest) -> Iterator[Served]:
    """A served account on asyncio and on uvloop: ``served``, six times.

    It is plain, under TLS, or under TLS through a CONNECT to Stripe, and ``raw()`` of it speaks
    so. Whatever is asserted of ``end()`` is TCP's own FIN or RST in all; ``secure`` tells a test
    that it is not plain.
    """
    how, loop = request.param
    new_loop = LOOPS[loop]
    serving = Served(
        Server(new_loop=new_loop, tls=how == "tls", intercept=how == "tunnel").start()
    )
    yield serving
    serving.close()


@pytest.fixture
def new_loops() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    return LOOPS


@pytest.fixture
def raw() -> Iterator[Callable[[str], Raw]]:
    """Open raw connections to a URL, closed at the end."""
    opened: list[Raw] = []

    def connect(url: str, ca_file: Path | None = None, *, tunnel: bool = False) -> Raw:
        opened.append(Raw(url, ca_file=ca_file, tunnel=tunnel))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver of webhooks."""
    receiving = Receiver()
    yield receiving
    receiving.close()
