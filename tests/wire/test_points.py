"""Every fault at every point where it may strike: what arrives, byte for byte, and what is kept.

The table is walked against the one of legal pairs, so that a pair without a row is a failure. A
row says how the first client fares: which reply it gets (none, Stripe's own, or another), how its
connection ends, and what the server knows afterwards, the state of the key on a retry included.
"""

import json
import re
from typing import NamedTuple

import pytest

from fakestripe.faults.kinds import (
    LEGAL,
    AdvanceClock,
    Barrier,
    Close,
    ContentLength,
    Drip,
    ExpireKey,
    Fault,
    ForgetKey,
    Garble,
    Hang,
    LoseRecord,
    Reply,
    Resend,
    Reset,
    Swap,
    Truncate,
    Wait,
    tag,
)
from fakestripe.faults.wording import shown

NOTHING, WHOLE = b"", "whole"
ELSEWHERE = {
    *((name, "listen") for name in ("refuse", "blackhole")),
    *((name, "accept") for name in ("reset", "close", "hang", "wait")),
    *((name, "reading") for name in ("reset", "close", "hang")),
}
"""What has a table of its own: test_listen, test_accept and test_reading."""

GATEWAY = (
    b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
    b"<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n"
    b"</body>\r\n</html>\r\n"
)
FROM_NGINX = (
    b"HTTP/1.1 502 Bad Gateway\r\nServer: nginx\r\nDate: Xxx, 00 Xxx 0000 00:00:00 GMT\r\n"
    b"Content-Length: 150\r\nConnection: keep-alive\r\nContent-Type: text/html\r\n\r\n"
) + GATEWAY
HOUR = 3600.0


class Row(NamedTuple):
    """What one fault does at one point; ``struck`` is the attempt that it strikes."""

    at: str
    do: Fault
    arrives: str | bytes
    ended: str
    charges: int
    last_point: str
    outcome: str
    delivery: str
    retried: str
    struck: int = 1

    def __str__(self) -> str:
        return f"{self.at}: {shown(self.do)}"


LOST = ("lost", "none")
CUT = (1, "replying", "lost", "partial", "replay")
WELL = (WHOLE, "open", 1, "sent", "answered", "intact")
ROWS = (
    Row("received", Reset(), NOTHING, "RST", 0, "received", *LOST, "new"),
    Row("claimed", Reset(), NOTHING, "RST", 0, "claimed", *LOST, "new"),
    Row("committed", Reset(), NOTHING, "RST", 1, "committed", *LOST, "replay"),
    Row("sent", Reset(), WHOLE, "RST", 1, "sent", "answered", "intact", "replay"),
    Row("received", Close(), NOTHING, "FIN", 0, "received", *LOST, "new"),
    Row("claimed", Close(), NOTHING, "FIN", 0, "claimed", *LOST, "new"),
    Row("committed", Close(), NOTHING, "FIN", 1, "committed", *LOST, "replay"),
    Row("sent", Close(), WHOLE, "FIN", 1, "sent", "answered", "intact", "replay"),
    Row("received", Hang(), NOTHING, "open", 0, "received", *LOST, "new"),
    Row("claimed", Hang(), NOTHING, "open", 0, "claimed", *LOST, "in_flight"),
    Row("committed", Hang(), NOTHING, "open", 1, "committed", *LOST, "replay"),
    Row("received", Hang(0.01), NOTHING, "FIN", 0, "received", *LOST, "new"),
    Row("claimed", Hang(0.01), NOTHING, "FIN", 0, "claimed", *LOST, "new"),
    Row("committed", Hang(0.01), NOTHING, "FIN", 1, "committed", *LOST, "replay"),
    Row("received", Wait(0.01), *WELL, "replay"),
    Row("claimed", Wait(0.01), *WELL, "replay"),
    Row("committed", Wait(0.01), *WELL, "replay"),
    Row("received", Barrier(2, 0.01), *WELL, "replay"),
    Row("claimed", Barrier(2, 0.01), *WELL, "replay"),
    Row("committed", Barrier(2, 0.01), *WELL, "replay"),
    Row("received", Resend(), WHOLE, "open", 1, "received", *LOST, "replay"),
    Row("claimed", Resend(), WHOLE, "open", 1, "claimed", *LOST, "replay"),
    Row("committed", Resend(), WHOLE, "open", 1, "committed", *LOST, "replay"),
    Row("received", Reply(502), FROM_NGINX, "open", 0, "sent", "answered", "altered", "new"),
    Row("claimed", Reply(502), FROM_NGINX, "open", 0, "sent", "answered", "altered", "new"),
    Row("committed", Reply(502), FROM_NGINX, "open", 1, "sent", "answered", "altered", "replay"),
    Row("replying", Drip(700, 0.001), *WELL, "replay"),
    Row("replying", Garble(0.5), "garbled", *WELL[1:5], "altered", "replay"),
    Row("replying", Swap(), "swapped", *WELL[1:5], "altered", "replay"),
    Row("replying", ContentLength(1.5), "misframed", *WELL[1:5], "altered", "replay"),
    Row("replying", ContentLength(0.5), "misframed", *WELL[1:5], "altered", "replay"),
    Row("replying", ContentLength(9), "misframed", *WELL[1:5], "altered", "replay"),
    Row("received", AdvanceClock(HOUR), *WELL, "replay"),
    Row("received", AdvanceClock(25 * HOUR), *WELL, "replay"),
    Row("received", AdvanceClock(25 * HOUR), WHOLE, "open", 2, *WELL[3:], "replay", struck=2),
    Row("committed", AdvanceClock(HOUR), *WELL, "replay"),
    Row("committed", AdvanceClock(25 * HOUR), *WELL, "expired"),
    Row("received", ForgetKey(), *WELL, "replay"),
    Row("received", ForgetKey(), WHOLE, "open", 2, *WELL[3:], "replay", struck=2),
    Row("received", ExpireKey(), WHOLE, "open", 2, *WELL[3:], "replay", struck=2),
    Row("committed", LoseRecord(), *WELL, "new"),
)

