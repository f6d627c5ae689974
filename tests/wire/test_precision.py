"""Two hundred of two hundred: whatever a recipe promises arrives every time, to the last byte.

The connections are made sixteen at a time, so that endings meet each other.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from fakestripe.faults.kinds import Close, Reset, Truncate
from fakestripe.faults.rules import EVERY, Profile, Rule

ROUNDS, AT_ONCE = 200, 16
ENDS = {Reset(): "RST", Close(): "FIN"}
CUTS = {"reset": "RST", "close": "FIN"}
LARGE = "&".join(f"metadata[m{number}]={'x' * 500}" for number in range(40))
"""Twenty kilobytes: a page of fifty such charges is more than a megabyte."""


def all_seen(served, send):
    """Return the different ways in which so many connections ended, and how often each."""

    def one(number):
        client = send(served.raw(), number)
        ended = client.end()
        client.close()
        start, _, body = client.data.partition(b"\r\n\r\n")
        return ended, len(start) if body == b"" else "head", len(body)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        seen = list(pool.map(one, range(ROUNDS)))
    return {each: seen.count(each) for each in seen}


def post(client, number):
    return client.send(idempotency_key=f"K{number}")


def page(client, _):
    lines = "host: x\r\nauthorization: Bearer sk_test_raw\r\n"
    return client.write(f"GET /v1/charges?limit=50 HTTP/1.1\r\n{lines}\r\n".encode())


@pytest.mark.parametrize("fault", ENDS)
@pytest.mark.parametrize(("point", "kept"), [("received", 0), ("claimed", 0), ("committed", 1)])
def test_an_ending_with_no_byte_of_an_answer(served_both_ways, point, fault, kept):
    served_both_ways.fault(point, fault)

    assert all_seen(served_both_ways, post) == {(ENDS[fault], 0, 0): ROUNDS}
    assert served_both_ways.charges == kept * ROUNDS


@pytest.mark.parametrize("fault", ENDS)
def test_an_ending_before_anything_is_read(served_both_ways, fault):
    served = served_both_ways
    edge = Profile("edge", (Rule("edge#0", "accept", (fault,), EVERY),))
    served.server.call(lambda: served.server.port.accounts.use(edge))

    assert all_seen(served, post) == {(ENDS[fault], 0, 0): ROUNDS}
    assert served.attempts == []


@pytest.mark.parametrize("then", CUTS)
def test_a_cut_inside_the_head(served_both_ways, then):
    served_both_ways.fault("replying", Truncate(head=20, then=then))

    assert all_seen(served_both_ways, post) == {(CUTS[then], 20, 0): ROUNDS}


@pytest.mark.parametrize("then", CUTS)
def test_a_cut_inside_the_body(served_both_ways, then):
    served_both_ways.fault("replying", Truncate(body=100, then=then))

    assert all_seen(served_both_ways, post) == {(CUTS[then], "head", 100): ROUNDS}
    assert served_both_ways.charges == ROUNDS


@pytest.mark.parametrize("then", CUTS)
def test_the_last_byte_of_a_megabyte(served_both_ways, then):
    served = served_both_ways
    client = served.raw()
    for number in range(50):
        body = f"amount={900 + number}&currency=usd&source=tok_visa&{LARGE}".encode()
        assert client.send(body=body).answer()[0] == 200
    whole = len(page(client, 0).answer()[2])
    assert whole > 2**20

    cut = Rule("cut#0", "replying", (Truncate(body=whole - 1, then=then),), EVERY)
    served.server.call(lambda: served.account.use(Profile("cut", (cut,))))
    assert all_seen(served, page) == {(CUTS[then], "head", whole - 1): ROUNDS}


@pytest.mark.parametrize("fault", ENDS)
def test_an_idle_connection_ends_after_the_whole_answer(served_both_ways, fault):
    served_both_ways.fault("sent", fault)
    whole = len(served_both_ways.raw().send(idempotency_key="K").answer()[2])

    seen = all_seen(served_both_ways, lambda client, _: client.send(idempotency_key="K"))
    assert seen == {(ENDS[fault], "head", whole): ROUNDS}
