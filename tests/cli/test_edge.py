"""Faults of the connection at the command line: on ports of one's own, never on a neighbour's."""

import http.client
import json
import shlex
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

HOOK = Path(__file__).parent / "clients" / "hook.py"
FORM = {"Authorization": "Bearer sk_test_x", "Content-Type": "application/x-www-form-urlencoded"}
ACCEPT = "name: edge\nrules: [{at: accept, when: {nth: 1}, do: reset}]\n"
SHUT = "name: edge\nrules: [{at: listen, do: {refuse: 1h}}]\n"
SURE = """import http.client, os, urllib.parse

place = urllib.parse.urlsplit(os.environ["STRIPE_API_BASE"]).netloc
head = {"Authorization": "Bearer " + os.environ["STRIPE_API_KEY"], "Idempotency-Key": "K1"}
try:
    connection = http.client.HTTPConnection(place, timeout=5)
    connection.request("POST", "/v1/charges", "amount=2000&currency=usd&source=tok_visa", head)
    connection.getresponse().read()
except OSError:
    pass
"""
"""A program that takes every error for success."""

BRIEF = "name: edge\nrules: [{at: listen, do: {refuse: 1ms}}]\n"


def ask(url, method, path, body=""):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    connection.request(method, path, body, FORM)
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


@pytest.fixture
def checked(cli, client, tmp_path):
    """Check the safe client under a profile; returns exit status and what was printed."""

    def check(text, *flags):
        (tmp_path / "edge.yaml").write_text(text)
        done = cli("check", "--profile", "./edge.yaml", *flags, "--", *client("safe"))
        assert done.stderr == ""
        return done.returncode, done.stdout

    return check


def row(shown):
    return next(line.split() for line in shown.splitlines() if line.startswith("edge "))


def test_who_comes_back_to_a_lost_connection_is_clean(checked):
    status, shown = checked(ACCEPT)

    assert (status, row(shown)) == (0, ["edge", "1", "1", "clean"])


def test_who_gives_up_before_a_closed_port_is_unpaid(checked):
    status, shown = checked(SHUT)

    assert (status, row(shown)) == (0, ["edge", "0", "0", "unpaid"])


def test_who_takes_a_closed_port_for_success_is_told_what_was_exercised(cli, tmp_path):
    (tmp_path / "edge.yaml").write_text(SHUT)
    (tmp_path / "sure.py").write_text(SURE)
    done = cli("check", "--profile", "./edge.yaml", "--", sys.executable, "sure.py")

    assert (done.returncode, row(done.stdout)) == (1, ["edge", "0", "0", "missing"])
    assert "\nexercised: 1 of 1 operations\n" in done.stdout


def test_setup_and_teardown_reach_a_port_that_is_closed_to_the_client(checked):
    said = json.dumps([{"operation": "ord_1", "outcome": "failed"}])
    hook = shlex.join([sys.executable, str(HOOK), "outcomes", said])

    assert checked(SHUT, "--setup", hook, "--teardown", hook)[0] == 0


def test_a_window_that_nobody_can_be_seen_in_is_said_to_prove_nothing(checked):
    status, shown = checked(BRIEF)

    assert (status, row(shown)) == (3, ["edge", "1", "1", "inconclusive", "window_unseen"])
    assert "Use a rule at accept (reset, close, hang), which counts the connections" in shown


@pytest.mark.parametrize(("text", "at"), [(ACCEPT, "accept"), (SHUT, "listen")])
def test_a_neighbours_port_is_struck_by_nobody(served, text, at):
    server = served()

    assert ask(server.url, "PUT", "/_fakestripe/profile", text) == (
        400,
        {
            "error": f"edge#0 strikes at {at}: it would strike the neighbours on this port too, "
            "so open one of your own (POST /_fakestripe/ports)"
        },
    )
    assert ask(server.url, "GET", "/v1/charges")[0] == 200


def test_a_port_of_ones_own_is_struck_and_its_neighbours_are_not(served):
    server = served()
    status, opened = ask(server.url, "POST", "/_fakestripe/ports", json.dumps({"profile": ACCEPT}))

    assert status == 200
    with pytest.raises(ConnectionResetError):
        ask(opened["url"], "GET", "/v1/charges")
    assert ask(opened["url"], "GET", "/v1/charges")[0] == 200
    assert ask(server.url, "GET", "/v1/charges")[0] == 200


def test_a_profile_of_the_whole_server_strikes_its_port(served, tmp_path):
    (tmp_path / "edge.yaml").write_text(ACCEPT)
    server = served("--profile", "./edge.yaml", "--journal", "j.jsonl")

    with pytest.raises(ConnectionResetError):
        ask(server.url, "GET", "/v1/charges")
    assert ask(server.url, "GET", "/v1/charges")[0] == 200
    (fired,) = ask(server.url, "GET", "/_fakestripe/profile")[1]
    assert fired["fired"] == {"edge#0": 1}
    lines = [json.loads(line) for line in (tmp_path / "j.jsonl").read_text().splitlines()]
    assert [line["connection"] for line in lines if line["kind"] == "connection"] == [1]
