"""The port as a proxy in Stripe's place: who is served, who is refused, and in which words."""

import http.client
import socket
import ssl

import pytest

from fakestripe.faults.kinds import Wait
from fakestripe.faults.rules import EVERY, Profile, Rule
from fakestripe.server.listener import Server

ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
HEALTH = b"GET /_fakestripe/health HTTP/1.1\r\nhost: x\r\n\r\n"
OTHER = "fakestripe opens no tunnel to {0}: --allow {1} opens it"
STRIPES = (
    "fakestripe never opens a tunnel to {0}: of stripe.com it answers api.stripe.com, at 443 and "
    "80, in Stripe's place, and nothing else is reached"
)
FETCHED = (
    "fakestripe fetches nothing: pypi.org:80 was asked for in the clear, and only CONNECT is "
    "tunnelled (--allow pypi.org); add pypi.org to NO_PROXY, or unset HTTP_PROXY"
)
REFUSED = {
    "pypi.org:443": OTHER.format("pypi.org:443", "pypi.org"),
    "PyPI.org.:443": OTHER.format("pypi.org:443", "pypi.org"),
    "pypi.org:8443": OTHER.format("pypi.org:8443", "pypi.org:8443"),
    "[2001:DB8::1]:443": OTHER.format("[2001:db8::1]:443", "[2001:db8::1]:443"),
    "192.0.2.1:443": OTHER.format("192.0.2.1:443", "192.0.2.1"),
    "files.stripe.com:443": STRIPES.format("files.stripe.com:443"),
    "stripe.com:443": STRIPES.format("stripe.com:443"),
    "CONNECT.Stripe.COM.:443": STRIPES.format("connect.stripe.com:443"),
    "api.stripe.com:8443": STRIPES.format("api.stripe.com:8443"),
    "notstripe.com:443": OTHER.format("notstripe.com:443", "notstripe.com"),
    "stripe.com.example.org:443": OTHER.format(
        "stripe.com.example.org:443", "stripe.com.example.org"
    ),
}
GARBAGE = {
    "": "'' has no port: write HOST:PORT",
    "api.stripe.com": "'api.stripe.com' has no port: write HOST:PORT",
    "api.stripe.com:0": "'api.stripe.com:0' is not HOST:PORT",
    "api.stripe.com:99999": "'api.stripe.com:99999' is not HOST:PORT",
    "api.stripe.com:https": "'api.stripe.com:https' is not HOST:PORT",
    "api..stripe.com:443": "'api..stripe.com:443' names no host",
    "api%2Estripe.com:443": "'api%2Estripe.com:443' names no host",
    "user@api.stripe.com:443": "'user@api.stripe.com:443' names no host",
    "3221225985:443": "'3221225985:443': write the address as four decimal numbers",
    "0xc0.0.2.1:443": "'0xc0.0.2.1:443': write the address as four decimal numbers",
    "[::1:443": "'[::1:443' is not HOST:PORT",
    "::1:443": "'::1:443' is not HOST:PORT",
    "[1.2.3.4]:443": "'[1.2.3.4]:443' names no host",
    ":443": "':443' names no host",
}


@pytest.fixture(params=["asyncio", "uvloop"])
def proxy(request, new_loops):
    """A server that is a proxy."""
    with Server(intercept=True, new_loop=new_loops[request.param]) as server:
        yield server


@pytest.fixture
def connected(proxy):
    """Open plain connections to the proxy, closed at the end."""
    opened = []

    def connect(said=b""):
        host, port = proxy.url.removeprefix("http://").split(":")
        opened.append(socket.create_connection((host, int(port)), 5))
        opened[-1].sendall(said)
        return opened[-1]

    yield connect
    for each in opened:
        each.close()


def asking(target: str) -> bytes:
    return f"CONNECT {target} HTTP/1.1\r\nhost: {target}\r\n\r\n".encode()


def greeting(proxy, name="api.stripe.com"):
    """Return a client of TLS in memory, with what it reads and writes, and its greeting."""
    come, go = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context(cafile=proxy.ca_file)
    client = context.wrap_bio(come, go, server_hostname=name)
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return client, come, go


def through(client: socket.socket) -> http.client.HTTPResponse:
    """Read one answer."""
    answer = http.client.HTTPResponse(client)
    answer.begin()
    return answer


