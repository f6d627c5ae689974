"""The one payment that every program of this folder makes, and how an answer to it reads.

It never decides where a key is made or what is tried again: that is what the programs differ in.
``charge_id``, ``pause`` and ``conclude`` are the part of a remedy that all remedied twins share:
an answer that settles nothing is asked for again with the same key, and what is still open in
the end is looked up in Stripe's own list.
"""

import hashlib
import http.client
import io
import json
import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

CUSTOMER = "cus_seeds"
PERIOD = "2026-11"
FORM = {
    "amount": "4900",
    "currency": "usd",
    "customer": CUSTOMER,
    "metadata[billing_period]": PERIOD,
}
BODY = urlencode(FORM)

BASE = os.environ["STRIPE_API_BASE"]
SECRET = os.environ["STRIPE_API_KEY"]
HOST, PORT = urlsplit(BASE).hostname or "", urlsplit(BASE).port or 80
URL = f"{BASE}/v1/charges"

TIMEOUT = 1.0
"""Seconds without an answer after which a program calls an attempt failed."""
ATTEMPTS, DELAY = 3, 0.1
"""How often, and after how many seconds, a careless program tries again."""
PATIENCE = 12
"""How often a careful one tries: with its pauses, longer than a charge stays in flight."""

OK, SERVER_ERROR = 200, 500
PASSING = frozenset({408, 409, 429})


class Unsettled(Exception):  # noqa: N818  # no error: the question is open
    """The answer does not say whether the customer was charged: ask again with the same key."""


class Refused(Exception):  # noqa: N818  # no error of ours: Stripe's last word under this key
    """The same key would bring the same answer again."""


def headers(key: str) -> dict[str, str]:
    """Return the headers of a charge."""
    return {
        "Authorization": f"Bearer {SECRET}",
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": key,
    }


def raw_request(key: str) -> bytes:
    """Return a charge as bytes for a connection that is used once."""
    framing = {"Host": f"{HOST}:{PORT}", "Connection": "close", "Content-Length": len(BODY)}
    fields = {**framing, **headers(key)}.items()
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"POST /v1/charges HTTP/1.1\r\n{lines}\r\n{BODY}".encode()


def raw_answer(received: bytes) -> tuple[int, Mapping[str, str], bytes]:
    """Return status, headers and body of a whole answer; raises ``HTTPException`` for a part."""
    response = http.client.HTTPResponse(_Received(received), method="POST")  # type: ignore[arg-type]
    response.begin()
    return response.status, response.headers, response.read()


class _Received:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, *_: Any) -> io.BytesIO:
        return io.BytesIO(self._data)


def stable_key() -> str:
    """Return the key of this payment: the same for every attempt, process and day."""
    return hashlib.sha256(f"{CUSTOMER}:{PERIOD}:billing".encode()).hexdigest()[:32]


def charge_id(status: int, answered: Mapping[str, str], body: bytes) -> str:
    """Return the charge that an answer names, or raise what the answer leaves to be done."""
    if status == OK:
        return _payment_in(body)
    final = answered.get("Stripe-Should-Retry") == "false"
    if not final and (status >= SERVER_ERROR or status in PASSING):
        raise Unsettled(status)
    raise Refused(status)


def _payment_in(body: bytes) -> str:
    """Return the charge of this payment in a charge or a list; a wrong body settles nothing."""
    try:
        answer = json.loads(body)
        for charge in answer.get("data", [answer]):
            named = (charge["customer"], charge["metadata"].get("billing_period"))
            if named == (CUSTOMER, PERIOD) and charge["status"] == "succeeded":
                return str(charge["id"])
    except (AttributeError, KeyError, TypeError, ValueError) as unreadable:
        raise Unsettled(body) from unreadable
    raise Unsettled(body)


def pause(attempt: int) -> float:
    """Return how many seconds a careful program waits after its nth attempt, from 0."""
    return min(0.1 * 2**attempt, 1.0)


def conclude(charge: str | None) -> int:
    """Return the exit status: 0 if the payment was made, as told or as Stripe's list shows it."""
    for _ in range(ATTEMPTS):
        if charge is not None:
            return 0
        charge = _looked_up()
    return 1


def _looked_up() -> str | None:
    connection = http.client.HTTPConnection(HOST, PORT, timeout=TIMEOUT)
    path = f"/v1/charges?customer={CUSTOMER}&limit=100"
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {SECRET}"})
        return _payment_in(connection.getresponse().read())
    except (OSError, http.client.HTTPException, Unsettled):
        return None
    finally:
        connection.close()
