"""A billing job as the seeds warn of: it charges every customer, under a new key per attempt.

``batch.py FROM TO [TRIES]`` charges the customers that CUSTOMERS lists from the FROM-th to the
TO-th. What is refused or lost is tried again, with a new key each time, and then it goes on with
the next one: nothing in here ever stops.
"""

import contextlib
import http.client
import os
import sys
import uuid
from pathlib import Path
from urllib.parse import urlencode, urlsplit

BASE = urlsplit(os.environ["STRIPE_API_BASE"])
HEADERS = {
    "Authorization": f"Bearer {os.environ['STRIPE_API_KEY']}",
    "Content-Type": "application/x-www-form-urlencoded",
}


def post(connection: http.client.HTTPConnection, form: dict[str, str]) -> int:
    """Send one charge under a key of its own; 0 where no answer came."""
    try:
        connection.request(
            "POST",
            "/v1/charges",
            urlencode(form),
            {**HEADERS, "Idempotency-Key": uuid.uuid4().hex},
        )
        with contextlib.closing(connection.getresponse()) as answer:
            answer.read()
            return answer.status
    except (OSError, http.client.HTTPException):
        connection.close()
        return 0


def main() -> None:
    begin, end, *rest = map(int, sys.argv[1:])
    customers = Path(os.environ["CUSTOMERS"]).read_text("utf-8").split()
    connection = http.client.HTTPConnection(BASE.hostname or "", BASE.port or 80)
    for customer in customers[begin:end]:
        form = {"amount": "2000", "currency": "usd", "customer": customer}
        for _ in range(rest[0] if rest else 1):
            if post(connection, form) == http.client.OK:
                break
    connection.close()


if __name__ == "__main__":
    main()
