"""One port with two doors, in the clear and under TLS: the same accounts, the same faults."""

import socket
from contextlib import suppress

import pytest

from fakestripe.faults.kinds import Refuse, Reset
from fakestripe.faults.rules import EVERY, Profile, Rule, When
from fakestripe.server.listener import Server


@pytest.fixture(params=["asyncio", "uvloop"])
def doors(request, new_loops):
    """A server with a second door under TLS."""
    with Server(https_port=0, new_loop=new_loops[request.param]) as server:
        yield server


def use(server, *rules) -> None:
    server.call(lambda: server.port.accounts.use(Profile("doors", rules)))


def account(server):
    return server.port.accounts.named("shared")


def refused(url: str) -> bool:
    host, port = url.partition("://")[2].split(":")
    with suppress(ConnectionRefusedError), socket.create_connection((host, int(port)), 5):
        return False
    return True


def test_both_have_the_same_accounts_and_one_journal(doors, raw) -> None:
    plain, secure = raw(doors.url), raw(doors.https_url, doors.ca_file)
    first = plain.send(idempotency_key="K").answer()
    again = secure.send(idempotency_key="K").answer()
    journal = doors.call(lambda: list(account(doors).bank.journal.attempts))

    assert (doors.url[:7], doors.https_url[:8]) == ("http://", "https://")
    assert again[1]["idempotent-replayed"] == "true"
    assert again[2] == first[2]
    assert [(a.arrival, a.connection) for a in journal] == [(1, 1), (2, 2)]


def test_connections_are_counted_at_both_together(doors, raw) -> None:
    use(doors, Rule("second#0", "accept", (Reset(),), EVERY, When(nth=(2,))))
    first = raw(doors.url).send()
    second = raw(doors.https_url, doors.ca_file).send()

    assert first.answer()[0] == 200
    assert (second.end(), second.data) == ("RST", b"")
    assert raw(doors.https_url, doors.ca_file).send().answer()[0] == 200


def test_a_window_closes_both_and_is_told_once(doors, raw) -> None:
    use(doors, Rule("gone#0", "listen", (Refuse(60.0),), EVERY))
    closed = [refused(url) for url in (doors.url, doors.https_url)]
    use(doors)

    assert closed == [True, True]
    assert raw(doors.url).send().answer()[0] == 200
    assert raw(doors.https_url, doors.ca_file).send().answer()[0] == 200


def test_both_end_together(doors, raw) -> None:
    clients = [raw(doors.url).send(), raw(doors.https_url, doors.ca_file).send()]
    for client in clients:
        client.answer()
    doors.stop()

    assert [refused(url) for url in (doors.url, doors.https_url)] == [True, True]
    assert {client.end() for client in clients} <= {"FIN", "RST"}


def test_a_second_number_that_is_taken_frees_the_first() -> None:
    with Server() as other:
        taken = int(other.url.rpartition(":")[2])
        wanted = Server(https_port=taken)
        with pytest.raises(OSError, match=f":{taken}: address already in use"):
            wanted.start()

    assert wanted.url == ""
