"""A shop on stripe-python that knows no other server than Stripe: pay.py TRANSPORT safe|unsafe.

It gives up on an answer after three seconds, where its transport can, and asks again, twice. Safe
is one key per order, unsafe a new one per attempt. urllib lets errors of its own escape.
"""

import asyncio
import http.client
import os
import sys
import uuid
from collections.abc import Awaitable, Callable

import stripe

TRANSPORTS: dict[str, Callable[[], stripe.HTTPClient]] = {
    "requests": lambda: stripe.RequestsClient(timeout=SECONDS),
    "httpx": lambda: stripe.HTTPXClient(timeout=SECONDS, allow_sync_methods=True),
    "aiohttp": lambda: stripe.AIOHTTPClient(timeout=SECONDS),
    "urllib": stripe.UrllibClient,
    "pycurl": stripe.PycurlClient,
}
ATTEMPTS, SECONDS = 3, 3


async def pay(transport: str, key: Callable[[], str]) -> str:
    client = stripe.StripeClient(
        os.environ["STRIPE_API_KEY"],
        http_client=TRANSPORTS[transport](),
        max_network_retries=0,
    )
    charges = client.v1.charges
    for _ in range(ATTEMPTS):
        params = {"amount": 2000, "currency": "usd", "source": "tok_visa"}
        params["metadata"] = {"order_id": "ord_1"}
        options = {"idempotency_key": key()}
        try:
            made = (
                charges.create_async(params, options)
                if transport == "aiohttp"
                else charges.create(params, options)
            )
            charge = await made if isinstance(made, Awaitable) else made
        except (stripe.APIConnectionError, OSError, http.client.HTTPException):
            continue
        return charge.id
    raise SystemExit("nobody answered")


transport, habit = sys.argv[1:]
KEYS = {"safe": lambda: "order-ord_1", "unsafe": lambda: str(uuid.uuid4())}
print("paid by", asyncio.run(pay(transport, KEYS[habit])))
