"""The key is made in an outer method that is not retried, and handed into the retried one.

Otherwise the structure of its unsafe twin; the handler reads the key of the message's context.
"""

import sys

import billing
import requests
from retrying import retry

UNSETTLED = (requests.RequestException, billing.Unsettled)


class IdempotencyHandler(requests.auth.AuthBase):
    """Called for each outbound message."""

    def __init__(self, idempotency_key: str) -> None:
        self.idempotency_key = idempotency_key

    def __call__(self, message: requests.PreparedRequest) -> requests.PreparedRequest:
        message.headers["Idempotency-Key"] = self.idempotency_key
        message.headers["Authorization"] = f"Bearer {billing.SECRET}"
        return message


PORT = requests.Session()


def charge_customer() -> str | None:
    handler = IdempotencyHandler(billing.stable_key())
    try:
        return charge_with_retry(handler)
    except (billing.Refused, *UNSETTLED):
        return None


@retry(on=UNSETTLED, attempts=billing.PATIENCE, pause=billing.pause)
def charge_with_retry(handler: IdempotencyHandler) -> str:
    response = PORT.post(billing.URL, data=billing.FORM, timeout=billing.TIMEOUT, auth=handler)
    return billing.charge_id(response.status_code, response.headers, response.content)


if __name__ == "__main__":
    sys.exit(billing.conclude(charge_customer()))
