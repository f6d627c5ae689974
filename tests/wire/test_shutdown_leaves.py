"""A hundred clients that faults hold, and a server that stops: nothing of it is left."""

import asyncio
import threading
from pathlib import Path

import pytest

from fakestripe.faults.kinds import Hang
from fakestripe.faults.rules import EVERY, Profile, Rule

MANY = 100


def descriptors() -> int:
    """Return how many sockets, pipes and files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
def counted(new_loops):
    """Count what is open before the server starts: the fixture of the server comes after.

    The first uvloop of a process opens a pipe that is never closed.
    """
    new_loops["uvloop"]().close()
    return descriptors()


def held(served, at: str):
    """Return a hundred clients, each held by a fault."""
    if at == "accept":
        rule = Rule("hangs#0", "accept", (Hang(),), EVERY)
        served.server.call(lambda: served.server.port.accounts.use(Profile("hangs", (rule,))))
        clients = [served.raw() for _ in range(MANY)]
        served.until(lambda: served.account.bank.fired.get("hangs#0") == MANY)
        return clients
    served.fault(at, Hang())
    clients = [served.raw().send(idempotency_key=f"K{n}") for n in range(MANY)]
    served.until(lambda: [a.last_point for a in served.attempts] == [at] * MANY)
    return clients


@pytest.mark.parametrize("at", ["accept", "received", "committed"])
def test_a_hundred_held_clients_leave_no_descriptor_thread_or_task(
    counted, served_both_ways, at
) -> None:
    served = served_both_ways
    loop = served.server._loop
    clients = held(served, at)
    served.server.stop()
    ends = {client.end() for client in clients}
    for client in clients:
        client.close()

    assert ends <= {"FIN", "RST"}
    assert [t.name for t in threading.enumerate() if t.name == "fakestripe"] == []
    assert asyncio.all_tasks(loop) == set()
    assert loop.is_closed()
    assert descriptors() == counted
