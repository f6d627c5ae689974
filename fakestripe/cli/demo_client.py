"""The two clients of the demo: both charge order ord_1 and try again when no answer comes.

They differ in one thing: where the idempotency key is made. Nothing but the standard library, so
that the demo runs wherever fakestripe does.
"""

import http.client
import json
import os
import sys
import uuid
from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode, urlsplit

ATTEMPTS: Final = 3
TIMEOUT: Final = 2.0
OK: Final = 200


def charge(order: str, key: str) -> str:
    """Charge 20 dollars and return the charge's id."""
    server = urlsplit(os.environ["STRIPE_API_BASE"])
    connection = http.client.HTTPConnection(server.hostname or "", server.port, timeout=TIMEOUT)
    body = urlencode(
        {
            "amount": "2000",
            "currency": "usd",
            "source": "tok_visa",
            "metadata[order_id]": order,
        }
    )
    connection.request(
        "POST",
        "/v1/charges",
        body,
        {
            "Authorization": f"Bearer {os.environ['STRIPE_SECRET_KEY']}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Idempotency-Key": key,
        },
    )
    answer = connection.getresponse()
    charged = json.loads(answer.read())
    if answer.status != OK:
        raise ConnectionError(f"status {answer.status}")
    return str(charged["id"])


def unsafe(order: str) -> str | None:
    """Charge with a key for every attempt."""
    for _ in range(ATTEMPTS):
        try:
            return charge(order, key=str(uuid.uuid4()))
        except (OSError, http.client.HTTPException):
            continue
    return None


def safe(order: str) -> str | None:
    """Charge with one key for the order."""
    key = f"charge-{order}"
    for _ in range(ATTEMPTS):
        try:
            return charge(order, key=key)
        except (OSError, http.client.HTTPException):
            continue
    return None


CLIENTS: Final[dict[str, Callable[[str], str | None]]] = {"unsafe": unsafe, "safe": safe}

if __name__ == "__main__":
    sys.exit(0 if CLIENTS[sys.argv[1]]("ord_1") else 1)
