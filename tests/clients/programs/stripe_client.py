"""stripe-python as ``StripeClient``, with its defaults or the retries asked for, on any transport.

Its default is no retry at all, unlike the module style.
"""

import asyncio
import sys

import purchase
import stripe

SYNC = {"requests": stripe.RequestsClient}
ASYNC = {"httpx": stripe.HTTPXClient, "aiohttp": stripe.AIOHTTPClient}


async def create_async(
    client: stripe.StripeClient, transport: stripe.HTTPClient, options: dict[str, str]
) -> stripe.Charge:
    try:
        return await client.v1.charges.create_async(purchase.PARAMETERS, options)
    finally:
        await transport.close_async()


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--transport", choices=[*SYNC, *ASYNC], default="requests")
    parser.add_argument("--retries", type=int)
    asked = parser.parse_args()
    transport = {**SYNC, **ASYNC}[asked.transport](timeout=asked.timeout)
    client = stripe.StripeClient(
        purchase.KEY,
        base_addresses={"api": purchase.BASE},
        http_client=transport,
        **({} if asked.retries is None else {"max_network_retries": asked.retries}),
    )
    options = {"idempotency_key": asked.key} if asked.key else {}
    try:
        if asked.transport in ASYNC:
            print(asyncio.run(create_async(client, transport, options)).id)
        else:
            print(client.v1.charges.create(purchase.PARAMETERS, options).id)
    except Exception as failed:  # noqa: BLE001  # aiohttp's own errors escape the library
        print(type(failed).__name__)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
