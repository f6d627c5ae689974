"""Replies cut by share: what the head promises, and what of it arrives.

Each cut at exact bytes is a row in test_points, and its two hundred are in test_precision.
"""

import pytest

from fakestripe.faults.kinds import Truncate


def test_a_fraction_of_the_body_with_the_whole_length_promised(served) -> None:
    served.fault("replying", Truncate(body=0.5))
    client = served.raw()
    client.send().end()
    head, _, body = client.data.partition(b"\r\n\r\n")

    promised = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    assert len(body) == promised // 2
    assert served.charges == 1


def test_a_chunk_is_announced_whole_and_never_ended(served) -> None:
    served.fault("replying", Truncate(body=10, framing="chunked"))
    client = served.raw()
    client.send().end()
    announced, _, chunk = client.data.partition(b"\r\n\r\n")[2].partition(b"\r\n")

    assert int(announced, 16) > 3000
    assert chunk == b'{\n  "id": '


def test_a_cut_body_that_then_hangs_ends_with_the_client(served) -> None:
    served.fault("replying", Truncate(body=10, then="hang"))
    client = served.raw(timeout=0.3)

    assert client.send().end() == "open"
    client.close()
    served.until(lambda: served.attempts[0].ended_s is not None)
    assert served.attempts[0].delivery == "partial"
    assert served.attempts[0].left_s is not None


@pytest.mark.parametrize("then", ["close", "reset"])
def test_what_cuts_nothing_lost_nothing(served_both_ways, then):
    """More bytes than there are: the client has its answer, and then the connection ends."""
    served = served_both_ways
    served.fault("replying", Truncate(body=10**6, then=then))
    client = served.raw().send()

    assert client.answer()[0] == 200
    assert client.end() == {"close": "FIN", "reset": "RST"}[then]
    served.until(lambda: served.attempts[0].ended_s is not None)
    first = served.attempts[0]
    assert (first.outcome, first.delivery, first.last_point) == ("answered", "intact", "sent")
