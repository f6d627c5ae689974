"""A charge under a given key, tried until it is settled: what both replica jobs call.

The jobs differ in who may call this and with which key, so here is nothing careless.
"""

import time

import billing
import requests


def charge(idempotency_key: str) -> str | None:
    """Return the charge, or None if it is refused or still unsettled in the end."""
    for attempt in range(billing.PATIENCE):
        try:
            response = requests.post(
                billing.URL,
                data=billing.FORM,
                headers=billing.headers(idempotency_key),
                timeout=billing.TIMEOUT,
            )
            return billing.charge_id(response.status_code, response.headers, response.content)
        except billing.Refused:
            return None
        except (requests.RequestException, billing.Unsettled):
            time.sleep(billing.pause(attempt))
    return None
