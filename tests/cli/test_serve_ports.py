"""Further ports of ``serve``: only numbers that are published, and one journal for all."""

import http.client
import json
import socket
from urllib.parse import urlsplit

import pytest

CHARGE = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]=o1"
FORM = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Authorization": "Bearer sk_test_ports",
    "Idempotency-Key": "K1",
}


def asked(url, method, path, body=None, headers=FORM):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def opened(url, **body):
    return asked(url, "POST", "/_fakestripe/ports", json.dumps(body))


def test_only_numbers_of_the_range_are_handed_out(served):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = probe.getsockname()[1]
    server = served("--port-range", f"{number}-{number}")

    assert opened(server.url)[1]["port"] == number
    status, refused = opened(server.url)
    assert (status, refused["error"].startswith(f"no port of the range {number}-{number} ")) == (
        409,
        True,
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("12-3", "'12-3' is no range: write it as 12200-12215"),
        ("12200-", "'12200-' is no range: write it as 12200-12215"),
        ("0-9", "'0' is not a whole number from 1 to 65535"),
        ("some", "'some' is not a whole number from 1 to 65535"),
    ],
)
def test_a_range_that_is_none_is_refused(cli, refused, given, said):
    line = refused(cli("serve", "--port", 0, "--port-range", given))

    assert said in line


def test_one_journal_holds_what_all_ports_did_and_is_judged_as_one(served, cli, tmp_path):
    server = served("--journal", tmp_path / "journal.jsonl")
    ports = [opened(server.url, profile="reset-after-commit")[1] for _ in range(2)]
    asked(server.url, "POST", "/v1/charges", CHARGE)
    for port in ports:
        with pytest.raises(ConnectionResetError):
            asked(port["url"], "POST", "/v1/charges", CHARGE)
        assert asked(port["url"], "POST", "/v1/charges", CHARGE)[0] == 200
    judged = cli("judge", "--format", "json", tmp_path / "journal.jsonl")
    verdict = json.loads(judged.stdout)

    assert [len(each["attempts"]) for each in verdict["operations"]] == [1, 2, 2]
    assert [each["charges"] for each in verdict["operations"]][1] != []
    assert (verdict["unfired_rules"], verdict["near_misses"]) == ([], [])
