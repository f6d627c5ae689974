"""A proxy that stands before Stripe and sends a POST again: the client sees one answer.

nginx as it comes sends a POST once; told to resend what is not idempotent, it makes a second
charge of a keyless one, for a client that made one call. Measured with nginx 1.22.1.
"""

import json
import shutil

import pytest
from checking import check
from driving import command

FAULTS = {
    "reset": "reset",
    "silence": "{hang: 5s}",
    "unavailable": "{reply: {status: 503}}",
}
PROGRAM = "behind_nginx.py"


@pytest.fixture
def charged(tmp_path, unavailable):
    """Return a function that charges through nginx under each fault, and gives what came of it.

    The last of it is what the client saw; a check begins with runs of no fault.
    """
    if shutil.which("nginx") is None:
        unavailable("nginx is not installed")

    def charge(*arguments):
        told = tmp_path / "told"
        words = command((PROGRAM, "--told", str(told), *arguments))
        runs = check(words, tmp_path, profiles=list(profiles(tmp_path))).runs.values()
        report = json.loads((tmp_path / "report.json").read_text())["runs"]
        lines = told.read_text().splitlines()[-len(FAULTS) :]
        return {
            run.profile: (run.verdict, run.attempts, run.charges, named(line, each))
            for run, each, line in zip(runs, report, lines, strict=True)
        }

    return charge


def profiles(folder):
    for name, fault in FAULTS.items():
        rule = f"{{when: {{attempt: 1}}, at: committed, do: {fault}}}"
        file = folder / f"{name}.yaml"
        file.write_text(f"name: {name}\nrules: [{rule}]\n")
        yield file


def named(line, run):
    """Return a line in which a charge of a run goes by its letter."""
    [operation] = run["operations"]
    for letter, charge in zip("AB", operation["charges"], strict=False):
        line = line.replace(charge, f"ch_{letter}")
    return line


@pytest.mark.parametrize("key", [(), ("--key", "K1")])
def test_a_proxy_as_it_comes_sends_a_charge_once_and_it_is_orphaned(key, charged):
    assert charged(*key) == {
        "reset": ("orphan", 1, 1, "502 nothing"),
        "silence": ("orphan", 1, 1, "504 nothing"),
        "unavailable": ("orphan", 1, 1, "503 nothing"),
    }


def test_a_proxy_that_resends_makes_two_of_a_keyless_charge_for_one_call(charged):
    assert charged("--resends") == dict.fromkeys(FAULTS, ("duplicate", 2, 2, "200 ch_B"))


def test_what_a_proxy_resends_with_a_key_is_a_replay(charged):
    assert charged("--resends", "--key", "K1") == dict.fromkeys(
        FAULTS, ("clean", 2, 1, "200 ch_A")
    )
