"""``serve`` and ``health``: it says when it listens, and stops when told, whatever it holds."""

import http.client
import json
import signal
import socket
from urllib.parse import urlsplit

import pytest

KEY = "sk_test_neverwritewhole0123456789"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": f"Bearer {KEY}"}
CHARGE = "amount=2000&currency=usd&source=tok_visa"

HANGING = """\
name: hanging
rules:
  - at: committed
    do: hang
"""


def post(url, body=CHARGE, path="/v1/charges"):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
    connection.request("POST", path, body, FORM)
    return connection


def charged(url, body=CHARGE):
    connection = post(url, body)
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    return answer.status, content


def journal(path):
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    return [json.loads(line) for line in whole.splitlines()]


def test_it_prints_its_url_and_writes_the_ready_file(served, tmp_path):
    server = served()

    assert server.process.stdout.readline() == f"fakestripe listens on {server.url}\n"
    assert server.pid == server.process.pid
    assert [path.name for path in tmp_path.iterdir()] == ["ready-0.json"]


@pytest.mark.parametrize(("told", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_stops_cleanly_when_told(served, told, status):
    server = served()
    server.process.send_signal(told)

    _, errors = server.process.communicate(timeout=10)
    assert (server.process.returncode, errors) == (status, "")


def test_a_held_fault_does_not_delay_the_end(served, tmp_path):
    (tmp_path / "hanging.yaml").write_text(HANGING)
    server = served("--profile", "./hanging.yaml", "--journal", "j.jsonl")
    waiting = post(server.url)
    while not any(line.get("faults") for line in journal(tmp_path / "j.jsonl")):
        pass
    server.process.terminate()

    _, errors = server.process.communicate(timeout=10)
    assert (server.process.returncode, errors) == (0, "")
    with pytest.raises((ConnectionError, http.client.BadStatusLine)):
        waiting.getresponse()
    waiting.close()


def test_it_has_stripes_customers_unless_asked(served):
    strict, lenient = served(), served("--customers", "any")

    assert charged(strict.url, "amount=2000&currency=usd&customer=cus_1")[0] == 400
    assert charged(lenient.url, "amount=2000&currency=usd&customer=cus_1")[0] == 200


def test_it_has_so_many_people_as_it_is_asked_for(served):
    server = served("--customers", "3", "--seed", "5")
    listed = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
    listed.request("GET", "/v1/customers", headers=FORM)
    people = json.loads(listed.getresponse().read())["data"]
    listed.close()
    paid = charged(server.url, f"amount=2000&currency=usd&customer={people[0]['id']}")

    assert ([person["email"] is not None for person in people], paid[0]) == ([True] * 3, 200)


def test_webhooks_of_a_profile_go_where_it_is_told_that_they_may(served, cli, refused, tmp_path):
    profile = tmp_path / "told.yaml"
    profile.write_text("name: told\nsettings: {webhooks: [{url: 'http://app:8000/'}]}\n")
    said = refused(cli("serve", "--port", 0, "--profile", "./told.yaml"))
    server = served("--profile", "./told.yaml", "--webhook-host", "app", "--webhook-host", "x")

    assert said.startswith("profile told: 'http://app:8000/' is not on this")
    assert server.process.poll() is None


def test_variables_stand_in_for_flags(served):
    server = served(FAKESTRIPE_CUSTOMERS="any")

    assert charged(server.url, "amount=2000&currency=usd&customer=cus_1")[0] == 200


def test_profiles_by_name_come_from_its_folder_and_no_hang_is_longer(served, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "hanging.yaml").write_text(HANGING)
    server = served("--profiles", "mine", "--max-hang", "100ms", "--journal", "j.jsonl")
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
    connection.request("PUT", "/_fakestripe/profile", '{"name": "hanging"}', FORM)
    answer = json.loads(connection.getresponse().read())
    connection.close()

    assert answer["name"] == "hanging"
    (line,) = (line for line in journal(tmp_path / "j.jsonl") if line["kind"] == "profile")
    assert line["rules"][0]["faults"] == ["hang 100ms"]


def test_a_journal_outlives_a_kill_and_holds_no_key(served, tmp_path):
    server = served("--journal", "j.jsonl")
    status, charge = charged(server.url)
    server.process.kill()

    lines = journal(tmp_path / "j.jsonl")
    assert status == 200
    assert lines[0]["kind"] == "header"
    assert lines[-1]["charge"] == charge["id"]
    assert KEY not in (tmp_path / "j.jsonl").read_text()


def test_a_journal_is_replaced_only_by_a_server_that_listens(served, cli, refused, tmp_path):
    server = served("--journal", "j.jsonl")
    assert charged(server.url)[0] == 200
    before = (tmp_path / "j.jsonl").read_bytes()
    port = urlsplit(server.url).port

    refused(cli("serve", "--port", port, "--journal", "j.jsonl"))
    assert (tmp_path / "j.jsonl").read_bytes().startswith(before)
    again = served("--journal", "j.jsonl")
    assert (tmp_path / "j.jsonl").read_bytes().count(b"\n") == 1
    assert charged(again.url)[0] == 200


def test_a_busy_port_is_one_line(cli, refused):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert refused(cli("serve", "--port", port)) == (
            f"127.0.0.1:{port} is in use by another program; "
            "choose another --port, or 0 for a free one"
        )


def test_an_address_that_is_not_ours_is_one_line(cli, refused):
    assert refused(cli("serve", "--port", 0, "--host", "203.0.113.7")).startswith(
        "cannot listen on 203.0.113.7:0: "
    )


@pytest.mark.parametrize("flag", ["--journal", "--ready-file"])
def test_a_file_that_cannot_be_written_is_one_line(cli, refused, flag):
    assert refused(cli("serve", "--port", 0, flag, "nowhere/file")).startswith(
        f"{flag} nowhere/file: "
    )


def test_health_answers_for_a_server_and_for_none(served, cli):
    server = served()

    up = cli("health", server.url)
    assert (up.returncode, up.stdout) == (0, f"{server.url} is up\n")
    assert cli("health", FAKESTRIPE_URL=server.url).returncode == 0
    server.process.kill()
    server.process.wait()
    down = cli("health", server.url)
    assert down.returncode == 1
    assert down.stdout.startswith(f"{server.url} does not answer: ")


def test_health_wants_a_url(cli, refused):
    assert refused(cli("health", "localhost")) == (
        "'localhost' is not a URL such as http://127.0.0.1:12111"
    )
