"""The doctor tells what arrives: straight from a server, and from behind what ends TCP itself."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from types import SimpleNamespace

import pytest

from fakestripe.cli.doctoring.client import Seen
from fakestripe.cli.doctoring.examination import Row
from fakestripe.cli.doctoring.findings import findings
from fakestripe.cli.doctoring.telling import told
from fakestripe.cli.doctoring.trials import OWN, TRIALS, UNTRIED, Trial
from fakestripe.faults.kinds import LEGAL
from fakestripe.profiles import parse
from fakestripe.server.listener import Server

WELL = "every fault that was tried arrives here as it was meant"
LEFT_OUT = (
    "not tried, since no network can change them: "
    "barrier, advance_clock, forget_key, expire_key, lose_record"
)
FIN = (
    "resets arrive as FIN here: something between re-terminates TCP (a published container port, "
    "a mesh's sidecar); faults of the kind reset test something else"
)
HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


class Between:
    """Takes connections on an address, and carries bytes on: it never sends a RST itself."""

    def __init__(self, url, host="127.0.0.1"):
        self.to = ("127.0.0.1", int(url.rpartition(":")[2]))
        self.door = socket.create_server((host, 0))
        self.url = f"http://{host}:{self.door.getsockname()[1]}"
        self.threads = [threading.Thread(target=self.take)]
        self.threads[0].start()

    def take(self):
        while True:
            try:
                client, _ = self.door.accept()
            except OSError:
                return
            self.threads.append(threading.Thread(target=self.stand, args=(client,)))
            self.threads[-1].start()

    def stand(self, client):
        """Stand between a client and the server until both have ended."""
        with client, socket.create_connection(self.to) as server:
            back = threading.Thread(target=self.carry, args=(server, client))
            back.start()
            self.carry(client, server)
            back.join()

    def carry(self, source, target):
        """Carry one direction to its end, however it ends, and say so politely."""
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                target.sendall(chunk)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def close(self):
        self.door.shutdown(socket.SHUT_RDWR)
        self.door.close()
        for thread in self.threads:
            thread.join()


@pytest.fixture
def between():
    """Put something between a client and a server."""
    made = []

    def put(url, **where):
        made.append(Between(url, **where))
        return made[-1].url

    yield put
    for each in made:
        each.close()


def rows_of(result):
    """Return the rows of a table, by point and fault."""
    lines = [re.split(r" {2,}", line) for line in result.stdout.split("\n\n")[1].splitlines()]
    assert lines[0] == ["point", "fault", "should arrive", "arrives"]
    return {(point, fault): rest for point, fault, *rest in lines[1:]}


def asked(url, verb):
    with urllib.request.urlopen(f"{url}/_fakestripe/{verb}") as answer:
        return json.loads(answer.read() or "null")


def test_every_legal_pair_is_tried_or_said_to_be_left_out():
    pairs = {(name, point) for name, points in LEGAL.items() for point in points}
    tried = {(trial.tag, trial.at) for trial in (*TRIALS, *OWN)}

    assert tried == {(name, point) for name, point in pairs if name not in UNTRIED}


@pytest.mark.parametrize("trial", [*TRIALS, *OWN], ids=lambda t: f"{t.at} {t.fault}")
def test_each_trial_is_a_profile(trial):
    (rule,) = parse(json.dumps(trial.profile), "doctor").rules

    assert rule.at == trial.at


def test_on_loopback_every_fault_arrives(cli):
    result = cli("doctor")
    rows = rows_of(result)

    assert (result.returncode, result.stderr) == (0, "")
    assert len(rows) == len(TRIALS) + len(OWN)
    assert {tuple(row[:1]) for row in rows.values() if row != [row[0], row[0], "ok"]} == set()
    assert rows["committed", "reset"] == ["RST", "RST", "ok"]
    assert result.stdout.splitlines()[-2:] == [WELL, LEFT_OUT]


def test_a_running_server_is_left_as_it_was(cli, served):
    server = served()
    neighbour = urllib.request.Request(
        f"{server.url}/v1/charges",
        b"amount=2000&currency=usd&source=tok_visa",
        {"Authorization": "Bearer sk_test_neighbour"},
    )
    urllib.request.urlopen(neighbour).close()
    before = asked(server.url, "profile")
    result = cli("doctor", server.url)

    assert (result.returncode, result.stdout.splitlines()[-2]) == (0, WELL)
    assert asked(server.url, "profile") == before
    assert asked(server.url, "ports") == []
    assert len(asked(server.url, "charges")) == 1


def test_under_tls_too(cli, served, tmp_path):
    ca_file = tmp_path / "ca.pem"
    server = served("--tls", "--tls-ca-file", ca_file)
    result = cli("doctor", server.url, "--ca-file", ca_file)

    assert (result.returncode, result.stdout.splitlines()[-2]) == (0, WELL)
    assert rows_of(result)["committed", "reset"] == ["RST", "RST", "ok"]
    assert rows_of(result)["accept", "reset"] == ["RST", "RST", "ok"]


def test_behind_what_ends_tcp_itself_resets_arrive_as_fin(cli, served, between):
    result = cli("doctor", between(served().url))
    rows = rows_of(result)

    assert result.returncode == 1
    assert rows["committed", "reset"] == ["RST", "FIN", "differs"]
    assert rows["committed", "close"] == ["FIN", "FIN", "ok"]
    assert rows["committed", "hang"] == ["silence", "silence", "ok"]
    assert rows["replying", "truncate body 100 then reset"] == [
        "200 and 100 bytes, RST",
        "200 and 100 bytes, FIN",
        "differs",
    ]
    differing = {fault for (_, fault), row in rows.items() if row[-1] == "differs"}
    assert {fault.split()[-1] for fault in differing} == {"reset"}
    assert result.stdout.splitlines()[-2:] == [FIN, LEFT_OUT]


def test_as_json(cli, served, between):
    server = served()
    url = between(server.url, host="127.0.0.2")
    result = cli("doctor", url, "--json")
    told = json.loads(result.stdout)
    rows = {(row["point"], row["fault"]): row for row in told["rows"]}
    (skipped,) = {row["why"] for row in told["rows"] if row["result"] == "skipped"}

    assert (told["exit_status"], result.returncode, told["url"]) == (1, 1, url)
    assert rows["committed", "reset"] == {
        "point": "committed",
        "fault": "reset",
        "expected": "RST",
        "arrived": "FIN",
        "result": "differs",
        "arrivals": 1,
        "why": None,
    }
    assert rows["committed", "resend"]["arrivals"] == 2
    assert {row["point"] for row in told["rows"] if row["result"] == "skipped"} == {
        "listen",
        "accept",
    }
    assert re.fullmatch(
        r"its port \d+ cannot be reached from here: let it have some that are published "
        r"\(fakestripe serve --port-range\)",
        skipped,
    )
    assert told["findings"] == [FIN, f"skipped: {skipped}", LEFT_OUT]
    assert asked(server.url, "ports") == []


@pytest.mark.parametrize(("told", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_one_that_is_told_to_end_leaves_no_port_behind(served, told, status):
    url = served().url
    process = subprocess.Popen([sys.executable, "-m", "fakestripe", "doctor", url])

    def ports():
        with urllib.request.urlopen(f"{url}/_fakestripe/ports") as answer:
            return json.load(answer)

    try:
        while not ports():
            assert process.poll() is None
        process.send_signal(told)
        assert process.wait(timeout=20) == status
    finally:
        process.kill()
        process.wait()
    assert ports() == []


def test_the_variable_names_the_server(cli, refused):
    nobody = "http://127.0.0.1:1"

    assert refused(cli("doctor", FAKESTRIPE_URL=nobody)).startswith(f"{nobody} does not answer: ")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["ftp://x"], "'ftp://x' is not a URL such as http://127.0.0.1:12111"),
        (["http://x:y"], "'http://x:y' is not a URL such as http://127.0.0.1:12111"),
        (
            ["https://api.stripe.com"],
            "api.stripe.com is the real Stripe: a doctor has no business there",
        ),
        (
            ["http://127.0.0.1:1", "--ca-file", "x.pem"],
            "--ca-file is for https, and http://127.0.0.1:1 is not",
        ),
        (
            ["https://127.0.0.1:1", "--ca-file", "x.pem"],
            "--ca-file x.pem: No such file or directory",
        ),
    ],
)
def test_what_cannot_be_examined(cli, refused, words, line):
    assert refused(cli("doctor", *words)) == line


def test_a_certificate_that_the_file_does_not_vouch_for(cli, served, refused, tmp_path):
    first, second = (served("--tls", "--tls-ca-file", tmp_path / f"{n}.pem") for n in "ab")
    line = refused(cli("doctor", second.url, "--ca-file", tmp_path / "a.pem"))

    assert first.url != second.url
    assert line.startswith(f"{second.url} does not answer: ")
    assert "CERTIFICATE_VERIFY_FAILED" in line


def test_a_port_of_somebodys_own_is_left_alone(cli, refused):
    with Server() as server:
        assert refused(cli("doctor", server.url)) == (
            f"{server.url} is a port of somebody's own (a fixture's, a check's): all keys are one "
            "account there, which a doctor must not touch; name the port of fakestripe serve"
        )
        assert server.call(lambda: [a.profile.name for a in server.port.accounts]) in (
            [],
            ["fault-free"],
        )


def test_what_is_no_fakestripe(cli, refused, tmp_path):
    (tmp_path / "_fakestripe").mkdir()
    (tmp_path / "_fakestripe" / "health").write_text("{}")
    with subprocess.Popen(
        ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as other:
        port = re.search(r"port (\d+)", other.stdout.readline())[1]
        line = refused(cli("doctor", f"http://127.0.0.1:{port}"))
        other.kill()

    assert line == f"http://127.0.0.1:{port} is no fakestripe: start one by fakestripe serve"


def row(point, expected, arrived, **more):
    return Row(point, "some", expected, arrived, "differs", **more)


@pytest.mark.parametrize(
    ("found", "begins"),
    [
        (row("committed", "RST", "FIN"), "resets arrive as FIN here"),
        (row("committed", "RST", "silence"), "resets do not arrive here"),
        (row("committed", "FIN", "502"), "a gateway between answers"),
        (row("replying", "200 and 100 bytes, FIN", "FIN"), "replies are held back"),
        (row("replying", "200, in pieces", "200, in one piece"), "replies are held back"),
        (row("listen", "refused", "FIN"), "connections are taken by something between"),
        (row("committed", "RST", "RST", why="it came 2 times"), "something between sends"),
        (row("received", "FIN", "200"), "1 of 1 arrive otherwise"),
    ],
)
def test_what_stands_between_is_said_in_a_sentence(found, begins):
    said = list(findings([found]))

    assert [said[0][: len(begins)], *said[1:]] == [begins, LEFT_OUT]


def test_on_another_system_what_its_kernel_cannot_tell_is_said(monkeypatch):
    monkeypatch.setattr(
        "fakestripe.cli.doctoring.findings.sys", SimpleNamespace(platform="darwin")
    )

    *_, last = findings([])
    assert last == (
        "this system does not tell when bytes have left it (Linux does): fakestripe waits 50 ms "
        "before a reset instead, and the last bytes before it are likely, not certain"
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (f"{HEAD}Content-Length: 2\r\n\r\n{{}}", "200"),
        (f"{HEAD}Content-Length: 4\r\n\r\n{{}}", "200, length 200%"),
        (f"{HEAD}Content-Length: 3\r\n\r\n{{x}}", "200, broken JSON"),
        (f"{HEAD}Content-Length: 9\r\n\r\n{{x", "200 and 2 bytes, silence"),
        (f"{HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n", "200"),
        (f"{HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\n{{x", "200 and 2 bytes, silence"),
        (f"{HEAD}Transfer-Encoding: chunked\r\n\r\nxyz", "200 and 0 bytes, silence"),
        (f"{HEAD}\r\n{{}}", "200 and 2 bytes, silence"),
        ("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 1\r\n\r\nx", "502"),
        ("HTTP/1.1 502", "12 bytes, silence"),
        ("", "silence"),
    ],
)
def test_what_arrived_is_told_in_words(data, words):
    assert told(Trial("committed", "reset", ""), Seen("silence", data.encode()), ()) == words
