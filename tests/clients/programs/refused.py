"""One charge with stripe-python, and what its caller is told where it is refused, as JSON.

``refused.py [RETRIES]``.
"""

import json
import os
import sys

import stripe

client = stripe.StripeClient(
    os.environ["STRIPE_API_KEY"],
    base_addresses={"api": os.environ["STRIPE_API_BASE"]},
    max_network_retries=int(sys.argv[1]) if sys.argv[1:] else 2,
)
try:
    charge = client.v1.charges.create({"amount": 2000, "currency": "usd", "source": "tok_visa"})
except Exception as failed:  # noqa: BLE001  # whatever a caller is told
    told = {
        "class": type(failed).__name__,
        "status": getattr(failed, "http_status", None),
        "code": getattr(getattr(failed, "error", None), "code", None),
        "says": "cap_exceeded" in f"{failed}{getattr(failed, 'http_body', '')}",
    }
else:
    told = {"charge": charge.id}
print(json.dumps(told))
