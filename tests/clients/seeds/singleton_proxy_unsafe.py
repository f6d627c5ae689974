"""One proxy is held as a singleton, so its handler chain looks like something that ran once.

The chain is set up once and runs for every call of the proxy: the retry decorator calls it again.
"""

import functools
import http.client
import sys
import urllib.error
import urllib.request
import uuid

import billing
from retrying import retry

FAILED = (OSError, http.client.HTTPException)


class IdempotencyHandler(urllib.request.BaseHandler):
    """A link of the chain that each request passes."""

    def http_request(self, message: urllib.request.Request) -> urllib.request.Request:
        message.add_header("Idempotency-Key", str(uuid.uuid4()))
        message.add_header("Authorization", f"Bearer {billing.SECRET}")
        return message


@functools.cache
def stripe_port() -> urllib.request.OpenerDirector:
    """Return the one proxy of this process."""
    return urllib.request.build_opener(IdempotencyHandler())


@retry(on=FAILED, attempts=billing.ATTEMPTS, pause=lambda _: billing.DELAY)
def charge_customer() -> bytes:
    with stripe_port().open(billing.URL, billing.BODY.encode(), billing.TIMEOUT) as response:
        return bytes(response.read())


if __name__ == "__main__":
    try:
        charge_customer()
    except FAILED:
        sys.exit(1)
