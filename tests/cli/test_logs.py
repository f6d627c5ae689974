"""What a server tells on its standard error: nothing unasked, and never a whole key."""

import http.client
import json
import re
from urllib.parse import urlsplit

import pytest

from fakestripe.bank.ids import account_id

KEY = "sk_test_neverwritewhole0123456789"
CHARGE = "amount=2000&currency=usd&source=tok_visa"
SAID = {"time", "level", "event"}


def ask(server, method, path, body=None, key=KEY):
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def ended(server):
    """Return what a server wrote on its standard error, once it has stopped."""
    server.process.terminate()
    return server.process.communicate()[1]


def use(server):
    """Set a profile, charge, be refused, and go on without faults."""
    name = json.dumps({"name": "reset-before-commit"})
    return [
        ask(server, "PUT", "/_fakestripe/profile", name),
        ask(server, "DELETE", "/_fakestripe/profile"),
        ask(server, "POST", "/v1/charges", CHARGE),
        ask(server, "POST", "/v1/charges", CHARGE, "sk_live_abcdefghij0123456789"),
    ]


def test_nothing_is_told_unasked(served):
    server = served()

    assert use(server) == [200, 200, 200, 401]
    assert ended(server) == ""


def test_json_lines_tell_of_what_is_rare(served):
    server = served("--log-format", "json")
    use(server)
    told = ended(server)
    lines = [json.loads(line) for line in told.splitlines()]

    assert [line["event"] for line in lines] == [
        *("start", "ready", "profile_set", "profile_dropped", "key_refused", "stop"),
    ]
    assert (lines[1]["url"], lines[1]["pid"]) == (server.url, server.pid)
    assert (lines[2]["profile"], lines[2]["account"]) == ("reset-before-commit", account_id(KEY))
    assert (lines[4]["level"], lines[4]["path"]) == ("warning", "/v1/charges")
    assert lines[5]["signal"] == "SIGTERM"
    assert all(set(line) >= SAID for line in lines)
    assert not re.search("neverwritewhole|abcdefghij", told)


def test_text_says_the_same_in_one_line_each(served):
    server = served("--log-format", "text")
    use(server)
    lines = ended(server).splitlines()

    assert [line.split()[1:3] for line in lines] == [
        ["info", "start"],
        ["info", "ready"],
        ["info", "profile_set"],
        ["info", "profile_dropped"],
        ["warning", "key_refused"],
        ["info", "stop"],
    ]
    assert f" url={server.url} " in lines[1]


def test_the_access_log_has_every_request_once_and_no_key(served, tmp_path):
    server = served("--log-format", "json", "--access-log", "--journal", "j.jsonl")
    ask(server, "POST", "/v1/charges", CHARGE)
    ask(server, "GET", f"/v1/charges/{KEY}")
    told = ended(server)
    lines = [json.loads(line) for line in told.splitlines()]
    requests = [line for line in lines if line["event"] == "request"]

    assert [(each["method"], each["status"], each["outcome"]) for each in requests] == [
        ("POST", 200, "answered"),
        ("GET", 404, "answered"),
    ]
    assert requests[0]["charge"] in (tmp_path / "j.jsonl").read_text()
    assert {each["account"] for each in requests} == {account_id(KEY)}
    assert KEY not in told


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_caller_writes_makes_no_line_of_its_own(served, form):
    server = served("--log-format", form, "--access-log")
    ask(server, "GET", "/v1/x%0A2026%20error%20bug", key=None)
    lines = ended(server).splitlines()

    assert len(lines) == 5  # start, ready, key_refused, request, stop


def test_a_format_that_is_none_is_one_line(cli, refused):
    assert refused(cli("serve", "--log-format", "xml")).startswith(
        "serve: argument --log-format: 'xml' is none of text, json"
    )
