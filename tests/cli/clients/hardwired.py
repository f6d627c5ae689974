"""A shop that knows no other server than Stripe, standard library only: ``hardwired.py HABIT``.

It honours proxy variables as urllib does. Beside ``safe`` and ``unsafe`` there are ``elsewhere``,
which asks another host first and goes on whatever comes of it, ``needy``, which does not go on,
``idle``, which asks nobody, and ``tells``, which prints its environment as JSON.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

ELSEWHERE = "https://registry.example.net/"
ATTEMPTS = 3


def pay(key):
    params = {"amount": 2000, "currency": "usd", "source": "tok_visa"}
    request = urllib.request.Request(
        "https://api.stripe.com/v1/charges",
        urllib.parse.urlencode({**params, "metadata[order_id]": "ord_1"}).encode(),
        {"Authorization": f"Bearer {os.environ['STRIPE_API_KEY']}", "Idempotency-Key": key},
    )
    for _ in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(request, timeout=1) as answer:
                return json.load(answer)["id"]
        except OSError as failed:
            print(failed)
        if habit == "unsafe":
            request.add_header("Idempotency-Key", str(uuid.uuid4()))
    raise SystemExit(1)


def ask_elsewhere():
    try:
        urllib.request.urlopen(ELSEWHERE)
    except OSError as failed:
        print(failed)
        return False
    return True


habit = sys.argv[1]
if habit == "tells":
    print(json.dumps(dict(os.environ)))
elif habit != "idle":
    if habit in {"elsewhere", "needy"} and not ask_elsewhere() and habit == "needy":
        sys.exit(1)
    print("paid by", pay(f"order-{uuid.uuid4()}" if habit == "unsafe" else "order-ord_1"))
