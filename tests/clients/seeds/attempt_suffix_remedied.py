"""The key carries no attempt; the audit log has a header of its own.

Otherwise the structure of its unsafe twin: a handler dispatched to a worker, and a retry loop.
"""

import sys
import time

import billing
import requests
from exchange import Exchange

SESSION = requests.Session()


def handle(exchange: Exchange) -> str | None:
    if exchange.in_io_thread:
        exchange.dispatch(handle)
        return None
    base_key = billing.stable_key()
    for attempt in range(billing.PATIENCE):
        try:
            response = SESSION.post(
                billing.URL,
                data=billing.FORM,
                headers={**billing.headers(base_key), "X-Attempt": str(attempt)},
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
