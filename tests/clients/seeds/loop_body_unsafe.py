"""The handler is dispatched to a worker, and its retry loop makes the key in the loop body.

Right while there was one attempt; with a loop around it, each iteration is a new key.
"""

import sys
import uuid

import billing
import requests
from exchange import Exchange

SESSION = requests.Session()


def handle(exchange: Exchange) -> bool:
    if exchange.in_io_thread:
        exchange.dispatch(handle)
        return False
    for _ in range(billing.ATTEMPTS):
        idempotency_key = str(uuid.uuid4())
        try:
            response = SESSION.post(
                billing.URL,
                data=billing.FORM,
                headers=billing.headers(idempotency_key),
                timeout=billing.TIMEOUT,
            )
        except requests.RequestException:
            continue
        if response.status_code < billing.SERVER_ERROR:
            return response.status_code == billing.OK
    return False


if __name__ == "__main__":
    call = Exchange()
    handle(call)
    sys.exit(not call.answer.result())
