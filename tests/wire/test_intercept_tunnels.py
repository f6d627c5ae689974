"""Tunnels to other hosts: every byte that was sent, both ways, and the end that TCP gave them."""

import asyncio
import socket
import ssl
import struct
import threading
from pathlib import Path

import pytest
import trustme
from far import Far

from fakestripe.server.intercept.hosts import HostError, Hosts, target_of
from fakestripe.server.listener import Server

ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
HEALTH = b"GET /_fakestripe/health HTTP/1.1\r\nhost: x\r\n\r\n"
MANY = 100
MEGABYTES = 4
OPENED = {
    "example.com": ("example.com:443", "example.com:80", "EXAMPLE.com.:443"),
    "example.com:8443": ("example.com:8443",),
    "*.example.com": ("a.example.com:443", "a.b.example.com:80"),
    "*.example.com:8443": ("a.example.com:8443",),
    "*": ("example.com:443", "localhost:80"),
    "*:8443": ("example.com:8443",),
    "192.0.2.1": ("192.0.2.1:443",),
    "[2001:db8::1]:443": ("[2001:DB8:0::1]:443",),
}
CLOSED = {
    "example.com": ("example.com:8443", "a.example.com:443", "notexample.com:443"),
    "example.com:8443": ("example.com:443",),
    "*.example.com": ("example.com:443", "notexample.com:443", "a.example.com:22"),
    "*": ("192.0.2.1:443", "[2001:db8::1]:443", "api.stripe.com:8443", "files.stripe.com:443"),
    "192.0.2.1": ("192.0.2.2:443",),
}
NEVER = (
    "api.stripe.com",
    "files.stripe.com:443",
    "*.stripe.com",
    "stripe.com",
    "*.API.stripe.com.",
)


@pytest.fixture
def far():
    """A host that says back what it hears."""
    host = Far()
    yield host
    host.close()


@pytest.fixture
def silent():
    """A host that says nothing."""
    host = Far(silent=True)
    yield host
    host.close()


@pytest.fixture(params=["asyncio", "uvloop"])
def proxy(request, new_loops):
    """A proxy that tunnels to ports of this machine, and what is open before it starts."""
    new_loops["uvloop"]().close()
    server = Server(intercept=True, allow=["127.0.0.1:1"], new_loop=new_loops[request.param])
    yield server
    server.stop()


@pytest.fixture
def opened(proxy):
    """Open tunnels to a port of this machine."""
    clients = []

    def tunnel(port: int) -> socket.socket:
        if not proxy.url:
            proxy._hosts = Hosts.allowing([f"127.0.0.1:{port}", "127.0.0.1:1"])
            proxy.start()
        host, number = proxy.url.removeprefix("http://").split(":")
        clients.append(socket.create_connection((host, int(number)), 20))
        clients[-1].sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
        return clients[-1]

    yield tunnel
    for client in clients:
        client.close()


def exactly(client: socket.socket, count: int) -> bytes:
    said = b""
    while len(said) < count:
        piece = client.recv(count - len(said))
        assert piece, "it ended early"
        said += piece
    return said


def established(client: socket.socket) -> socket.socket:
    assert exactly(client, len(ESTABLISHED)) == ESTABLISHED
    return client


@pytest.mark.parametrize("pattern", OPENED)
def test_what_is_allowed_is_opened(pattern) -> None:
    hosts = Hosts.allowing([pattern])

    assert [hosts.refusal(target_of(text)) for text in OPENED[pattern]] == [None] * len(
        OPENED[pattern]
    )


@pytest.mark.parametrize("pattern", CLOSED)
def test_what_is_not_allowed_stays_closed(pattern) -> None:
    hosts = Hosts.allowing([pattern])

    assert None not in [hosts.refusal(target_of(text)) for text in CLOSED[pattern]]


