"""stripe-python in module style, with the library's own defaults, on any of its transports."""

import argparse
import asyncio
import sys

import purchase
import stripe

SYNC = {"requests": stripe.RequestsClient, "urllib": lambda **_: stripe.UrllibClient()}
ASYNC = {"httpx": stripe.HTTPXClient, "aiohttp": stripe.AIOHTTPClient}


async def create_async(asked: argparse.Namespace, **options: str) -> stripe.Charge:
    client = ASYNC[asked.transport](timeout=asked.timeout)
    stripe.default_http_client = client
    try:
        return await stripe.Charge.create_async(**purchase.PARAMETERS, **options)
    finally:
        await client.close_async()


def create(asked: argparse.Namespace, **options: str) -> stripe.Charge:
    if asked.transport in ASYNC:
        return asyncio.run(create_async(asked, **options))
    stripe.default_http_client = SYNC[asked.transport](timeout=asked.timeout)
    return stripe.Charge.create(**purchase.PARAMETERS, **options)


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--transport", choices=[*SYNC, *ASYNC], default="requests")
    asked = parser.parse_args()
    stripe.api_base, stripe.api_key = purchase.BASE, purchase.KEY
    options = {"idempotency_key": asked.key} if asked.key else {}
    try:
        print(create(asked, **options).id)
    except Exception as failed:  # noqa: BLE001  # two of the transports let their own escape
        print(type(failed).__name__)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