ENDS = {"reset": "RST", "close": "FIN", "hang": "open"}
PARTS = ({"head": 20}, {"head": 0.5}, {"body": 0}, {"body": 100}, {"body": 1.0})
CUTS = tuple(
    Row("replying", Truncate(**part, framing=framing, then=then), "cut", ended, *CUT)
    for part in PARTS
    for framing in ("length", "chunked", "unframed")
    for then, ended in ENDS.items()
    if (part, framing) != ({"body": 1.0}, "length")  # which cuts nothing, and is refused
)

OTHER = b"amount=900&currency=usd&source=tok_visa&metadata[order_id]=ord_0"
DATE = "Xxx, 00 Xxx 0000 00:00:00 GMT"
HEAD = """\
HTTP/1.1 200 OK
Server: nginx
Date: Xxx, 00 Xxx 0000 00:00:00 GMT
Content-Type: application/json
{framing}Connection: {connection}
Access-Control-Allow-Credentials: true
Access-Control-Allow-Methods: GET, HEAD, PUT, PATCH, POST, DELETE
Access-Control-Allow-Origin: *
Access-Control-Expose-Headers: Request-Id, Stripe-Manage-Version, Stripe-Should-Retry, \
X-Stripe-External-Auth-Required, X-Stripe-Privileged-Session-Required
Access-Control-Max-Age: 300
Cache-Control: no-cache, no-store
Vary: Origin
Strict-Transport-Security: max-age=63072000; includeSubDomains; preload
X-Stripe-Routing-Context-Priority-Tier: api-testmode
X-Stripe-Priority-Routing-Enabled: true
Request-Id: {request}
Stripe-Version: 2026-10-28.endive
Idempotency-Key: K1
Original-Request: {original}
{replayed}Stripe-Should-Retry: false

"""


def dateless(data: bytes) -> bytes:
    return re.sub(rb"Date: [^\r]{29}", b"Date: " + DATE.encode(), data)


def head(data: bytes, framing: str, *, connection: str = "keep-alive", replayed: bool = False):
    """Return the head of the answer to K1, under the request ids that ``data`` names."""
    named = re.findall(r"(?:Request-Id|Original-Request): (\w+)", data.decode("latin-1"))
    request, original = named or ("req_00000000000000",) * 2
    assert (request != original) == replayed
    filled = HEAD.format(
        framing=framing,
        connection=connection,
        request=request,
        original=original,
        replayed="Idempotent-Replayed: true\n" if replayed else "",
    )
    return filled.replace("\n", "\r\n").encode()


