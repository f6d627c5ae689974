"""``check`` from outside: a small client in and out of trouble, and what is said of it."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HOOK = Path(__file__).parent / "clients" / "hook.py"
LOST = "reset-after-commit"


def table(shown):
    """Return the rows of the table: profile → the other cells, words only."""
    lines = shown.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("profile "))
    rows = {}
    for line in lines[head + 1 :]:
        if not line:
            return rows
        name, *cells = line.split()
        rows[name] = cells
    return rows


def hook(verb, *content):
    return shlex.join([sys.executable, str(HOOK), verb, json.dumps(content)])


def test_an_unsafe_client_is_told_everything(cli, client):
    result = cli("check", "--profile", LOST, "--", *client("unsafe"))

    assert result.returncode == 1
    assert table(result.stdout) == {LOST: ["2", "2", "duplicate", "fresh_key_per_attempt"]}
    assert "learned from two fault-free runs: 1 payment" in result.stdout
    assert "duplicate (charged more often than intended)" in result.stdout
    replay = shlex.join(["fakestripe", "check", "--profile", LOST, "--", *client("unsafe")])
    assert replay in result.stdout


def test_a_safe_client_passes_the_whole_library(cli, client):
    result = cli("check", "--jobs", 2, "--", *client("safe"))

    rows = table(result.stdout)
    said = re.sub(r"\d+ of \d+ runs done after .*\n", "", result.stderr)  # where it takes long
    assert (result.returncode, said) == (0, "")
    assert len(rows) >= 10
    assert rows["webhook-twice"][2:] == ["not", "exercised"]  # nobody is to be told
    assert rows[LOST] == ["2", "1", "clean"]
    assert rows["stale-keep-alive"] == ["1", "1", "not", "exercised"]
    assert rows["stored-500"][2:] == ["orphan", "(expected)"]
    exercised = sum(cells[-2:] != ["not", "exercised"] for cells in rows.values())
    assert result.stdout.endswith(f"nothing red under {exercised} of {len(rows)} profiles\n")


def test_lanes_change_nothing_but_the_time(cli, client):
    profiles = ["--profile", LOST, "--profile", "close-after-commit"]
    one = cli("check", *profiles, "--", *client("unsafe"))
    two = cli("check", "--jobs", 2, *profiles, "--", *client("unsafe"))

    assert list(table(two.stdout)) == [LOST, "close-after-commit"]
    assert table(one.stdout) == table(two.stdout)


def test_the_worst_stands_first_and_last_what_says_nothing(cli, client):
    profiles = ["stale-keep-alive", "rate-limited", "unauthorized", LOST]
    named = [word for name in profiles for word in ("--profile", name)]
    result = cli("check", *named, "--", *client("unsafe"))

    shown = [(name, cells[2]) for name, cells in table(result.stdout).items()]
    assert shown == [
        (LOST, "duplicate"),
        ("stale-keep-alive", "inconclusive"),
        ("unauthorized", "unpaid"),
        ("rate-limited", "clean"),
    ]


def test_one_mistake_is_told_once_and_replayed_everywhere(cli, client):
    profiles = ["--profile", LOST, "--profile", "close-after-commit", "--timeout", "30s"]
    result = cli("check", *profiles, "--", *client("unsafe"))

    again = ["--profile", "close-after-commit", "--timeout", "30s", "--", *client("unsafe")]
    assert (
        "the same, duplicate (charged more often than intended) by fresh_key_per_attempt, "
        f"under 1 more:\n  {shlex.join(['fakestripe', 'check', *again])}\n"
    ) in result.stdout
    assert result.stdout.endswith(
        "red: 2 of 2 profiles found what a correct client would not do\n"
    )


def test_a_named_fault_that_finds_nothing_to_strike_is_a_doubt(cli, client):
    result = cli("check", "--profile", "stale-keep-alive", "--", *client("safe"))

    assert result.returncode == 3
    assert table(result.stdout)["stale-keep-alive"][2:] == ["inconclusive", "rule_never_fired"]
    assert "rule_never_fired (a fault never struck, so it tested nothing)" in result.stdout
    assert (
        "rule stale-keep-alive#0 never fired under stale-keep-alive\n"
        "  closest: arrival 1, POST /v1/charges: "
        "when.connection was fresh, the rule wants reused\n"
    ) in result.stdout


def test_a_hazard_is_told_with_its_remedy(cli, client):
    result = cli("check", "--profile", "reset-before-commit", "--", *client("unsafe"))

    assert result.returncode == 3
    assert table(result.stdout)["reset-before-commit"][2:] == [
        *("clean", "hazard:", "fresh_key_per_attempt")
    ]
    assert (
        "hazard fresh_key_per_attempt (no second charge yet, but another fault would make one) "
        "under\n  reset-before-commit\n  Make the key once per payment"
    ) in result.stdout
    assert result.stdout.endswith("nothing red under 1 of 1 profiles, but doubts remain\n")


def test_the_json_report_has_the_public_format(cli, client, tmp_path):
    result = cli("check", "--profile", LOST, "--report", "r.json", "--", *client("unsafe"))

    report = json.loads((tmp_path / "r.json").read_text())
    assert list(report) == [
        *("fakestripe", "command", "seed", "verdict", "exit_status", "intents", "runs")
    ]
    assert report["command"] == client("unsafe")
    assert (report["verdict"], report["exit_status"]) == ("duplicate", result.returncode)
    assert [(each["count"], each["amount"]) for each in report["intents"]] == [(1, 2000)]
    (run,) = report["runs"]
    assert {name: run[name] for name in list(run)[:10]} == {
        "profile": LOST,
        "expect": ["clean"],
        "exercised": True,
        "replica_count": 1,
        "client_exits": [0],
        "attempts": 2,
        "charges": 2,
        "rules_fired": [f"{LOST}#0"],
        "verdict": "duplicate",
        "reasons": [],
    }
    (operation,) = run["operations"]
    assert operation["cause"] == "fresh_key_per_attempt"
    assert [attempt["charge"] for attempt in operation["attempts"]] == operation["charges"]


def test_the_html_report_is_one_file_with_every_run_drawn(cli, client, tmp_path):
    profiles = ["--profile", LOST, "--profile", "reset-before-commit"]
    cli("check", *profiles, "--report", "r.html", "--", *client("unsafe"))

    html = (tmp_path / "r.html").read_text()
    assert '<h1 class="red">red: 1 of 2 profiles found what a correct client would not do' in html
    assert re.findall(r'href="#run-\d">([\w-]+)<', html) == [LOST, "reset-before-commit"]
    assert "it sets out to make 1 payment, 2000 usd in all" in html
    assert f"fakestripe check --profile {LOST} -- " in html
    assert "<script" not in html


def test_other_reports_are_for_other_readers(cli, client, tmp_path):
    from xml.etree import ElementTree as ET

    reports = [word for name in ("r.xml", "r.md", "r.txt") for word in ("--report", name)]
    result = cli("check", "--profile", LOST, *reports, "--", *client("unsafe"))

    suite = ET.parse(tmp_path / "r.xml").getroot()
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "1", "1")
    message = suite.find("testcase/failure").get("message")
    assert message == "duplicate (charged more often than intended)"
    assert (tmp_path / "r.md").read_text().splitlines()[2] == (
        f"| {LOST} | 2 | 2 | duplicate | fresh_key_per_attempt |"
    )
    assert (tmp_path / "r.txt").read_text().rstrip() in result.stdout


def test_no_whole_key_is_shown_or_written(cli, client, tmp_path):
    given = "sk_test_typedbyhand0123456789"
    kinds = ("json", "xml", "md", "txt", "html")
    reports = [word for kind in kinds for word in ("--report", f"r.{kind}")]
    words = ["--profile", LOST, "--verbose", *reports, "--", *client("unsafe", 1, given)]
    result = cli("check", *words)
    failed = cli("check", "--", *client("failing"))

    written = [path.read_text() for path in sorted(tmp_path.glob("r.*"))]
    everything = [result.stdout, result.stderr, failed.stdout, failed.stderr, *written]
    assert len(written) == len(kinds)
    assert [text for text in everything if given in text or "sk_test_fakestripe" in text] == []
    assert "my key is sk_test_" in failed.stderr


def test_setup_and_teardown_reach_the_server_of_the_run(cli, client, tmp_path):
    """Teardown reports from a database, and its word counts more than the exit status."""
    intended = hook("intents", {"operation": "ord_1", "amount": 2000, "currency": "usd"})
    reported = hook("outcomes", {"operation": "ord_1", "outcome": "failed"})
    hooks = ["--setup", intended, "--teardown", reported]
    words = ["--profile", LOST, *hooks, "--report", "r.json", "--", *client("safe")]
    result = cli("check", *words)

    run = json.loads((tmp_path / "r.json").read_text())["runs"][0]
    assert (result.returncode, run["verdict"]) == (1, "orphan")
    (operation,) = run["operations"]
    assert (operation["operation"], operation["believed"]) == ("ord_1", "failed")
    assert operation["intended"] == {"count": 1, "amount": 2000, "currency": "usd"}


@pytest.mark.parametrize("what", ["setup", "teardown"])
def test_a_hook_that_fails_ends_the_check(cli, client, what):
    result = cli("check", f"--{what}", "echo no database; exit 7", "--", *client("safe"))

    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        f"fakestripe: --{what} ended with status 7 (fault-free)",
        "no database",
    ]


def test_every_process_knows_its_run(cli, client, tmp_path):
    told = "echo $FAKESTRIPE_RUN $FAKESTRIPE_PROFILE $STRIPE_API_BASE$FAKESTRIPE_URL >> told"
    cli("check", "--profile", LOST, "--setup", told, "--", *client("safe"))

    lines = [line.split() for line in (tmp_path / "told").read_text().splitlines()]
    assert [line[:2] for line in lines] == [["1", "fault-free"], ["2", "fault-free"], ["3", LOST]]
    assert [line[2].count("http://127.0.0.1:") for line in lines] == [2, 2, 2]


def test_placeholders_in_the_command_are_replaced(cli, client, tmp_path):
    script = 'echo "$@" >> told; shift 4; exec "$@"'
    words = ["sh", "-c", script, "-", "{url}", "{host}", "{port}", "{key}", *client("safe")]
    cli("check", "--profile", LOST, "--", *words)

    url, host, port, key = (tmp_path / "told").read_text().splitlines()[0].split()[:4]
    assert (host, url) == ("127.0.0.1", f"http://127.0.0.1:{port}")
    assert key.startswith("sk_test_")


def test_replicas_run_at_once_and_meet(cli, client, tmp_path):
    (tmp_path / "meet.yaml").write_text(
        "name: meet\n"
        "rules:\n"
        "  - when: {attempt: [1, 2, 3]}\n"
        "    at: received\n"
        "    do: {barrier: {parties: 5, timeout: 20s}}\n"
    )
    words = ["--profile", "./meet.yaml", "--replicas", 3, "--report", "r.json"]
    unsafe = cli("check", *words, "--", *client("unsafe"))
    run = json.loads((tmp_path / "r.json").read_text())["runs"][0]
    safe = cli("check", *words, "--", *client("safe"))

    assert (unsafe.returncode, run["verdict"]) == (1, "duplicate")
    assert (run["replica_count"], run["client_exits"]) == (3, [0, 0, 0])
    assert (run["operations"][0]["cause"], run["charges"]) == ("replicas", 3)
    assert (safe.returncode, table(safe.stdout)["meet"][1:]) == (0, ["1", "clean"])


def test_faults_may_touch_only_a_few_of_many(cli, client):
    words = ["--profile", LOST, "--hit", 2]
    result = cli("check", *words, "--", *client("safe", 12))

    assert result.returncode == 0
    assert "learned from two fault-free runs: 12 payments" in result.stdout
    assert table(result.stdout)[LOST] == ["14", "12", "clean,", "exercised", "2", "of", "12"]


def test_the_estimate_comes_first_and_names_the_worst(cli, client):
    words = ["--profile", LOST, "--profile", "commit-then-timeout", "--max-hang", "200ms"]
    result = cli("check", *words, "--", *client("safe", 3))

    told = next(line for line in result.stdout.splitlines() if line.startswith("2 runs"))
    assert "the longest, commit-then-timeout, can hold your client for 600.0 ms" in told
    assert "--hit 1" in told
    assert result.stdout.index(told) < result.stdout.index("profile ")


def test_a_client_that_sits_a_hang_out_is_told_to_set_its_timeout(cli, client):
    words = ["--profile", "commit-then-timeout", "--max-hang", "200ms"]
    result = cli("check", *words, "--", *client("safe"))

    assert (
        "your client waited until the server gave up, and never timed out, "
        "under commit-then-timeout\n  Give it a timeout shorter than the hang"
    ) in result.stdout
    assert "timed out" not in cli("check", "--profile", LOST, "--", *client("safe")).stdout


def test_a_terminal_sees_how_far_the_check_is(cli, client, tmp_path):
    ours, theirs = os.openpty()
    words = ["-m", "fakestripe", "check", "--profile", LOST, "--", *client("safe")]
    process = subprocess.Popen([sys.executable, *words], stderr=theirs, stdout=subprocess.PIPE)
    os.close(theirs)
    process.communicate(timeout=60)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)

    assert process.returncode == 0
    assert "2 of 3 runs done after " in shown
    assert f"; now {LOST}" in shown
    assert shown.endswith("\r\x1b[K")


def test_what_the_client_prints_is_shown_on_demand(cli, client):
    words = ["--profile", LOST, "--", "sh", "-c", 'echo paying; exec "$@"', "-", *client("safe")]

    assert "paying\n" not in cli("check", *words).stdout
    assert cli("check", "--verbose", *words).stdout.count("printed:\npaying\n") == 3
