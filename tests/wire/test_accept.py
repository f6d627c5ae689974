"""Faults that strike a connection before anything of it is read, its TLS handshake included."""

import pytest

from fakestripe.faults.kinds import Close, Hang, Reset, Wait
from fakestripe.faults.rules import EVERY, Profile, Rule, When
from fakestripe.server.control.home import settle


def rule(*do, number=0, **when) -> Rule:
    return Rule(f"edge#{number}", "accept", do, EVERY, When(**(when or {"nth": (1,)})))


@pytest.fixture
def edge(served_both_ways):
    """A served account whose first connection meets some faults, if nothing else is said."""

    def use(*do, **when):
        rules = (rule(*do, **when),)
        served = served_both_ways
        served.server.call(lambda: served.server.port.accounts.use(Profile("edge", rules)))
        return served

    return use


def lines(served) -> list[dict]:
    found = served.server.call(lambda: list(served.account.bank.journal.events))
    return [line for line in found if line["kind"] == "connection"]


@pytest.mark.parametrize(("fault", "ended"), [(Reset(), "RST"), (Close(), "FIN")])
def test_the_first_connection_ends_and_the_second_is_served(edge, fault, ended) -> None:
    served = edge(fault)
    first = served.raw().send()

    assert (first.end(), first.data) == (ended, b"")
    assert served.raw().send().answer()[0] == 200
    assert [(a.connection, a.request_on_connection) for a in served.attempts] == [(2, 1)]


@pytest.mark.parametrize(("fault", "ended"), [(Reset(), "RST"), (Close(), "FIN")])
def test_a_client_that_sends_nothing_is_struck_too(edge, fault, ended) -> None:
    assert edge(fault).raw().end() == ended


def test_what_was_sent_before_a_fin_makes_no_reset_of_it(edge) -> None:
    """A socket that is closed over unread bytes would send a RST."""
    served = edge(Close())
    first = served.raw()
    first.socket.sendall(b"POST /v1/charges HTTP/1.1\r\n" * 1000)

    assert first.end() == "FIN"


def test_a_hang_ends_with_a_fin_at_its_length(edge) -> None:
    served = edge(Hang(0.05))
    first = served.raw().send()

    assert (first.end(), first.data) == ("FIN", b"")
    assert [line["client_left"] for line in lines(served)] == [False]


def test_a_hang_without_a_length_ends_when_the_client_leaves(edge) -> None:
    served = edge(Hang())
    first = served.raw(0.05)
    first.socket.sendall(b"POST /v1/charges HTTP/1.1\r\n")

    assert first.end() == "open"
    first.close()
    served.until(lambda: [line["client_left"] for line in lines(served)] == [True])


def test_a_wait_is_served_afterwards_on_the_connection_that_was_counted(edge) -> None:
    served = edge(Wait(0.05))
    first, second = served.raw(), served.raw()
    assert second.send().answer()[0] == 200
    assert first.send().answer()[0] == 200

    assert [a.connection for a in served.attempts] == [2, 1]
    assert [line["connection"] for line in lines(served)] == [1]


def test_faults_of_a_list_strike_in_their_order(edge) -> None:
    served = edge(Wait(0.02), Reset())

    assert served.raw().send().end() == "RST"
    assert [line["faults"] for line in lines(served)] == [["wait 20ms", "reset"]]


def test_connections_are_counted_and_a_rule_strikes_so_many_times(edge) -> None:
    served = edge(Close(), times=2)
    ended = [served.raw().send().end() for _ in range(2)]

    assert ended == ["FIN", "FIN"]
    assert served.raw().send().answer()[0] == 200


def test_several_may_be_named(edge) -> None:
    served = edge(Close(), nth=(1, 3))
    ends = [served.raw().send() for _ in range(3)]

    assert [ends[0].end(), ends[1].answer()[0], ends[2].end()] == ["FIN", 200, "FIN"]


def test_the_journal_knows_what_struck(edge) -> None:
    served = edge(Close())
    served.raw().send().end()
    (line,) = lines(served)

    assert {name: line[name] for name in line if name != "elapsed_s"} == {
        "kind": "connection",
        "connection": 1,
        "point": "accept",
        "rule": "edge#0",
        "faults": ["close"],
        "client_left": False,
    }
    assert served.account.bank.fired == {"edge#0": 1}


def test_a_profile_counts_connections_anew(edge) -> None:
    served = edge(Close())
    served.raw().send().end()
    edge(Close())

    assert served.raw().send().end() == "FIN"


def test_a_connection_that_was_there_before_lives_on(edge) -> None:
    served = edge(Close(), nth=(2,))
    before = served.raw().send()
    before.answer()
    edge(Close())

    assert served.raw().send().end() == "FIN"
    assert before.send().answer()[0] == 200


def test_stopping_ends_whoever_is_held(edge) -> None:
    served = edge(Hang(), Reset(), times=99)
    clients = [served.raw().send() if not served.secure else served.raw() for _ in range(20)]
    served.until(lambda: len(lines(served)) == len(clients))
    served.server.stop()

    assert {client.end() for client in clients} <= {"FIN", "RST"}


def test_a_verdict_waits_for_what_waits_at_the_door_though_its_client_has_left(edge) -> None:
    """What it sent is read, and charged, after it has gone: plain, for TLS needs both ends."""
    served = edge(Wait(0.1))
    client = served.raw()
    if served.secure:
        client.close()
    else:
        client.send().close()
    settle(served.server, served.server.port)

    assert served.charges == (0 if served.secure else 1)
    assert [line["client_left"] for line in lines(served)] == [True]


def test_a_connection_without_a_request_leaves_its_number_to_nobody(edge) -> None:
    """The next one from the same address of the client is another.

    No other program has connections from that address, one of which could keep its port.
    """
    served = edge(Wait(0.001))
    first = served.raw(source=("127.0.0.2", 0))
    address = first.socket.getsockname()
    served.until(lambda: len(lines(served)) == 1)
    first.reset()
    served.raw(source=address).send().answer()

    assert [a.connection for a in served.attempts] == [2]
