"""Drives a server with charges and says how fast it answered; never the bottleneck itself.

wrk does it where installed. Else raw asyncio protocols do, at a fifth of the cost of the bare
handler: one request in flight on each connection, nothing parsed but the length of the answer.
"""

import asyncio
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

WRK = shutil.which("wrk")
SCRIPT = Path(__file__).with_name("charges.lua")


class Load(Struct, frozen=True):
    """What is sent: fresh keys, or ``known`` ones in turn, on so many connections for so long."""

    prefix: str
    connections: int = 32
    seconds: float = 2.0
    known: int = 0


class Answered(Struct, frozen=True):
    """What came back: answers a second, and the 99th percentile of the time to one, in seconds."""

    rate: float
    p99: float
    requests: int


def charge(prefix: str, number: int) -> bytes:
    """Return one request, the same as charges.lua makes."""
    body = (
        f"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_{prefix}_{number}"
    ).encode()
    head = (
        "POST /v1/charges HTTP/1.1\r\nHost: localhost\r\n"
        "Authorization: Bearer sk_test_benchmark\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nUser-Agent: Stripe/v1 Benchmark\r\n"
        f"Idempotency-Key: key-{prefix}-{number}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def ask(url: str, request: bytes) -> bytes:
    """Send one request on a connection of its own; return the body, fail unless it is a 200."""
    with socket.create_connection(place(url)) as connection:
        connection.sendall(request)
        data = b""
        while missing(data):
            data += connection.recv(65536)
    if not data.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"no charge was answered: {data[:200]!r}")
    return data.partition(b"\r\n\r\n")[2]


def place(url: str) -> tuple[str, int]:
    """Return host and port of a URL that has both."""
    parts = urlsplit(url)
    return str(parts.hostname), int(parts.port or 0)


def missing(data: bytes) -> bool:
    """Return whether an answer lacks bytes."""
    head, end, body = data.partition(b"\r\n\r\n")
    if not end:
        return True
    length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    return len(body) < int(length)


def drive(url: str, load: Load) -> Answered:
    """Send the load and measure; fails if a single answer was no 200."""
    return _wrk(url, load) if WRK else asyncio.run(_raw(url, load))


def _wrk(url: str, load: Load) -> Answered:
    command = [
        *(str(WRK), "-t1", f"-c{load.connections}", f"-d{load.seconds:g}s", "--latency"),
        *("-s", str(SCRIPT), url, "--", load.prefix, str(load.known)),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    line = next(text for text in done.stdout.splitlines() if text.startswith("RESULT "))
    requests, micros, p99, errors = (int(word) for word in line.split()[1:])
    if errors:
        raise RuntimeError(f"{errors} of {requests} answers were errors:\n{done.stdout}")
    return Answered(requests / micros * 1e6, p99 / 1e6, requests)


class Connection(asyncio.Protocol):
    """One connection that sends the next request when the last one is answered."""

    def __init__(self, load: Load, numbers: Any, times: list[float]) -> None:
        self.load, self.numbers, self.times = load, numbers, times
        self.data, self.sent = b"", 0.0
        self.transport: Any = None
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self.transport = transport
        self._send()

    def _send(self) -> None:
        number = next(self.numbers)
        if number is None:
            self.transport.close()
            self.ended.set_result(None)
            return
        self.sent = time.perf_counter()
        self.transport.write(charge(self.load.prefix, number))

    def data_received(self, data: bytes) -> None:
        """Note the time of a whole answer and go on."""
        self.data += data
        if missing(self.data):
            return
        if not self.data.startswith(b"HTTP/1.1 200"):
            self.ended.set_exception(RuntimeError(f"an answer was an error: {self.data[:200]!r}"))
            self.transport.close()
            return
        self.times.append(time.perf_counter() - self.sent)
        self.data = b""
        self._send()


def _numbers(load: Load) -> Any:
    end = time.perf_counter() + load.seconds
    count = 0
    while time.perf_counter() < end:
        yield count % load.known if load.known else count
        count += 1
    while True:
        yield None


async def _raw(url: str, load: Load) -> Answered:
    loop, (host, port) = asyncio.get_running_loop(), place(url)
    numbers, times = _numbers(load), list[float]()
    started = time.perf_counter()
    made = [
        await loop.create_connection(lambda: Connection(load, numbers, times), host, port)
        for _ in range(load.connections)
    ]
    await asyncio.gather(*(connection.ended for _, connection in made))
    took = time.perf_counter() - started
    return Answered(len(times) / took, sorted(times)[int(len(times) * 0.99)], len(times))
