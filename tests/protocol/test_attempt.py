"""The line of the journal: it survives the file, whatever the parameters were named."""

import pytest

from fakestripe.protocol.attempt import Moved, from_line, opened, to_line
from fakestripe.protocol.request import Request


def attempt(body: bytes = b"amount=2000"):
    headers = {"user-agent": "a\udce9", "idempotency-key": " K1 "}
    sent = Request("POST", "/v1/charges", "", headers, body, 5, 2, "d1")
    return opened(sent, arrival=7, account="acct_1", at=1000.5, step="create")


def test_an_attempt_opens_with_all_that_is_known_of_the_request():
    opening = attempt()

    assert (opening.arrival, opening.account, opening.at) == (7, "acct_1", 1000.5)
    assert (opening.connection, opening.request_on_connection, opening.digest) == (5, 2, "d1")
    assert (opening.method, opening.path, opening.form) == ("POST", "/v1/charges", b"amount=2000")
    assert (opening.idempotency_key, opening.user_agent) == ("K1", "aé")
    assert (opening.step, opening.moves, opening.outcome) == ("create", True, None)


@pytest.mark.parametrize(
    "body",
    [
        b"amount=2000&metadata[order.id]=a.b&metadata[x]=%00",
        b"a[0][b]=1&a[0][c]=2&d[]=3",
        b"a%5B=1&=2&a.b=3",
        b"",
    ],
)
def test_a_line_keeps_the_parameters_as_they_were(body):
    line = to_line(attempt(body))

    assert "form" not in line
    assert line["parameters"] == attempt(body).parameters
    assert from_line(line).parameters == attempt(body).parameters


def test_a_body_that_cannot_be_read_has_no_parameters():
    assert attempt(b"a=\xff").parameters == {}


def test_what_moved_is_part_of_the_line():
    moved = attempt()
    moved.moved = Moved(kind="charge", id="ch_1", amount=2000, currency="usd", charge="ch_1")
    again = from_line({**to_line(moved), "kind": "attempt"})

    assert again.moved == moved.moved
    assert to_line(again) == to_line(moved)
