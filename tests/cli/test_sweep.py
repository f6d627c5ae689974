"""``sweep`` from outside: which clients it separates, and the way back to what is red."""

import json
import shlex
import sys
from pathlib import Path

import pytest

BEFORE = ("reset-before", "close-before", "503-before", "429-before")
LOST = ("reset-after", "close-after", "hang-after", "502-after", "cut-after", "409-after")
ERRORS = ("500-after", "500-kept")
AFTER = (*LOST, *ERRORS)
ORDERED = (
    *("reset-after", "close-after", "hang-after", "500-after", "500-kept", "502-after"),
    *("cut-after", "409-after"),
)
KINDS = ("r.xml", "r.html", "r.md", "r.txt")
KEYS = Path(__file__).parent / "clients" / "keys.py"


@pytest.fixture(scope="session")
def habit():
    """Return the command of a client with some way of making keys."""

    def command(*habit):
        return [sys.executable, str(KEYS), *map(str, habit)]

    return command


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


def test_a_key_that_changes_after_an_error_doubles_under_errors_alone(swept, habit):
    result, cells = swept("--", *habit("after_errors"))

    assert words_of(cells) == {
        **dict.fromkeys((*BEFORE, *AFTER), "clean"),
        **dict.fromkeys((*ERRORS, "502-after"), "duplicate!"),
    }
    assert result.returncode == 1


def test_a_client_that_never_retries_is_told_of_its_orphans(swept, client):
    """Where any client may lose the answer for good, the orphan is expected."""
    result, cells = swept("--", *client("once"))

    assert words_of(cells) == {
        **dict.fromkeys(BEFORE, "unpaid"),
        **dict.fromkeys(AFTER, "orphan!"),
        **dict.fromkeys(("500-kept", "cut-after"), "orphan"),
    }
    assert result.returncode == 1


def test_a_key_that_changes_with_the_second_retry_is_found_at_depth_two(cli, swept, habit):
    """One fault alone shows it nowhere; the profile of two replays it."""
    one, alone = swept("--fault", "reset-after", "--", *habit("patient_once"))
    two, cells = swept("--fault", "reset-after", "--depth", 2, "--", *habit("patient_once"))
    faults = ("--fault", "reset-before", "--fault", "reset-after", "--depth", 2)
    three, both = swept(*faults, "--", *habit("patient_once"))

    second = "POST /v1/charges, attempt 2"
    assert (one.returncode, words_of(alone)) == (0, {"reset-after": "clean"})
    assert f"{second}. --depth 2 strikes them too" in " ".join(one.stdout.split())
    assert (two.returncode, list(cells)) == (0, ["POST /v1/charges, attempt 1+reset-after"])
    assert three.returncode == 1
    assert {name: cell["verdict"] for name, cell in both.items() if name.startswith(second)} == {
        f"{second}+reset-before+reset-before": "clean",
        f"{second}+reset-before+reset-after": "duplicate",
        f"{second}+reset-after+reset-before": "duplicate",
    }
    profile = both[f"{second}+reset-after+reset-before"]["file"]
    again = cli("check", "--profile", profile, "--", *habit("patient_once"))
    assert (again.returncode, "fresh_key_per_attempt" in again.stdout) == (1, True)


def test_what_only_a_fault_brings_about_is_struck_too(swept, habit):
    """A client that looks before it tries again is right, until nobody answers its question."""
    faults = ("--fault", "503-before", "--fault", "reset-after", "--depth", 2)
    result, cells = swept(*faults, "--", *habit("looks_first"))

    asked = "GET /v1/charges, request 1"
    assert words_of(cells) == {"503-before": "clean", "reset-after": "clean"}
    assert cells[f"{asked}+reset-after+503-before"]["word"] == "duplicate"
    assert cells[f"{asked}+503-before+503-before"]["word"] == "clean"
    assert f"{asked}+reset-after+reset-after" not in cells  # a GET commits nothing
    assert result.returncode == 1


