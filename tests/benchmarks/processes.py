"""Servers in processes of their own: fakestripe as a user starts it, and the bare handler."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

BARE = Path(__file__).with_name("bare.py")
PATIENCE = 20.0


class Started(Struct, frozen=True):
    """A running server: its address, its process, and when it was started."""

    url: str
    pid: int
    started: float

    def memory(self) -> int:
        """Return the resident bytes of the process."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def busy(self) -> float:
        """Return the processor seconds that the process has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    return number


def fakestripe(port: int) -> list[str]:
    """Return the command that serves fakestripe."""
    return [sys.executable, "-m", "fakestripe", "serve", "--port", str(port)]


def bare(port: int, size: int) -> list[str]:
    """Return the command that serves the bare handler."""
    return [sys.executable, str(BARE), str(port), str(size)]


@contextmanager
def running(command: list[str], port: int) -> Iterator[Started]:
    """Run a server; give it back as soon as it accepts connections."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _wait_for(port, process)
        yield Started(f"http://127.0.0.1:{port}", process.pid, started)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.perf_counter() + PATIENCE
    while time.perf_counter() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended: {(process.communicate()[1]).decode()}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.002)
    raise RuntimeError(f"nothing listens on port {port} after {PATIENCE:g} s")