@pytest.mark.parametrize("pattern", NEVER)
def test_nothing_of_stripe_can_be_allowed(pattern) -> None:
    with pytest.raises(HostError, match="nothing ever tunnels to stripe"):
        Hosts.allowing([pattern])


def test_megabytes_go_both_ways_and_end_as_they_were_ended(far, opened) -> None:
    client = established(opened(far.port))
    data = bytes(range(256)) * 4096 * MEGABYTES
    sending = threading.Thread(target=lambda: (client.sendall(data), client.shutdown(1)))
    sending.start()
    said = exactly(client, len(data))
    sending.join()

    assert (said == data, client.recv(1)) == (True, b"")


def test_a_host_under_tls_is_reached_and_not_read(opened) -> None:
    authority = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("pypi.org").configure_cert(context)
    host = Far(context)
    theirs = ssl.create_default_context()
    authority.configure_trust(theirs)
    inside = theirs.wrap_socket(established(opened(host.port)), server_hostname="pypi.org")
    inside.sendall(b"said")

    assert exactly(inside, 4) == b"said"
    inside.close()
    host.close()


@pytest.mark.parametrize("name", ["api.stripe.com", "FILES.stripe.com"])
def test_a_greeting_to_stripe_is_not_sent_to_an_address(far, opened, name) -> None:
    """Whoever allowed an address cannot have meant that one."""
    client = established(opened(far.port))
    come, go = ssl.MemoryBIO(), ssl.MemoryBIO()
    greeter = ssl.create_default_context().wrap_bio(come, go, server_hostname=name)
    with pytest.raises(ssl.SSLWantReadError):
        greeter.do_handshake()
    greeting = go.read()
    client.sendall(greeting[:7])
    client.sendall(greeting[7:])

    with pytest.raises(ConnectionResetError):
        client.recv(1)
    assert far.heard == b""


def test_a_reset_beyond_is_a_reset_here(silent, opened) -> None:
    client = established(opened(silent.port))
    while not silent.taken:
        pass
    silent.taken[0].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    silent.taken[0].close()

    with pytest.raises(ConnectionResetError):
        client.recv(1)


def test_a_host_that_takes_no_connection_is_a_502(far, opened) -> None:
    established(opened(far.port))
    said = opened(1).makefile("rb").read().decode()

    assert said.partition("\r\n")[0] == (
        "HTTP/1.1 502 127.0.0.1:1 cannot be reached: Connection refused"
    )


def test_a_hundred_tunnels_at_once(far, opened) -> None:
    clients = [opened(far.port) for _ in range(MANY)]
    said = [f"{number}:".encode() * 4_000 for number in range(MANY)]
    for client, data in zip(clients, said, strict=True):
        established(client).sendall(data)

    assert [exactly(*pair) for pair in zip(clients, map(len, said), strict=True)] == said


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("stage", ["silent", "asking", "established", "tunnelled"])
def test_a_hundred_of_them_leave_nothing_when_the_server_stops(
    silent, opened, proxy, stage
) -> None:
    before = descriptors()
    opened(silent.port)
    host, number = proxy.url.removeprefix("http://").split(":")
    said = {
        "silent": b"",
        "asking": b"CONNECT api.str",
        "established": b"CONNECT api.stripe.com:443 HTTP/1.1\r\n\r\n",
        "tunnelled": f"CONNECT 127.0.0.1:{silent.port} HTTP/1.1\r\n\r\n".encode(),
    }[stage]
    clients = [socket.create_connection((host, int(number)), 20) for _ in range(MANY)]
    for client in clients:
        client.sendall(said)
    if stage in {"established", "tunnelled"}:
        for client in clients:
            established(client)
    loop = proxy._loop
    proxy.stop()
    for client in (*clients, *silent.taken):
        client.close()

    assert [t.name for t in threading.enumerate() if t.name == "fakestripe"] == []
    assert (asyncio.all_tasks(loop), loop.is_closed()) == (set(), True)
    assert descriptors() == before + 1  # the first client's own end
