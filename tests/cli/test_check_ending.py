"""``check`` leaves nothing behind: a client that hangs, a Ctrl-C, a signal."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

PATIENCE = 30


def alive(number):
    """Return whether a process runs; one that only waits to be reaped does not."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False
    )
    return state.stdout.strip()[:1] not in ("", "Z")


def numbers(folder):
    """Return the process numbers that the stuck client left, once they are there."""
    deadline = time.monotonic() + PATIENCE
    while not (folder / "pids").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return [int(number) for number in (folder / "pids").read_text().split()]


def test_a_client_that_hangs_is_killed_with_all_it_started(cli, client, tmp_path):
    words = ["--profile", "close-after-commit", "--timeout", "1s", "--report", "r.json"]
    result = cli("check", *words, "--", *client("stuck"))

    run = json.loads((tmp_path / "r.json").read_text())["runs"][0]
    assert result.returncode == 3
    assert (run["client_exits"], run["verdict"]) == ([None], "inconclusive")
    assert run["operations"][0]["believed"] == "hung"
    assert "client_hung" in result.stdout
    assert [number for number in numbers(tmp_path) if alive(number)] == []


@pytest.mark.parametrize(("told", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_everything_at_once(client, tmp_path, told, status):
    words = ["check", "--profile", "close-after-commit", "--", *client("stuck")]
    process = subprocess.Popen(
        [sys.executable, "-m", "fakestripe", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        left = numbers(tmp_path)
        process.send_signal(told)
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()

    assert (process.returncode, errors) == (status, "")
    assert [number for number in left if alive(number)] == []


def test_what_a_client_leaves_running_is_ended_after_teardown(cli, client, tmp_path):
    leave = 'sleep 600 & echo $! >> left; exec "$@"'
    seen = "ps -p $(tail -n 1 left) > /dev/null && echo alive >> seen"
    words = ["--profile", "close-after-commit", "--teardown", seen]
    cli("check", *words, "--", "sh", "-c", leave, "-", *client("safe"))

    left = [int(number) for number in (tmp_path / "left").read_text().split()]
    assert (tmp_path / "seen").read_text().split() == ["alive"] * 3
    assert [number for number in left if alive(number)] == []


def test_a_client_may_say_goodbye_before_it_is_killed(cli, tmp_path, client):
    script = 'trap "echo goodbye > said; exit 1" TERM; "$@" || { sleep 600 & wait; }'
    words = ["--profile", "close-after-commit", "--timeout", "1s"]
    cli("check", *words, "--", "sh", "-c", script, "-", *client("once"))

    assert (tmp_path / "said").read_text() == "goodbye\n"
