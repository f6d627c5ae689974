"""An agent that re-plans: it calls its charging tool, gives up at a deadline and calls it again.

``--key-from call`` makes the key inside the tool, so a second call is a second payment;
``--key-from task`` derives it from what the agent set out to do and hands it in.
"""

import hashlib
import os
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor

import purchase
import requests

DEADLINE = 2.0
PATIENCE = 30.0


def charge(order: str, amount: str, key: str | None) -> str:
    """Charge an order: the agent's tool."""
    response = requests.post(
        os.environ["STRIPE_API_BASE"] + purchase.CHARGES,
        data={**purchase.FORM, "amount": amount, "metadata[order_id]": order},
        headers=purchase.headers(key or str(uuid.uuid4())),
        timeout=PATIENCE,
    )
    response.raise_for_status()
    return str(response.json()["id"])


def pay(pool: ThreadPoolExecutor, key: str | None) -> str:
    first = pool.submit(charge, "ord_1", "2000", key)
    try:
        return first.result(DEADLINE)
    except TimeoutError:
        return pool.submit(charge, "ord_1", "2000", key).result(PATIENCE)


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--key-from", choices=["call", "task"], required=True)
    asked = parser.parse_args()
    task = hashlib.sha256(b"pay ord_1, 2000 usd").hexdigest()
    with ThreadPoolExecutor(2) as pool:
        print(pay(pool, task if asked.key_from == "task" else None))
    return 0


if __name__ == "__main__":
    sys.exit(main())
