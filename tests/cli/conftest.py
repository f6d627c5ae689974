"""The command line as a person meets it: a process, its output, its exit status."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

CLIENTS = Path(__file__).parent / "clients"
PATIENCE = 60


def environment(**more):
    """Return an environment in which no variable of ours or of Stripe's is set."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("FAKESTRIPE_", "STRIPE_", "COVERAGE_", "COV_CORE_"))
    }
    return {**kept, **more}


def words(*given):
    return [sys.executable, "-m", "fakestripe", *map(str, given)]


@pytest.fixture(scope="session")
def client():
    """Return the command of the small client with some habit."""

    def command(*habit):
        return [sys.executable, str(CLIENTS / "billing.py"), *map(str, habit)]

    return command


@pytest.fixture
def cli(tmp_path):
    """Run ``fakestripe`` to its end in an empty folder."""

    def run(*given, **more):
        return subprocess.run(
            words(*given),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=tmp_path,
            env=environment(**more),
            check=False,
        )

    return run


@pytest.fixture
def served(tmp_path):
    """Start ``fakestripe serve`` on a free port; whatever still runs at the end is killed."""
    started = []

    def serve(*given, **more):
        ready = tmp_path / f"ready-{len(started)}.json"
        process = subprocess.Popen(
            words("serve", "--port", 0, "--ready-file", ready, *given),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=environment(**more),
        )
        started.append(process)
        return SimpleNamespace(process=process, **awaited(ready, process))

    yield serve
    for process in started:
        process.kill()
        process.communicate()


def awaited(ready, process):
    """Return what the ready file says, once it is there."""
    deadline = time.monotonic() + PATIENCE
    while not ready.exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return json.loads(ready.read_text())


@pytest.fixture(scope="session")
def refused():
    """Return the one line of a refusal, having seen that it is no more than that."""

    def line(result):
        assert result.returncode == 2, (result.stdout, result.stderr)
        assert "Traceback" not in result.stderr
        lines = result.stderr.splitlines()
        assert len(lines) == 1, result.stderr
        assert lines[0].startswith("fakestripe: ")
        return lines[0].removeprefix("fakestripe: ")

    return line
