"""stripe-python in module style, with the library's own defaults, on any of its transports.

``--again`` is an application that calls it once more if it fails.
"""

import asyncio
import sys
from argparse import Namespace

import aiohttp  # noqa: F401  # what stripe imports when it is asked to is imported once
import anyio  # noqa: F401
import httpx  # noqa: F401
import purchase
import stripe

SYNC = {
    "requests": stripe.RequestsClient,
    "urllib": stripe.UrllibClient,
    "pycurl": stripe.PycurlClient,
}
ASYNC = {"httpx": stripe.HTTPXClient, "aiohttp": stripe.AIOHTTPClient}
TAKES_TIMEOUT = {"requests", "httpx", "aiohttp"}


def client_of(asked: Namespace) -> stripe.HTTPClient:
    timeout = {"timeout": asked.timeout} if asked.transport in TAKES_TIMEOUT else {}
    return {**SYNC, **ASYNC}[asked.transport](**timeout)


async def create_async(asked: Namespace, client: stripe.HTTPClient, **options: str) -> str:
    try:
        if asked.reused:
            await stripe.Charge.list_async(limit=1)
        return (await stripe.Charge.create_async(**purchase.PARAMETERS, **options)).id
    finally:
        await client.close_async()


def charge(base: str, asked: Namespace) -> str:
    stripe.api_base, stripe.api_key = base, purchase.KEY
    stripe.ca_bundle_path = purchase.authority() or stripe.ca_bundle_path
    client = client_of(asked)
    stripe.default_http_client = client
    options = {"idempotency_key": asked.key} if asked.key else {}
    if asked.transport in ASYNC:
        return asyncio.run(create_async(asked, client, **options))
    if asked.reused:
        stripe.Charge.list(limit=1)
    return stripe.Charge.create(**purchase.PARAMETERS, **options).id


def charge_again(base: str, asked: Namespace) -> str:
    try:
        return charge(base, asked)
    except Exception:  # noqa: BLE001  # whatever it is, the application asks once more
        return charge(base, asked)


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--transport", choices=[*SYNC, *ASYNC], default="requests")
    parser.add_argument("--again", action="store_true", help="the application retries once")
    asked = parser.parse_args()
    return purchase.each(asked, charge_again if asked.again else charge)


if __name__ == "__main__":
    sys.exit(main())
