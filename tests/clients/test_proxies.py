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
SEEN = {"reset": "502 nothing", "silence": "504 nothing", "unavailable": "503 nothing"}
PROGRAM = "behind_nginx.py"


@pytest.fixture
def charged(tmp_path, unavailable):
    """Return a function that charges through nginx under a fault: what came of it, what was said.

    Charges are numbered in the order in which they were made.
    """
    if shutil.which("nginx") is None:
        unavailable("nginx is not installed")

    def charge(fault, *arguments):
        profile, told = tmp_path / "rule.yaml", tmp_path / "told"
        rule = f"{{when: {{attempt: 1}}, at: committed, do: {FAULTS[fault]}}}"
        profile.write_text(f"name: rule\nrules: [{rule}]\n")
        words = command((PROGRAM, "--told", str(told), *arguments))
        run = check(words, tmp_path, profiles=[profile]).runs["rule"]
        report = json.loads((tmp_path / "report.json").read_text())
        [operation] = report["runs"][0]["operations"]
        said = told.read_text()
        for name, charge in zip("AB", operation["charges"], strict=False):
            said = said.replace(charge, f"ch_{name}")
        return (run.verdict, run.attempts, run.charges, said)

    return charge


@pytest.mark.parametrize("key", [(), ("--key", "K1")])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_proxy_as_it_comes_sends_a_charge_once_and_it_is_orphaned(fault, key, charged):
    assert charged(fault, *key) == ("orphan", 1, 1, SEEN[fault])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_proxy_that_resends_makes_two_of_a_keyless_charge_for_one_call(fault, charged):
    assert charged(fault, "--resends") == ("duplicate", 2, 2, "200 ch_B")


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_proxy_resends_with_a_key_is_a_replay(fault, charged):
    assert charged(fault, "--resends", "--key", "K1") == ("clean", 2, 1, "200 ch_A")
