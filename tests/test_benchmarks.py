"""The benchmarks run, refuse a row that is none, and tell a miss from a hit; nothing is timed."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "tests.benchmarks", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_row_is_measured_and_printed_with_its_gate_and_goal():
    done = run("--quick", "hung")
    lines = done.stdout.splitlines()

    assert done.returncode in {0, 1}, done.stderr
    assert lines[1].split() == ["row", "measured", "gate", "goal"]
    assert lines[2].split()[0] == "hung"
    assert lines[2].split()[2:4] == ["100", "50"]


def test_a_row_that_is_none_is_refused_with_those_there_are():
    done = run("hang")

    assert done.returncode == 2
    assert "no such row: hang (rows: fresh-32, " in done.stderr


@pytest.mark.parametrize(("value", "word"), [(60, "MISS"), (30, "gate"), (20, "goal")])
def test_a_value_is_at_its_goal_at_its_gate_or_a_miss(value, word):
    code = (
        "from tests.benchmarks.__main__ import line; from tests.benchmarks.rows import Row;"
        f"print(line(Row('r', 'w', 'u', 40, 25), {value}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.split()[4] == word
