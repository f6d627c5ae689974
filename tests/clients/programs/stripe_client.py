"""stripe-python as ``StripeClient``, with its defaults or the retries asked for, on any transport.

Its default is no retry at all, unlike the module style.
"""

import asyncio
import sys
from argparse import Namespace

import aiohttp  # noqa: F401  # what stripe imports when it is asked to is imported once
import anyio  # noqa: F401
import httpx  # noqa: F401
import purchase
import stripe

SYNC = {"requests": stripe.RequestsClient}
ASYNC = {"httpx": stripe.HTTPXClient, "aiohttp": stripe.AIOHTTPClient}


async def create_async(
    client: stripe.StripeClient, transport: stripe.HTTPClient, asked: Namespace
) -> str:
    try:
        if asked.reused:
            await client.v1.charges.list_async({"limit": 1})
        created = await client.v1.charges.create_async(purchase.PARAMETERS, options(asked))
        return created.id
    finally:
        await transport.close_async()


def options(asked: Namespace) -> dict[str, str]:
    return {"idempotency_key": asked.key} if asked.key else {}


def charge(base: str, asked: Namespace) -> str:
    stripe.ca_bundle_path = purchase.authority() or stripe.ca_bundle_path
    transport = {**SYNC, **ASYNC}[asked.transport](timeout=asked.timeout)
    client = stripe.StripeClient(
        purchase.KEY,
        base_addresses={"api": base},
        http_client=transport,
        **({} if asked.retries is None else {"max_network_retries": asked.retries}),
    )
    if asked.transport in ASYNC:
        return asyncio.run(create_async(client, transport, asked))
    if asked.reused:
        client.v1.charges.list({"limit": 1})
    return client.v1.charges.create(purchase.PARAMETERS, options(asked)).id


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--transport", choices=[*SYNC, *ASYNC], default="requests")
    parser.add_argument("--retries", type=int)
    return purchase.each(parser.parse_args(), charge)


if __name__ == "__main__":
    sys.exit(main())