def shaken(client, proxy, name="api.stripe.com"):
    context = ssl.create_default_context(cafile=proxy.ca_file)
    return context.wrap_socket(client, server_hostname=name)


@pytest.mark.parametrize("target", REFUSED)
def test_who_is_not_served_is_told_what_would_open_it(connected, target) -> None:
    """The reason phrase says it too: most clients show nothing else."""
    answer = through(connected(asking(target)))

    assert (answer.status, answer.reason) == (403, REFUSED[target])
    assert answer.read().decode() == f"{REFUSED[target]}\n"


@pytest.mark.parametrize("target", GARBAGE)
def test_what_names_no_host_is_told_and_ends_the_connection(connected, target) -> None:
    client = connected(asking(target))
    answer = through(client)

    assert (answer.status, answer.reason) == (400, GARBAGE[target])
    assert (answer.read().decode(), client.recv(1)) == (f"{GARBAGE[target]}\n", b"")


def test_a_name_that_is_not_ascii_is_no_name_here(connected) -> None:
    """The system's look-up would make another one of it."""
    answer = through(connected("CONNECT api。stripe。com:443 HTTP/1.1\r\n\r\n".encode()))

    assert answer.status == 400


def test_a_head_without_end_is_refused(connected) -> None:
    client = connected(b"CONNECT api.stripe.com:443 HTTP/1.1\r\n" + b"x: y\r\n" * 3000)
    answer = through(client)

    assert (answer.status, answer.reason) == (431, "the head of a CONNECT has 16384 bytes at most")


def test_a_refused_client_may_ask_again_on_the_same_connection(proxy, connected) -> None:
    client = connected(asking("pypi.org:443"))
    through(client).read()
    client.sendall(asking("api.stripe.com:443"))

    assert client.recv(len(ESTABLISHED)) == ESTABLISHED
    inside = shaken(client, proxy)
    inside.sendall(HEALTH)
    assert through(inside).status == 200
    inside.close()


def test_bytes_behind_a_connect_are_the_tunnels(proxy, connected) -> None:
    client, come, go = greeting(proxy)
    sock = connected(asking("api.stripe.com:443") + go.read())

    assert sock.recv(len(ESTABLISHED)) == ESTABLISHED
    come.write(sock.recv(65536))
    client.do_handshake()
    client.write(HEALTH)
    sock.sendall(go.read())
    while True:
        try:
            said = client.read(65536)
        except ssl.SSLWantReadError:
            come.write(sock.recv(65536))
        else:
            break
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_connect_may_come_byte_by_byte(connected) -> None:
    client = connected()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in asking("api.stripe.com:443"):
        client.sendall(bytes((byte,)))

    assert client.recv(len(ESTABLISHED)) == ESTABLISHED


@pytest.mark.parametrize("begun", [b"", b"C", b"CONNE", b"CONNECT api.stripe.com:443 HTT"])
def test_a_client_that_ends_before_it_has_asked_is_ended(connected, begun) -> None:
    client = connected(begun)
    client.shutdown(socket.SHUT_WR)

    assert client.recv(65536)[:12] in (b"", b"HTTP/1.0 400", b"HTTP/1.1 400")


def test_a_connect_on_a_connection_that_was_used_is_served(proxy, connected) -> None:
    client = connected(HEALTH)
    through(client).read()
    client.sendall(asking("api.stripe.com:443"))

    assert client.recv(len(ESTABLISHED)) == ESTABLISHED
    inside = shaken(client, proxy)
    inside.sendall(HEALTH)
    assert through(inside).status == 200
    inside.close()


def test_bytes_behind_a_late_connect_are_refused(proxy, connected) -> None:
    """They were read as if they were a request."""
    client = connected(HEALTH)
    through(client).read()
    client.sendall(asking("api.stripe.com:443") + greeting(proxy)[2].read())
    answer = through(client)

    assert (answer.status, answer.reason) == (
        400,
        "wait for the answer to CONNECT before sending more",
    )


