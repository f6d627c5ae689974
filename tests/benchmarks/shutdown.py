"""How long a server takes to stop while a hundred clients hang: plain and TLS, on both loops."""

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import Callable
from statistics import median

import uvloop

from fakestripe import Server
from fakestripe.faults.kinds import Hang
from fakestripe.faults.rules import Profile, Rule
from tests.benchmarks.load import charge, place
from tests.benchmarks.processes import PATIENCE

MANY = 100
HANGS = Profile(name="hangs", rules=(Rule(name="hangs#0", at="committed", do=(Hang(),)),))
LOOPS: tuple[Callable[[], asyncio.AbstractEventLoop], ...] = (
    asyncio.new_event_loop,
    uvloop.new_event_loop,
)


def hundred(quick: bool) -> dict[str, float]:
    """Measure the stop, in ms: the slower of the two loops."""
    times = 3 if quick else 10
    return {
        name: max(median(_stop(new, tls=tls) for _ in range(times)) for new in LOOPS) * 1000
        for name, tls in (("hung-100", False), ("hung-100-tls", True))
    }


def _stop(new_loop: Callable[[], asyncio.AbstractEventLoop], *, tls: bool) -> float:
    server = Server(new_loop=new_loop, tls=tls).start()
    server.call(lambda: server.port.accounts.use(HANGS))
    with contextlib.ExitStack() as clients:
        for number in range(MANY):
            client = clients.enter_context(_connected(server))
            client.sendall(charge(f"hung-{number}", number))
        _await_all(server)
        started = time.perf_counter()
        server.stop()
        return time.perf_counter() - started


def _connected(server: Server) -> socket.socket:
    client = socket.create_connection(place(server.url))
    if server.ca_file is None:
        return client
    trust = ssl.create_default_context(cafile=server.ca_file)
    return trust.wrap_socket(client, server_hostname="localhost")


def _await_all(server: Server) -> None:
    attempts = server.port.accounts.named("shared").bank.journal.attempts
    patience = time.perf_counter() + PATIENCE
    while sum(attempt.last_point == "committed" for attempt in attempts) < MANY:
        if time.perf_counter() > patience:
            raise RuntimeError("the fault that should hang did not strike a hundred times")
        time.sleep(0.001)
