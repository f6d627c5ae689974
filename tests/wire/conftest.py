"""A raw-socket client and servers on both event loops: what is asserted is what arrives."""

import asyncio
import socket
from collections.abc import Callable, Iterator

import pytest
import uvloop

from fakestripe.faults.kinds import Fault
from fakestripe.faults.rules import Profile, Rule, When
from fakestripe.server.accounts import SHARED
from fakestripe.server.listener import Server

CHARGE = b"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1"
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


class Raw:
    """One TCP connection, and how it ended: "FIN", "RST" or "open"."""

    def __init__(self, url: str, timeout: float = 5.0) -> None:
        host, port = url.removeprefix("http://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout)
        self.data = b""

    def send(self, path: str = "/v1/charges", body: bytes = CHARGE, **headers: str) -> "Raw":
        """Send a POST; keyword names become headers, ``_`` becomes ``-``."""
        lines = {"authorization": "Bearer sk_test_raw", "content-type": _FORM}
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines |= {"host": "x", "content-length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.socket.sendall(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        return self

    def end(self) -> str:
        """Read to the end of the connection and say how it ended."""
        while True:
            try:
                chunk = self.socket.recv(65536)
            except ConnectionResetError:
                return "RST"
            except TimeoutError:
                return "open"
            if not chunk:
                return "FIN"
            self.data += chunk

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

    def _some(self) -> bytes:
        chunk = self.socket.recv(65536)
        if not chunk:
            raise EOFError
        return chunk

    def close(self) -> None:
        self.socket.close()


_FORM = "application/x-www-form-urlencoded"


class Served:
    """A server on one kind of loop, its account, and raw clients of it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.account = server.port.accounts.named(SHARED)
        self._open: list[Raw] = []

    def fault(self, at: str, *do: Fault, **when: object) -> None:
        """Set a profile of one rule that strikes money requests."""
        rule = Rule(name="test#0", at=at, do=do, when=When(**when))
        self.server.call(lambda: self.account.use(Profile(name="test", rules=(rule,))))

    def raw(self, timeout: float = 5.0) -> Raw:
        client = Raw(self.server.url, timeout)
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
        for _ in range(100_000):
            if condition():
                return
        raise AssertionError("the condition never held")

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


@pytest.fixture
def new_loops() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    return LOOPS


@pytest.fixture
def raw() -> Iterator[Callable[[str], Raw]]:
    """Open raw connections to a URL, closed at the end."""
    opened: list[Raw] = []

    def connect(url: str) -> Raw:
        opened.append(Raw(url))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()
