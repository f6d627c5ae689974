"""Under TLS every fault does to TCP what it does without: seen below TLS, on the plain socket."""

import socket

import pytest

from fakestripe.faults.kinds import Close, Hang, Reset, Truncate
from fakestripe.faults.rules import Match, Profile, Rule


def test_a_charge_is_answered(served_both_ways) -> None:
    status, _, body = served_both_ways.raw().send().answer()

    assert (status, b'"status": "succeeded"' in body) == (200, True)


@pytest.mark.parametrize(("fault", "ended"), [(Reset(), "RST"), (Close(), "FIN")])
@pytest.mark.parametrize("at", ["received", "claimed", "committed"])
def test_a_fault_ends_the_connection_without_a_goodbye(served_both_ways, fault, ended, at) -> None:
    served_both_ways.fault(at, fault)
    client = served_both_ways.raw().send()

    assert (client.end(), client.data, client.goodbye) == (ended, b"", False)
    assert served_both_ways.charges == (at == "committed")


def test_a_client_that_leaves_is_noticed(served_both_ways) -> None:
    served_both_ways.fault("committed", Hang())
    served_both_ways.raw().send().socket.close()

    served_both_ways.until(
        lambda: [a.left_s is None for a in served_both_ways.attempts] == [False]
    )
    assert [a.outcome for a in served_both_ways.attempts] == ["lost"]


def test_a_part_arrives_to_its_last_byte_however_slowly_it_goes(served_both_ways) -> None:
    """The queues of both kernels hold less than a hundredth of it."""
    served_both_ways.server.call(lambda: served_both_ways.account.settle(100))
    listed = {"method": "GET", "path": "/v1/customers"}
    cut = Rule("cut#0", "replying", (Truncate(body=60_000, then="reset"),), Match(**listed))
    client = served_both_ways.raw()
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.send().answer()
    served_both_ways.server.call(lambda: narrow(served_both_ways))
    served_both_ways.server.port.accounts.use(Profile("cut", (cut,)))
    client.write(
        b"GET /v1/customers?limit=100 HTTP/1.1\r\nhost: x\r\n"
        b"authorization: Bearer sk_test_raw\r\n\r\n"
    )

    assert client.end() == "RST"
    assert len(client.data.partition(b"\r\n\r\n")[2]) == 60_000


def narrow(served) -> None:
    """Let the server's kernel take only a little at a time."""
    for transport in served.server.port.connections._seen:
        narrowed = transport.get_extra_info("socket")
        narrowed.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