def test_of_runs_that_cannot_differ_one_is_followed(swept, client):
    """To the client a reset and a close are one: what it does next is the same."""
    faults = ("--fault", "reset-before", "--fault", "close-before", "--depth", 2)
    result, cells = swept(*faults, "--", *client("safe"))

    retry = "POST /v1/charges, attempt 2+reset-before"
    assert list(cells)[2:] == [f"{retry}+reset-before", f"{retry}+close-before"]
    assert "1 run not followed further: the trace of another was the same\n" in result.stdout


def test_steps_and_operations_are_known_by_what_they_say(swept, habit, tmp_path):
    """Of operations that are alike one is struck, and said to stand for all."""
    faults = ("--fault", "reset-before", "--fault", "reset-after")
    result, cells = swept(*faults, "--", *habit("two_steps", 3))
    _, several = swept(*faults, "--hit", 2, "--", *habit("two_steps", 3))

    made = "POST /v1/payment_intents of metadata.order_id=ord_1, attempt 1"
    confirmed = "POST /v1/payment_intents/{id}/confirm of key confirm-ord_1, attempt 1"
    assert list(cells) == [
        *(f"{made}+{fault}" for fault in ("reset-before", "reset-after")),
        *(f"{confirmed}+{fault}" for fault in ("reset-before", "reset-after")),
    ]
    assert {cell["word"] for cell in cells.values()} == {"clean"}
    assert {cell["faults"][0]["stands_for"] for cell in cells.values()} == {3}
    assert f"1  {made} (stands for 3 alike)\n" in result.stdout
    assert len(several) == 2 * len(cells)
    assert not (tmp_path / "fakestripe-sweep").exists()


def test_a_fault_may_last(swept, client):
    """What no client survives is expected; a key for each attempt is not."""
    faults = ("--fault", "503-before", "--fault", "reset-after", "--persistent")
    safe, cells = swept(*faults, "--", *client("safe"))
    unsafe, red = swept(*faults, "--", *client("unsafe"))

    row = "POST /v1/charges, attempt 1"
    lasting = [(c["faults"][0]["persistent"], c["word"], c["red"]) for c in cells.values()]
    assert lasting == [(True, "unpaid", False), (True, "orphan", False)]
    assert f"2  {row} and on\n" in safe.stdout
    assert red[f"{row}+reset-after"]["charges"] == 3
    assert (safe.returncode, unsafe.returncode) == (0, 1)


def test_a_request_that_moves_no_money_proves_nothing_and_breaks_nothing(swept, habit):
    result, cells = swept("--fault", "503-before", "--", *habit("greets"))

    assert {name: cell["word"] for name, cell in cells.items()} == {
        "POST /v1/customers, request 1+503-before": "same",
        "POST /v1/charges, attempt 1+503-before": "clean",
    }
    assert "same (the fault struck a request that moves no money;" in result.stdout
    assert result.returncode == 3  # nothing was struck after a commit
    assert "nothing is proven about retries" in result.stdout


def test_a_connection_that_is_never_used_again_leaves_nothing_to_strike(swept, client):
    fault = ("--fault", "reset-after", "--connection", "reused")
    result, cells = swept(*fault, "--", *client("unsafe"))

    assert words_of(cells) == {"reset-after": "never fired"}
    assert "1  never fired\n" in result.stdout
    assert result.returncode == 3


def test_a_client_that_never_ends_is_stopped(swept, client):
    fault = ("--fault", "reset-after", "--timeout", "1s")
    result, cells = swept(*fault, "--", *client("stuck"))

    assert words_of(cells) == {"reset-after": "hung"}
    assert cells["POST /v1/charges, attempt 1+reset-after"]["client_exits"] == [None]
    assert result.returncode == 3
    assert "client_hung (the client never ended and was stopped by the watchdog)" in result.stdout


def test_what_there_was_no_time_for_is_said(swept, client, tmp_path):
    result, cells = swept("--max-time", "1ms", "--", *client("unsafe"))

    assert (result.returncode, cells) == (3, {})
    assert "no time was left for 12 runs" in result.stdout
    assert "? (no time was left for it)" in result.stdout
    assert len(json.loads((tmp_path / "sweep.json").read_text())["not_run"]) == 12


