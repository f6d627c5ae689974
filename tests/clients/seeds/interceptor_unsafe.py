"""An interceptor sets the key on each message that leaves, and a retry loop sends another.

One message is one request, not one payment: the retry runs the interceptor again.
"""

import sys
import time
import uuid

import billing
import httpx


def set_idempotency_key(message: httpx.Request) -> None:
    message.headers["Idempotency-Key"] = str(uuid.uuid4())


PROXY = httpx.Client(
    base_url=billing.BASE,
    timeout=billing.TIMEOUT,
    headers={"Authorization": f"Bearer {billing.SECRET}"},
    event_hooks={"request": [set_idempotency_key]},
)


def charge_customer() -> bool:
    for attempt in range(billing.ATTEMPTS):
        try:
            response = PROXY.post("/v1/charges", data=billing.FORM)
        except httpx.HTTPError:
            time.sleep(billing.DELAY * attempt)
            continue
        if response.status_code < billing.SERVER_ERROR:
            return response.status_code == billing.OK
    return False


if __name__ == "__main__":
    sys.exit(not charge_customer())