def cut(fault: Truncate, data: bytes, own: bytes) -> bytes:
    """Return what of the answer arrives under a truncation."""
    framing = {
        "length": f"Content-Length: {len(own)}\n",
        "chunked": "Transfer-Encoding: chunked\n",
        "unframed": "",
    }[fault.framing]
    connection = "close" if fault.framing == "unframed" else "keep-alive"
    whole = head(data, framing, connection=connection)
    if fault.head is not None:
        return whole[: fault.head if isinstance(fault.head, int) else len(whole) // 2]
    chunk = f"{len(own):x}\r\n".encode() if fault.framing == "chunked" else b""
    return whole + chunk + own[: fault.body if isinstance(fault.body, int) else len(own)]


def due(row: Row, data: bytes, own: bytes, other: bytes) -> bytes:
    """Return what should arrive; ``own`` is the charge as a GET shows it, ``other`` another."""
    if isinstance(row.arrives, bytes):
        return row.arrives
    if row.arrives == "cut":
        return cut(row.do, data, own)
    body = {"garbled": own[: len(own) // 2], "swapped": other}.get(row.arrives, own)
    length = len(body)
    if isinstance(row.do, ContentLength):
        says = row.do.says
        length = int(length * says) if isinstance(says, float) else says
    again = (row.at, row.do) == ("committed", Resend())
    return head(data, f"Content-Length: {length}\n", replayed=again) + body


def heard(client, row: Row) -> tuple[bytes, str]:
    """Return what arrives and how the connection ends; one that stays open is used once more."""
    if row.ended != "open":
        ended = client.end()
        return dateless(client.data), ended
    if row.arrives in (NOTHING, "cut"):
        return silence(client, row)
    while not is_whole(client.data, row):
        client.data += client._some()
    data, client.data = dateless(client.data), b""
    assert json.loads(get(client, "/v1/charges"))["object"] == "list"
    return data, "open"


def silence(client, row: Row) -> tuple[bytes, str]:
    """Return what arrives before nothing more does; what is cut is sent at once."""
    client.socket.settimeout(0.1)
    ended = client.end()
    while row.arrives == "cut" and not client.data:
        ended = client.end()
    return dateless(client.data), ended


def is_whole(data: bytes, row: Row) -> bool:
    """Return whether all of a reply is there: the body of a charge ends as no part of it does."""
    start, _, body = data.partition(b"\r\n\r\n")
    if row.arrives != "garbled":
        return body.endswith((b"\n}", b"</html>\r\n"))
    return body != b"" and f"Content-Length: {len(body)}\r\n".encode() in start


def get(client, path: str) -> bytes:
    """Send a GET and return the body of its answer."""
    client.write(
        f"GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk_test_raw\r\n\r\n".encode()
    )
    status, _, body = client.answer()
    assert status == 200
    return body


def test_every_legal_pair_has_a_row():
    pairs = {(name, point) for name, points in LEGAL.items() for point in points}

    assert {(tag(row.do), row.at) for row in ROWS + CUTS} | ELSEWHERE == pairs


@pytest.mark.parametrize("row", ROWS + CUTS, ids=str)
def test_a_fault_at_a_point(served_both_ways, row):
    served = served_both_ways
    other = json.loads(served.raw().send(body=OTHER, idempotency_key="K0").answer()[2])["id"]
    served.fault(row.at, row.do, attempt=(row.struck,))
    for _ in range(1, row.struck):
        served.raw().send(idempotency_key="K1").answer()
    client = served.raw().send(idempotency_key="K1")
    data, ended = heard(client, row)
    charges = served.charges - 1
    status, _, body = served.raw().send(idempotency_key="K1").answer()
    *_, told, retried = (each for each in served.attempts if each.idempotency_key == "K1")
    client.close()
    served.until(lambda: served.attempts[row.struck].ended_s is not None)
    struck = served.attempts[row.struck]
    asked = served.raw()
    own = get(asked, f"/v1/charges/{told.charge}") if told.charge else b""

    assert due(row, data, own, get(asked, f"/v1/charges/{other}")) == data
    assert (row.ended, row.charges) == (ended, charges)
    assert struck.rules == ("test#0",)
    assert row[5:9] == (
        struck.last_point,
        struck.outcome,
        struck.delivery,
        retried.key_state,
    )
    assert status == (409 if row.retried == "in_flight" else 200)
    assert (body == own) == (row.retried == "replay")
