"""The interceptor reads the key from the context that the caller filled before the first message.

Otherwise the structure of its unsafe twin; a message without a key in its context never leaves.
"""

import sys
import time

import billing
import httpx

REQUEST_CONTEXT: dict[str, str] = {}


def set_idempotency_key(message: httpx.Request) -> None:
    message.headers["Idempotency-Key"] = REQUEST_CONTEXT["idempotency-key"]


PROXY = httpx.Client(
    base_url=billing.BASE,
    timeout=billing.TIMEOUT,
    headers={"Authorization": f"Bearer {billing.SECRET}"},
    event_hooks={"request": [set_idempotency_key]},
)


def charge_customer() -> str | None:
    REQUEST_CONTEXT["idempotency-key"] = billing.stable_key()
    for attempt in range(billing.PATIENCE):
        try:
            response = PROXY.post("/v1/charges", data=billing.FORM)
            return billing.charge_id(response.status_code, response.headers, response.content)
        except billing.Refused:
            return None
        except (httpx.HTTPError, billing.Unsettled):
            time.sleep(billing.pause(attempt))
    return None


if __name__ == "__main__":
    sys.exit(billing.conclude(charge_customer()))
