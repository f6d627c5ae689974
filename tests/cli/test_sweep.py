"""``sweep`` from outside: which clients it separates, and the way back to what is red."""

import json
import shlex

import pytest

BEFORE = ("reset-before", "close-before", "503-before", "429-before")
LOST = ("reset-after", "close-after", "hang-after", "502-after", "cut-after", "409-after")
ERRORS = ("500-after", "500-kept")
AFTER = (*LOST, *ERRORS)


@pytest.fixture
def swept(cli, tmp_path):
    """Sweep a command; return the result, and the report's cells by request and fault."""

    def run(*words):
        result = cli("sweep", "--jobs", 2, "--report", "sweep.json", *words)
        report = json.loads((tmp_path / "sweep.json").read_text())
        cells = {}
        for cell in report["cells"]:
            names = [aim["fault"] for aim in cell["faults"]]
            cells["+".join([cell["faults"][-1]["request"], *names])] = cell
        return result, cells

    return run


def words_of(cells, request="POST /v1/charges, attempt 1"):
    """Return the words of one row by fault, red ones marked."""
    return {
        name.partition("+")[2]: cell["word"] + ("!" if cell["red"] else "")
        for name, cell in cells.items()
        if name.startswith(f"{request}+") and len(cell["faults"]) == 1
    }


def test_a_new_key_per_attempt_doubles_under_every_fault_after_the_commit(swept, client):
    result, cells = swept("--", *client("unsafe"))

    assert words_of(cells) == {
        **dict.fromkeys(BEFORE, "clean"),
        **dict.fromkeys(AFTER, "duplicate!"),
    }
    assert result.returncode == 1


def test_a_stable_key_is_clean_under_every_fault_but_a_stored_error(swept, client):
    result, cells = swept("--", *client("safe"))

    assert words_of(cells) == {**dict.fromkeys((*BEFORE, *AFTER), "clean"), "500-kept": "orphan"}
    assert result.returncode == 0


def test_a_red_run_is_replayed_by_its_profile(cli, swept, client, tmp_path):
    swept("--fault", "reset-after", "--", *client("unsafe"))

    profile = "fakestripe-sweep/charges-1-reset-after.yaml"
    again = cli("check", "--profile", profile, "--report", "r.json", "--", *client("unsafe"))
    (run,) = json.loads((tmp_path / "r.json").read_text())["runs"]
    assert (again.returncode, run["verdict"]) == (1, "duplicate")
    assert run["operations"][0]["cause"] == "fresh_key_per_attempt"
    assert (tmp_path / profile).read_text() == (
        "# Written by fakestripe sweep. reset-after at POST /v1/charges, attempt 1.\n"
        "# Found: duplicate (charged more often than intended), by fresh_key_per_attempt.\n"
        f"# Again: {shlex.join(['fakestripe', 'check', '--profile', profile, '--'])} "
        f"{shlex.join(client('unsafe'))}\n"
        "name: charges-1-reset-after\n"
        "rules:\n"
        "  - match: {method: POST, path: /v1/charges}\n"
        "    when: {attempt: 1, times: 1}\n"
        "    at: committed\n"
        "    do: reset\n"
        "expect: [clean]\n"
    )
