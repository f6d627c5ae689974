"""What a server takes of one client and of many, and that a healthy one is served beside them."""

import json
import socket
from urllib.parse import urlsplit

import pytest

from fakestripe.server import reading
from fakestripe.server.listener import Server

CHARGE = b"amount=2000&currency=usd&source=tok_visa"
POST = (
    b"POST /v1/charges HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sk_test_a\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)


@pytest.fixture
def server():
    with Server(shared=False, mode="serve") as server:
        yield server


@pytest.fixture
def connect(server):
    """Give connections that are closed at the end."""
    made = []

    def connected():
        place = urlsplit(server.url)
        client = socket.create_connection((place.hostname, place.port), timeout=20)
        made.append(client)
        return client

    yield connected
    for client in made:
        client.close()


def charge(client, body=CHARGE):
    client.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    return answer(client)


def answer(client):
    """Return status and body of one answer."""
    with client.makefile("rb") as stream:
        status = int(stream.readline().split()[1])
        length = 0
        while (line := stream.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return status, stream.read(length)


def attempts(server):
    return [each for account in server.port.accounts for each in account.bank.journal.attempts]


def test_a_body_that_says_it_is_too_large_is_refused_unread(server, connect):
    client = connect()
    client.sendall(POST + b"Content-Length: 16777217\r\n\r\n")

    assert answer(client)[0] == 413
    assert attempts(server) == []


def test_a_body_without_a_length_is_refused_once_it_is_too_large(server, connect):
    client = connect()
    client.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
    piece = b"100000\r\n" + b"x" * 2**20 + b"\r\n"
    for _ in range(17):
        client.sendall(piece)

    assert answer(client)[0] == 413
    assert attempts(server) == []


@pytest.mark.parametrize("size", [reading.SMALL, reading.SMALL + 1, 2**20, reading.BODY_LIMIT])
def test_a_body_within_the_limit_is_read_to_its_end(connect, size):
    body = CHARGE + b"&description="
    status, said = charge(connect(), body + b"x" * (size - len(body)))

    assert (status, json.loads(said)["amount"]) == (200, 2000)


def test_more_parameters_than_anybody_has_are_refused(connect):
    status, said = charge(connect(), CHARGE + b"&a=1" * 10_000)

    assert status == 400
    assert "it has more than 10000 parameters" in json.loads(said)["error"]["message"]


LARGE = {
    "one header": b"X: " + b"y" * 70_000 + b"\r\n",
    "many headers": b"".join(b"X-%d: y\r\n" % number for number in range(5_000)),
}


@pytest.mark.parametrize("what", LARGE)
def test_a_head_beyond_the_limit_is_refused(server, connect, what):
    client = connect()
    client.sendall(POST + LARGE[what] + b"Content-Length: 0\r\n\r\n")

    assert answer(client)[0] == 400
    assert attempts(server) == []


def test_garbage_is_refused(server, connect):
    client = connect()
    client.sendall(bytes(range(256)) * 4)

    assert answer(client)[0] == 400
    assert attempts(server) == []


def test_pipelined_requests_are_answered_in_their_order(connect):
    client = connect()
    one = POST + b"Content-Length: %d\r\n\r\n" % len(CHARGE) + CHARGE
    client.sendall(one * 50)
    with client.makefile("rb") as stream:
        ids = []
        while len(ids) < 50:
            line = stream.readline()
            if line.startswith(b'  "id": "ch_'):
                ids.append(line)

    assert ids == sorted(set(ids))


def test_large_bodies_that_do_not_end_keep_no_small_one_waiting(connect):
    for _ in range(reading.AT_ONCE + 2):
        client = connect()
        client.sendall(POST + b"Content-Length: 1000000\r\n\r\n" + b"x" * 100_000)

    assert charge(connect())[0] == 200


def test_a_large_body_is_read_once_another_has_ended(connect):
    waiting = [connect() for _ in range(reading.AT_ONCE)]
    body = CHARGE + b"&description=" + b"x" * 2**20
    for client in waiting:
        client.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(body) + body[:-1])
    last = connect()
    last.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    waiting[0].sendall(body[-1:])

    assert answer(waiting[0])[0] == 200
    assert answer(last)[0] == 200
