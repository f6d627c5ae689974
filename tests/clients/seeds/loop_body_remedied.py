"""The key is attached to the exchange before the dispatch; the loop only reads it.

Otherwise the structure of its unsafe twin: a handler dispatched to a worker, and a retry loop.
"""

import sys
import time

import billing
import requests
from exchange import Exchange

SESSION = requests.Session()
KEY = "idempotency-key"


def handle(exchange: Exchange) -> str | None:
    if exchange.in_io_thread:
        exchange.attachments[KEY] = billing.stable_key()
        exchange.dispatch(handle)
        return None
    for attempt in range(billing.PATIENCE):
        try:
            response = SESSION.post(
                billing.URL,
                data=billing.FORM,
                headers=billing.headers(exchange.attachments[KEY]),
                timeout=billing.TIMEOUT,
            )
            return billing.charge_id(response.status_code, response.headers, response.content)
        except billing.Refused:
            return None
        except (requests.RequestException, billing.Unsettled):
            time.sleep(billing.pause(attempt))
    return None


if __name__ == "__main__":
    call = Exchange()
    handle(call)
    sys.exit(billing.conclude(call.answer.result()))