def test_the_estimate_comes_first_and_names_the_flags_that_shorten(swept, client):
    flags = ("--fault", "hang-after", "--persistent", "--max-hang", "30s")
    result, _ = swept(*flags, "--", *client("safe"))

    first = result.stdout.splitlines()[2]
    assert first.startswith("1 request and 1 fault: 2 runs, at most about 1 min ")
    assert first.endswith("(shorter with --max-hang 1s or --max-time 1m)")


def test_profiles_of_an_earlier_sweep_go_and_others_stay(swept, client, tmp_path):
    folder = tmp_path / "red"
    swept("--fault", "500-after", "--out", "red", "--", *client("unsafe"))
    (folder / "mine.yaml").write_text("name: mine\n")
    result, _ = swept("--fault", "reset-after", "--out", "red", "--", *client("unsafe"))

    assert sorted(path.name for path in folder.iterdir()) == [
        *("charges-1-reset-after.yaml", "mine.yaml")
    ]
    assert result.stdout.endswith("1 profile replays what is red: red/\n")


def test_a_replay_is_asked_for_with_the_flags_of_the_sweep(swept, client):
    flags = ["--operation", "metadata.order_id", "--seed", "7", "--max-hang", "400ms"]
    result, _ = swept("--fault", "hang-after", *flags, "--", *client("unsafe"))

    profile = "fakestripe-sweep/charges-1-hang-after.yaml"
    words = ["--profile", profile, "--max-hang", "0.4s", *flags[:4], "--", *client("unsafe")]
    assert f"again: {shlex.join(['fakestripe', 'check', *words])}\n" in result.stdout


def test_reports_are_for_other_readers_too(swept, client, tmp_path):
    from xml.etree import ElementTree as ET

    reports = [word for name in KINDS for word in ("--report", name)]
    faults = ("--fault", "429-before", "--fault", "reset-after")
    result, _ = swept(*faults, *reports, "--", *client("unsafe"))

    suite = ET.parse(tmp_path / "r.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "0")
    message = suite.find("testcase/failure").get("message")
    assert message == "duplicate (charged more often than intended)"
    assert (tmp_path / "r.md").read_text().splitlines()[:3] == [
        "| request | 429-before | reset-after |",
        "| --- | --- | --- |",
        "| POST /v1/charges, attempt 1 | clean | duplicate |",
    ]
    assert (tmp_path / "r.txt").read_text().rstrip() in result.stdout
    drawn = (tmp_path / "r.html").read_text()
    assert "<title>fakestripe sweep: red: 1 of 2 runs found what a correct" in drawn
    assert drawn.count('<details class="run ') == 2


def test_no_whole_key_is_shown_or_written(swept, client, tmp_path):
    given = "sk_test_typedbyhand0123456789"
    reports = [word for name in KINDS for word in ("--report", name)]
    fault = ("--fault", "reset-after", *reports)
    result, _ = swept(*fault, "--", *client("unsafe", 1, given))

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    texts = [result.stdout, result.stderr, *(path.read_text() for path in files)]
    assert len(files) == 6
    assert [text for text in texts if given in text or "sk_test_fakestripe" in text] == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            [],
            "sweep: which command? Write it behind --, such as: fakestripe sweep -- python pay.py",
        ),
        (
            ["--fault", "reset-afer", "--", "true"],
            "sweep: --fault reset-afer is none of "
            + ", ".join([*BEFORE, *ORDERED])
            + " (did you mean 'reset-after'?)",
        ),
        (
            ["--depth", "4", "--", "true"],
            (
                "sweep: argument --depth: '4' is not a whole number from 1 to 3 "
                "(see: fakestripe sweep --help)"
            ),
        ),
        (["--out", "there", "--", "true"], "--out there: there is no folder"),
        (["--", "nothing-of-that-name"], "no such command: nothing-of-that-name"),
    ],
)
def test_what_cannot_be_swept_is_said_in_one_line(cli, refused, tmp_path, words, line):
    (tmp_path / "there").write_text("a file")

    assert refused(cli("sweep", *words)) == line


def test_a_client_that_pays_differently_each_time_is_not_swept(cli, client):
    result = cli("sweep", "--", *client("drifting"))

    assert result.returncode == 2
    assert result.stderr.startswith("fakestripe: the two fault-free runs differ")
