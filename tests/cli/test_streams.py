"""What becomes of a command whose output goes nowhere: one line, and never a bug of ours."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = {
    "a short answer": ("--version",),
    "a ready line": ("serve", "--port", "0"),
    "a list": ("profiles", "list"),
}


def words(*given):
    return [sys.executable, "-m", "fakestripe", *given]


def ran(program, folder, out):
    return subprocess.run(
        program,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        cwd=folder,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_an_output_that_is_full_is_one_line(tmp_path, command):
    with Path("/dev/full").open("w") as full:
        told = ran(words(*command), tmp_path, full)

    said = "fakestripe: the output cannot be written: No space left on device\n"
    assert (told.returncode, told.stderr) == (2, said)


def test_a_closed_output_is_no_failure(tmp_path):
    told = ran(["sh", "-c", 'exec "$@" >&-', "sh", *words("--version")], tmp_path, None)

    assert (told.returncode, told.stderr) == (0, "")
