"""A server that stops leaves nothing behind: no thread, no socket, no task, no held client."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fakestripe.faults.kinds import Barrier, Hang, Wait
from fakestripe.server.listener import Server


@pytest.mark.parametrize(
    "fault", [Hang(), Hang(60.0), Wait(60.0), Barrier(parties=99, timeout=60)]
)
def test_stopping_frees_every_client_that_a_fault_holds(served, fault) -> None:
    served.fault("claimed", fault)
    clients = [served.raw().send(idempotency_key=f"K{n}") for n in range(25)]
    served.until(lambda: [a.last_point for a in served.attempts] == ["claimed"] * len(clients))
    served.server.stop()

    assert {client.end() for client in clients} <= {"FIN", "RST"}
    assert not [t for t in threading.enumerate() if t.name == "fakestripe"]


def test_a_stopped_port_is_free_again() -> None:
    server = Server().start()
    number = int(server.url.rpartition(":")[2])
    server.stop()
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", number))


def test_a_port_that_is_taken_is_refused_at_start() -> None:
    with Server() as first:
        number = int(first.url.rpartition(":")[2])
        with pytest.raises(OSError, match="address already in use"):
            Server(port=number).start()


def test_stopping_twice_is_no_mistake() -> None:
    server = Server().start()
    server.stop()
    server.stop()


def test_who_asks_while_the_server_stops_is_answered() -> None:
    """What the loop does not come to any more is done by who asked."""
    for _ in range(20):
        server = Server().start()
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(lambda s=server: s.call(lambda: 7)) for _ in range(400)]
            server.stop()

            assert {each.result(timeout=20) for each in asked} == {7}


def test_a_name_of_several_addresses_is_served_at_all_of_them_on_one_number() -> None:
    families = {each[0] for each in socket.getaddrinfo("localhost", 0, type=socket.SOCK_STREAM)}
    with Server(host="localhost") as server:
        number = int(server.url.rpartition(":")[2])
        for family in families:
            with socket.socket(family) as client:
                client.connect(("::1" if family == socket.AF_INET6 else "127.0.0.1", number))


def test_a_name_that_is_none_is_refused_at_start() -> None:
    with pytest.raises(OSError, match=r"known|resolution|associated"):
        Server(host="no.such.host.invalid").start()
