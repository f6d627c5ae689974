"""Requests broken off while their body is on the way: nothing is executed, nothing answered.

A client that is told the moment (it sends so much, and waits) sees the same ending every time.
One that is still sending sees a race of its bytes with the server's: what is asserted of it is
that nothing of its request was ever executed.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from fakestripe.faults.kinds import Close, Hang, Reset
from fakestripe.faults.rules import EVERY, POSTS, Match, Profile, Rule, When
from fakestripe.server.listener import Server

SMALL = b"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_1"
LARGE = SMALL + b"&padding=" + b"x" * 3 * 2**20
GONE = {"RST", "FIN"}
ENDS = {Reset: "RST", Close: "FIN", Hang: "open"}
PARTS = [(0, 0), (None, 0), (20, 20), (0.5, 32), (1.0, 65)]
"""What a profile asks for, and so many bytes of the small body."""


def interrupt(served, fault, match=POSTS, **when):
    rule = Rule("p#0", "reading", (fault,), match, When(**when))
    served.server.call(lambda: served.account.use(Profile("p", (rule,))))


def head(size, more="", method="POST"):
    return (
        f"{method} /v1/charges HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk_test_raw\r\n"
        f"content-type: application/x-www-form-urlencoded\r\nidempotency-key: K1\r\n"
        f"content-length: {size}\r\n{more}\r\n"
    ).encode()


def ended(served):
    """Return the first attempt, once its exchange has ended."""
    served.until(lambda: bool(served.attempts) and served.attempts[0].ended_s is not None)
    return served.attempts[0]


@pytest.mark.parametrize("kind", ENDS)
@pytest.mark.parametrize(("part", "size"), PARTS, ids=str)
def test_it_ends_once_so_much_of_the_body_has_come(served_both_ways, kind, part, size):
    served = served_both_ways
    interrupt(served, kind(body=part), nth=(1,))
    client = served.raw().write(head(len(SMALL)) + SMALL[:size])
    client.socket.settimeout(0.1 if kind is Hang else 5.0)

    assert (client.end(), client.data) == (ENDS[kind], b"")
    client.close()
    first = ended(served)
    assert (first.last_point, first.outcome, first.delivery) == ("reading", "lost", "none")
    assert (first.rules, first.key_state, first.status) == (("p#0",), "absent", None)
    assert first.step == ("create" if size == len(SMALL) else None)
    assert served.charges == 0
    assert served.raw().send(idempotency_key="K1").answer()[0] == 200
    assert served.attempts[1].key_state == "new"
    assert served.charges == 1


@pytest.mark.parametrize("kind", [Reset, Close])
def test_before_so_much_has_come_it_only_waits(served, kind):
    interrupt(served, kind(body=0.5))
    client = served.raw(0.1).write(head(len(SMALL)) + SMALL[:31])

    assert client.end() == "open"
    client.write(SMALL[31:32])
    client.socket.settimeout(5)
    assert (client.end(), client.data) == (ENDS[kind], b"")


@pytest.mark.parametrize("kind", ENDS)
@pytest.mark.parametrize("part", [None, 0.5, 1.0])
def test_half_of_three_megabytes(served_both_ways, kind, part):
    served = served_both_ways
    interrupt(served, kind(body=part), nth=(1,))
    client = served.raw().write(head(len(LARGE)) + LARGE[: int(len(LARGE) * (part or 0))])
    client.socket.settimeout(0.1 if kind is Hang else 5.0)

    assert (client.end(), client.data) == (ENDS[kind], b"")
    client.close()
    assert ended(served).last_point == "reading"
    assert served.charges == 0
    assert served.raw().send(idempotency_key="K1").answer()[0] == 200


@pytest.mark.parametrize("kind", [Reset, Close])
@pytest.mark.parametrize("part", [None, 0.5, 1.0])
def test_a_client_that_is_still_sending_is_never_answered(served_both_ways, kind, part):
    served = served_both_ways
    interrupt(served, kind(body=part))
    client = served.raw().write(head(len(LARGE)) + LARGE)

    assert client.end() in GONE
    assert client.data == b""
    assert ended(served).last_point == "reading"
    assert served.charges == 0


@pytest.mark.parametrize("kind", [Reset, Close])
def test_two_hundred_of_two_hundred_end_as_named(served_both_ways, kind):
    served = served_both_ways
    interrupt(served, kind(body=0.5))

    def one(_):
        client = served.raw().write(head(len(SMALL)) + SMALL[:32])
        seen = client.end(), client.data
        client.close()
        return seen

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(one, range(200))) == [(ENDS[kind], b"")] * 200
    assert served.charges == 0


def test_a_body_that_waits_to_be_asked_for_is_not_asked_for(served_both_ways):
    served = served_both_ways
    interrupt(served, Reset())
    client = served.raw().write(head(len(SMALL), "expect: 100-continue\r\n"))

    assert (client.end(), client.data) == ("RST", b"")
    assert served.charges == 0


def test_a_body_is_asked_for_where_some_of_it_is_to_come(served_both_ways):
    served = served_both_ways
    interrupt(served, Reset(body=20))
    client = served.raw().write(head(len(SMALL), "expect: 100-continue\r\n"))
    while not client.data:
        client.data += client._some()
    client.write(SMALL[:20])

    assert client.end() == "RST"
    assert client.data == b"HTTP/1.1 100 Continue\r\n\r\n"


def test_a_get_has_no_body_to_wait_for(served_both_ways):
    served = served_both_ways
    interrupt(served, Reset(body=0.5), Match(method="GET"))
    client = served.raw().write(head(0, method="GET"))

    assert (client.end(), client.data) == ("RST", b"")
    first = ended(served)
    assert (first.method, first.last_point, first.outcome) == ("GET", "reading", "lost")
    assert served.raw().send().answer()[0] == 200


def test_a_chunked_body_has_no_half_that_could_be_known(served):
    """Nobody knows how long it will be: a share of it is none of it, a number of bytes counts."""
    chunked = b"POST /v1/charges HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    interrupt(served, Reset(body=0.5))
    assert served.raw().write(chunked).end() == "RST"

    interrupt(served, Reset(body=4))
    client = served.raw(0.1).write(chunked + b"3\r\namo\r\n")
    assert client.end() == "open"
    client.write(b"3\r\nunt\r\n")
    client.socket.settimeout(5)
    assert client.end() == "RST"


def test_a_hang_that_has_a_length_ends_with_a_fin(served_both_ways):
    served = served_both_ways
    interrupt(served, Hang(0.01, body=20))
    client = served.raw().write(head(len(SMALL)) + SMALL[:20])

    assert (client.end(), client.data) == ("FIN", b"")
    assert ended(served).left_s is None


def test_a_client_that_leaves_before_so_much_has_come_was_still_interrupted(served_both_ways):
    served = served_both_ways
    interrupt(served, Hang(body=1.0))
    served.raw().write(head(len(SMALL)) + SMALL[:20]).close()

    first = ended(served)
    assert (first.last_point, first.outcome, first.form) == ("reading", "lost", b"")
    assert first.left_s is not None
    assert served.charges == 0


@pytest.mark.parametrize(
    ("match", "struck"),
    [
        (Match(path="/v1/charges"), True),
        (Match(path="/v1/refunds"), False),
        (Match(headers={"X-Run": "7*"}), True),
        (Match(headers={"X-Run": "8"}), False),
        (Match(idempotency_key="K?"), True),
        (Match(idempotency_key="absent"), False),
        (Match(account="sk_test_*"), False),
        (EVERY, True),
    ],
)
def test_who_is_interrupted_is_known_by_the_head_alone(served, match, struck):
    interrupt(served, Reset(), match)
    client = served.raw().send(idempotency_key="K1", x_run="77")

    assert client.end() == "RST" if struck else client.answer()[0] == 200


def test_only_the_second_request_on_a_connection(served_both_ways):
    served = served_both_ways
    interrupt(served, Close(), request_on_connection=2)
    client = served.raw().send(idempotency_key="K1")
    assert client.answer()[0] == 200

    assert (client.send(idempotency_key="K2").end(), client.data) == ("FIN", b"")
    assert served.charges == 1


def test_the_first_request_of_a_server_is_interrupted_too(raw):
    """The profile of ``serve --profile`` is there before any account is."""
    server = Server(shared=False, mode="serve")
    server.port.accounts.use(Profile("p", (Rule("p#0", "reading", (Reset(),), POSTS),)))
    with server:
        assert raw(server.url).send().end() == "RST"


def test_who_comes_second_to_a_rule_that_strikes_once_is_answered(served_both_ways):
    """Both are on their way when the rule is chosen; the other's half a body makes it strike."""
    served = served_both_ways
    interrupt(served, Reset(body=0.5), times=1)
    struck, spared = (served.raw().write(head(len(SMALL)) + SMALL[:20]) for _ in range(2))
    seen = served.server.port.connections
    served.until(lambda: served.server.call(lambda: seen._opened) == 2)
    struck.write(SMALL[20:])
    assert struck.end() == "RST"

    assert spared.write(SMALL[20:]).answer()[0] == 200
    assert [(a.outcome, a.rules) for a in served.attempts] == [
        ("lost", ("p#0",)),
        ("answered", ()),
    ]
    assert served.charges == 1
