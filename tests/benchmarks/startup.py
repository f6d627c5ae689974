"""How long until the first charge, for a fixture, and for a stop while a fault hangs."""

import compileall
import socket
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import fakestripe
from fakestripe import Server
from fakestripe.faults.kinds import Hang
from fakestripe.faults.rules import Profile, Rule
from tests.benchmarks import processes
from tests.benchmarks.load import ask, charge, place
from tests.benchmarks.processes import PATIENCE

PACKAGE = Path(fakestripe.__file__).parent
HANGS = Profile(name="hangs", rules=(Rule(name="hangs#0", at="committed", do=(Hang(),)),))


def spawn(quick: bool) -> dict[str, float]:
    """Measure spawn to ready and to the first charge against the bare handler, in turn.

    What is installed has its .pyc files, so this tree gets them too.
    """
    compileall.compile_dir(PACKAGE, quiet=1)
    ready, first = [], []
    for _ in range(5 if quick else 15):
        port = processes.free_port()
        ours = _started(processes.fakestripe(port), port)
        port = processes.free_port()
        bare = _started(processes.bare(port, 3_000), port)
        ready.append(ours[0] / bare[0])
        first.append(ours[1] / bare[1])
    return {"ready": median(ready), "spawn": median(first), "faker": _faker_modules()}


def _started(command: list[str], port: int) -> tuple[float, float]:
    """Return the seconds until a server accepted a connection, and until its first charge."""
    with processes.running(command, port) as server:
        ready = time.perf_counter() - server.started
        ask(server.url, charge("first", 0))
        return ready, time.perf_counter() - server.started


def _faker_modules() -> float:
    code = (
        "import sys; from fakestripe import Server; server = Server().start();"
        "from tests.benchmarks.load import ask, charge; ask(server.url, charge('first', 0));"
        "server.stop(); print(sum(name.partition('.')[0] == 'faker' for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def fixture(quick: bool) -> dict[str, float]:
    """Measure start plus stop of a server in a thread, in ms, once everything is imported."""
    Server().start().stop()
    times = []
    for _ in range(20 if quick else 100):
        started = time.perf_counter()
        Server().start().stop()
        times.append(time.perf_counter() - started)
    return {"fixture": median(times) * 1000}


def hung(quick: bool) -> dict[str, float]:
    """Measure the stop of a server that holds a fault without end, in ms."""
    return {"hung": median(_stop_while_hanging() for _ in range(5 if quick else 20)) * 1000}


def _stop_while_hanging() -> float:
    server = Server().start()
    account = server.port.accounts.named("shared")
    account.profile = HANGS
    with socket.create_connection(place(server.url)) as client:
        client.sendall(charge("hung", 0))
        patience = time.perf_counter() + PATIENCE
        while not any(attempt.faults for attempt in account.bank.journal.attempts):
            if time.perf_counter() > patience:
                raise RuntimeError("the fault that should hang did not strike")
            time.sleep(0.001)
        started = time.perf_counter()
        server.stop()
        return time.perf_counter() - started
