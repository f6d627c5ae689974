"""A sweep finds every careless program and no remedied one; a profile replays what is red.

A few faults are enough to show each; ``SWEEP_WHOLE=1`` strikes with all of them.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from causes import CARELESS
from checking import BOUND, DIRECT, check

SEEDS = Path(__file__).parent / "seeds"
FEW = ("reset-before", "close-after", "hang-after", "502-after", "cut-after")
QUICK = ("--max-hang", "2s", "--jobs", "2")


def program(name, twin):
    return [sys.executable, str(SEEDS / f"{name}_{twin}.py")]


def replicas(name):
    return ("--replicas", str(CARELESS[name].replicas))


def swept(name, twin, folder):
    """Sweep a program; ``BILLING_STORE`` is where the replicas of a run meet."""
    report = folder / "sweep.json"
    few = [] if os.environ.get("SWEEP_WHOLE") else [w for f in FEW for w in ("--fault", f)]
    flags = [*QUICK, *replicas(name), "--out", str(folder / "red"), "--report", str(report)]
    ran = subprocess.run(
        [sys.executable, "-m", "fakestripe", "sweep", *few, *flags, "--", *program(name, twin)],
        check=False,
        capture_output=True,
        text=True,
        timeout=BOUND,
        env={**os.environ, **DIRECT, "BILLING_STORE": str(folder)},
    )
    assert report.exists(), ran.stdout + ran.stderr
    return ran.returncode, json.loads(report.read_text(encoding="utf-8"))["cells"]


@pytest.mark.parametrize("name", CARELESS)
def test_a_sweep_finds_a_careless_program_and_each_red_run_again(name, tmp_path):
    status, cells = swept(name, "unsafe", tmp_path)
    red = {cell["profile"]: cell for cell in cells if cell["red"]}
    (tmp_path / "again").mkdir()
    found = check(
        program(name, "unsafe"),
        tmp_path / "again",
        profiles=[cell["file"] for cell in red.values()],
        flags=(*QUICK, *replicas(name)),
        environment={"BILLING_STORE": str(tmp_path / "again")},
    )

    causes = {op["cause"] for cell in red.values() for op in cell["operations"]}
    assert status == 1
    assert "duplicate" in {cell["verdict"] for cell in red.values()} <= {"duplicate", "orphan"}
    assert CARELESS[name].cause in causes
    assert {run.profile: run.verdict for run in found.runs.values()} == {
        profile: cell["verdict"] for profile, cell in red.items()
    }


@pytest.mark.parametrize("name", CARELESS)
def test_a_sweep_finds_nothing_in_its_remedied_twin(name, tmp_path):
    status, cells = swept(name, "remedied", tmp_path)

    assert [cell["profile"] for cell in cells if cell["red"]] == []
    assert status == 0
