"""Replies cut at exact bytes: what was promised arrives to the last byte, and nothing more."""

import pytest

from fakestripe.faults.kinds import Truncate

ROUNDS = 200


@pytest.mark.parametrize("then", ["close", "reset"])
def test_partial_bodies_arrive_to_the_last_promised_byte(served, then) -> None:
    served.fault("replying", Truncate(body=100, then=then))
    seen = []
    for _ in range(ROUNDS):
        client = served.raw()
        ended = client.send().end()
        seen.append((ended, len(client.data.partition(b"\r\n\r\n")[2])))
        client.close()

    assert [({"close": "FIN", "reset": "RST"}[then], 100)] * ROUNDS == seen


def test_a_fraction_of_the_body_with_the_whole_length_promised(served) -> None:
    served.fault("replying", Truncate(body=0.5))
    client = served.raw()
    client.send().end()
    head, _, body = client.data.partition(b"\r\n\r\n")

    promised = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    assert len(body) == promised // 2
    assert served.charges == 1


def test_a_cut_inside_the_head(served) -> None:
    served.fault("replying", Truncate(head=20))
    client = served.raw()

    assert client.send().end() == "FIN"
    assert client.data == b"HTTP/1.1 200 OK\r\nSer"


def test_headers_alone(served) -> None:
    served.fault("replying", Truncate(body=0))
    client = served.raw()
    client.send().end()

    assert client.data.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("framing", "line"),
    [("chunked", b"transfer-encoding: chunked"), ("unframed", None)],
)
def test_other_framings_are_cut_too(served, framing, line) -> None:
    served.fault("replying", Truncate(body=10, framing=framing))
    client = served.raw()
    client.send().end()
    head, _, body = client.data.partition(b"\r\n\r\n")

    assert b"content-length" not in head.lower()
    assert line is None or line in head.lower()
    assert body.endswith(b'{\n  "id": '[:10])


def test_a_cut_body_that_then_hangs_ends_with_the_client(served) -> None:
    served.fault("replying", Truncate(body=10, then="hang"))
    client = served.raw(timeout=0.3)

    assert client.send().end() == "open"
    client.close()
    served.until(lambda: served.attempts[0].ended_s is not None)
    assert served.attempts[0].delivery == "partial"
