"""The singleton's chain reads the key from the message, where the caller put it before any retry.

Otherwise the structure of its unsafe twin: one proxy, its handler chain, a retry decorator.
"""

import functools
import http.client
import sys
import urllib.error
import urllib.request

import billing
from retrying import retry

FAILED = (OSError, http.client.HTTPException, billing.Unsettled)


class AuthHandler(urllib.request.BaseHandler):
    """A link of the chain: what may differ in each message is set here, the key may not."""

    def http_request(self, message: urllib.request.Request) -> urllib.request.Request:
        if not message.has_header("Idempotency-key"):
            raise billing.Refused("a message without a key never leaves")
        message.add_header("Authorization", f"Bearer {billing.SECRET}")
        return message


class AnswerHandler(urllib.request.HTTPErrorProcessor):
    """A link of the chain: an error status is an answer to be read, not an exception."""

    def http_response(self, request: urllib.request.Request, response: object) -> object:
        return response


@functools.cache
def stripe_port() -> urllib.request.OpenerDirector:
    """Return the one proxy of this process."""
    return urllib.request.build_opener(AuthHandler(), AnswerHandler())


def charge_customer() -> str | None:
    idempotency_key = billing.stable_key()
    try:
        return charge_with_retry(idempotency_key)
    except (billing.Refused, *FAILED):
        return None


@retry(on=FAILED, attempts=billing.PATIENCE, pause=billing.pause)
def charge_with_retry(idempotency_key: str) -> str:
    headers = billing.headers(idempotency_key)
    message = urllib.request.Request(billing.URL, billing.BODY.encode(), headers)
    with stripe_port().open(message, timeout=billing.TIMEOUT) as response:
        return billing.charge_id(response.status, response.headers, response.read())


if __name__ == "__main__":
    sys.exit(billing.conclude(charge_customer()))
