"""The head of a reply, byte by byte (stripe-facts 2.1)."""

import pytest

from fakestripe.protocol.reply import REASONS, Reply

DATE = "Sun, 02 Aug 2026 21:23:31 GMT"
LENGTH = "Content-Length: 2\r\n"


def head(reply: Reply, *, keep_alive: bool = True) -> str:
    return reply.head(date=DATE, keep_alive=keep_alive, framing=LENGTH).decode()


def names(reply: Reply) -> list[str]:
    return [line.partition(":")[0] for line in head(reply).split("\r\n")[1:] if line]


def test_stripes_answers_carry_its_constant_headers():
    reply = Reply(200, b"{}", (("Request-Id", "req_1"),))

    assert head(reply) == (
        "HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Sun, 02 Aug 2026 21:23:31 GMT\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: keep-alive\r\n"
        "Access-Control-Allow-Credentials: true\r\n"
        "Access-Control-Allow-Methods: GET, HEAD, PUT, PATCH, POST, DELETE\r\n"
        "Access-Control-Allow-Origin: *\r\n"
        "Access-Control-Expose-Headers: Request-Id, Stripe-Manage-Version, Stripe-Should-Retry, "
        "X-Stripe-External-Auth-Required, X-Stripe-Privileged-Session-Required\r\n"
        "Access-Control-Max-Age: 300\r\nCache-Control: no-cache, no-store\r\nVary: Origin\r\n"
        "Strict-Transport-Security: max-age=63072000; includeSubDomains; preload\r\n"
        "X-Stripe-Routing-Context-Priority-Tier: api-testmode\r\n"
        "X-Stripe-Priority-Routing-Enabled: true\r\nRequest-Id: req_1\r\n\r\n"
    )


def test_an_answer_from_in_front_carries_them_too():
    reply = Reply(401, b"{}", origin="front")

    assert names(reply) == names(Reply(200, b"{}"))


def test_a_gateway_carries_its_own_and_its_own_content_type():
    page = Reply(502, b"hi", (("Content-type", "text/html"),), origin="edge")

    assert names(page) == ["Server", "Date", "Content-Length", "Connection", "Content-type"]
    assert head(page).startswith("HTTP/1.1 502 Bad Gateway\r\n")
    assert "Content-Type: application/json" in head(Reply(200, b"", origin="edge"))


def test_a_connection_may_be_closed_and_a_status_unknown():
    assert "Connection: close\r\n" in head(Reply(200, b""), keep_alive=False)
    assert head(Reply(299, b"")).startswith("HTTP/1.1 299 Unknown\r\n")
    assert REASONS[402] == "Payment Required"


@pytest.mark.parametrize(
    "value", ["K1\r\nSet-Cookie: a=b", "K1\nSet-Cookie: a=b", "K1\rSet-Cookie: a=b"]
)
def test_no_value_can_begin_another_header(value):
    reply = Reply(200, b"", (("Idempotency-Key", value), ("Request-Id", "req_1")))

    assert head(reply).endswith("Idempotency-Key: K1 Set-Cookie: a=b\r\nRequest-Id: req_1\r\n\r\n")


def test_lines_that_are_written_already_stand_before_the_headers():
    reply = Reply(200, b"", (("Retry-After", "1"),), lines="Request-Id: req_1\r\n")

    assert head(reply).endswith("\r\nRequest-Id: req_1\r\nRetry-After: 1\r\n\r\n")


def test_a_value_beyond_ascii_is_sent_as_utf_8():
    reply = Reply(200, b"", (("Idempotency-Key", "ord-é"),))

    assert b"Idempotency-Key: ord-\xc3\xa9\r\n" in reply.head(
        date=DATE, keep_alive=True, framing=LENGTH
    )


@pytest.mark.parametrize(
    ("ids", "charge"), [((), None), (("re_1",), None), (("pi_1", "ch_1", "ch_2"), "ch_1")]
)
def test_the_charge_of_a_reply_is_the_first_it_names(ids, charge):
    assert Reply(200, b"", ids=ids).charge == charge
