"""A handler in the client's chain makes the key, and a retry decorator stands around the service.

Neither file shows the other: the decorator enters the method again, the method calls the client
again, and the client runs its handlers again.
"""

import sys
import uuid

import billing
import requests
from retrying import retry


class IdempotencyHandler(requests.auth.AuthBase):
    """Called for each outbound message."""

    def __call__(self, message: requests.PreparedRequest) -> requests.PreparedRequest:
        message.headers["Idempotency-Key"] = str(uuid.uuid4())
        message.headers["Authorization"] = f"Bearer {billing.SECRET}"
        return message


PORT = requests.Session()
PORT.auth = IdempotencyHandler()


@retry(on=(requests.RequestException,), attempts=billing.ATTEMPTS, pause=lambda _: billing.DELAY)
def charge_customer() -> str:
    response = PORT.post(billing.URL, data=billing.FORM, timeout=billing.TIMEOUT)
    response.raise_for_status()
    return str(response.json()["id"])


if __name__ == "__main__":
    try:
        charge_customer()
    except requests.RequestException:
        sys.exit(1)