def test_a_connect_within_a_tunnel_is_refused(proxy, connected) -> None:
    client = connected(asking("api.stripe.com:443"))
    client.recv(len(ESTABLISHED))
    inside = shaken(client, proxy)
    inside.sendall(asking("api.stripe.com:443"))
    answer = through(inside)

    assert (answer.status, answer.reason) == (
        400,
        "a CONNECT comes in the clear: HTTPS_PROXY is an http:// URL",
    )
    inside.close()


def test_a_client_that_never_greets_keeps_nobody_waiting(connected) -> None:
    idle = connected(asking("api.stripe.com:443"))
    idle.recv(len(ESTABLISHED))
    silent = connected()

    assert through(connected(HEALTH)).status == 200
    assert (idle.fileno(), silent.fileno()) != (-1, -1)


def test_who_greets_without_a_connect_is_answered_under_tls(proxy, connected) -> None:
    """A name or a hook leads here who knows of no proxy."""
    inside = shaken(connected(), proxy)
    inside.sendall(HEALTH)

    assert through(inside).status == 200
    inside.close()


def test_a_connect_to_port_80_is_plain(connected) -> None:
    client = connected(asking("api.stripe.com:80"))
    client.recv(len(ESTABLISHED))
    client.sendall(HEALTH)

    assert through(client).status == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_who_tunnels_to_the_server_itself_is_served(proxy, connected, host) -> None:
    client = connected(asking(f"{host}:{proxy.url.rpartition(':')[2]}"))
    client.recv(len(ESTABLISHED))
    client.sendall(HEALTH)

    assert through(client).status == 200


def whole(url: str) -> bytes:
    return f"GET {url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk_test_raw\r\n\r\n".encode()


def test_whole_urls_of_stripe_and_of_the_server_are_served(proxy, connected) -> None:
    urls = (
        "http://api.stripe.com/v1/balance",
        "http://API.stripe.com:80/v1/balance?",
        "https://api.stripe.com/v1/balance",
        f"{proxy.url}/_fakestripe/health",
        f"{proxy.url.replace('127.0.0.1', 'localhost')}/v1/balance",
    )

    assert [through(connected(whole(url))).status for url in urls] == [200] * len(urls)


def test_whole_urls_of_others_are_refused(proxy, connected) -> None:
    answers = [
        through(connected(whole(url)))
        for url in ("http://pypi.org/simple", "http://files.stripe.com/v1", "http://a b/")
    ]

    assert [(answer.status, answer.reason) for answer in answers[:2]] == [
        (
            403,
            FETCHED,
        ),
        (403, STRIPES.format("files.stripe.com:80")),
    ]
    assert answers[2].status == 400
    assert list(proxy.refused) == ["pypi.org:80", "files.stripe.com:80"]


def test_a_tunnel_is_one_connection_whose_requests_are_counted(proxy, raw) -> None:
    client = raw(proxy.url, proxy.ca_file, tunnel=True)
    numbers = [client.send(idempotency_key=f"K{n}").answer()[0] for n in range(3)]
    attempts = proxy.call(lambda: list(proxy.port.accounts.named("shared").bank.journal.attempts))

    assert numbers == [200] * 3
    assert [(a.connection, a.request_on_connection) for a in attempts] == [(1, 1), (1, 2), (1, 3)]


def test_a_further_port_is_a_proxy_too(proxy, raw) -> None:
    """Its Stripe is another, with charges of its own."""
    client = raw(proxy.url)
    client.write(b"POST /_fakestripe/ports HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n")
    opened = client.answer()[2]
    url = opened.decode().partition('"url": "')[2].partition('"')[0]
    raw(url, proxy.ca_file, tunnel=True).send().answer()

    assert proxy.call(lambda: len(proxy.port.accounts.named("shared").bank.journal.attempts)) == 0


def test_a_silent_connection_that_a_rule_has_delayed_delays_no_verdict(proxy, connected) -> None:
    """Nothing of it can move money before it says something."""
    rule = Rule("late#0", "accept", (Wait(0.001),), EVERY)
    proxy.call(lambda: proxy.port.accounts.use(Profile("late", (rule,))))
    clients = [connected(), connected(asking("api.stripe.com:443"))]
    assert clients[1].recv(len(ESTABLISHED)) == ESTABLISHED
    while proxy.call(lambda: proxy.port.entering):
        pass

    assert proxy.call(proxy.port.quiet) is True
