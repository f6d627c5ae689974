"""What every Python program of this folder buys, and the arguments that it takes.

A program makes one charge with one client library, says in a line what came of it and exits 0
where the library returned the charge. It adds no retry of its own.
"""

import argparse
import os

BASE = os.environ["STRIPE_API_BASE"]
KEY = os.environ["STRIPE_API_KEY"]
URL = f"{BASE}/v1/charges"
PARAMETERS = {
    "amount": 2000,
    "currency": "usd",
    "source": "tok_visa",
    "metadata": {"order_id": "ord_1"},
}
FORM = {
    "amount": "2000",
    "currency": "usd",
    "source": "tok_visa",
    "metadata[order_id]": "ord_1",
}


def arguments() -> argparse.ArgumentParser:
    """Return a parser with the arguments that all programs have."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--key", help="the idempotency key; without it, what the library does")
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds")
    return parser


def headers(key: str | None) -> dict[str, str]:
    """Return the headers of a charge for a library that knows nothing of Stripe."""
    authorization = {"Authorization": f"Bearer {KEY}"}
    return {**authorization, "Idempotency-Key": key} if key else authorization
