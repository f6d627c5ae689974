"""A client of the admin side, by one API key or by none, and what it sends to be charged."""

import requests

CHARGE = {"amount": "2000", "currency": "usd", "source": "tok_visa", "metadata[order_id]": "o1"}
YAML = """
name: by-hand
rules:
  - at: committed
    when: {attempt: 1}
    do: reset
expect: [clean]
"""


class Admin:
    """Calls of one server, by one API key or by none."""

    def __init__(self, url: str, key: str | None = None) -> None:
        self.url = url
        self.headers = {} if key is None else {"Authorization": f"Bearer {key}"}

    def call(self, method: str, verb: str, **options: object) -> requests.Response:
        return requests.request(
            method,
            f"{self.url}/_fakestripe/{verb}",
            headers=self.headers,
            **({"timeout": 15} | options),
        )

    def charge(self, **headers: str) -> requests.Response:
        return requests.post(
            f"{self.url}/v1/charges", CHARGE, headers=self.headers | headers, timeout=15
        )

    def pay(self, order: str, key: str | None = None, **form: str) -> requests.Response:
        """Charge an order, under an idempotency key if one is given."""
        keyed = {} if key is None else {"Idempotency-Key": key}
        sent = CHARGE | {"metadata[order_id]": order} | form
        return requests.post(
            f"{self.url}/v1/charges", sent, headers=self.headers | keyed, timeout=15
        )

    @property
    def charges(self) -> list[dict]:
        return self.call("GET", "charges").json()
