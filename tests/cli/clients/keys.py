"""Clients that a sweep is to tell apart: ``keys.py HABIT [ORDERS]``, each a way of making keys."""

import contextlib
import http.client
import json
import os
import sys
import time
import uuid
from urllib.parse import urlsplit

import billing


class Failed(Exception):  # noqa: N818
    """An answer of the 5xx kind came."""


def post(path, params, key):
    server = urlsplit(os.environ["STRIPE_API_BASE"])
    connection = http.client.HTTPConnection(server.hostname, server.port, timeout=billing.TIMEOUT)
    headers = {
        "Authorization": f"Bearer {os.environ['STRIPE_SECRET_KEY']}",
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": key,
    }
    connection.request("POST", path, billing.urlencode(params), headers)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    if answer.status >= 500:
        raise Failed
    if answer.status in (409, 429):
        raise ConnectionError(answer.status)
    return body if answer.status == 200 else None


def read(path):
    server = urlsplit(os.environ["STRIPE_API_BASE"])
    connection = http.client.HTTPConnection(server.hostname, server.port, timeout=billing.TIMEOUT)
    key = os.environ["STRIPE_SECRET_KEY"]
    connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
    answer = connection.getresponse()
    body = json.loads(answer.read())
    return body if answer.status == 200 else None


def after_errors(number):
    """Keeps its key when nothing comes, and makes a new one for "the server has failed"."""
    key = f"key-{number}"
    for _ in range(3):
        try:
            return post("/v1/charges", billing.order(number)[1], key) is not None
        except Failed:
            key = str(uuid.uuid4())
        except ValueError:
            key = str(uuid.uuid4())  # a gateway's page is no JSON
        except (OSError, http.client.HTTPException):
            time.sleep(0.02)
    return False


def patient_once(number):
    """Keeps its key for one retry, and starts afresh with the second."""
    fresh = str(uuid.uuid4())
    return billing.charge(
        billing.order(number)[1], lambda attempt: f"key-{number}" if attempt < 2 else fresh
    )


def looks_first(number):
    """Looks whether it has paid before it tries again with a new key, and believes no answer."""
    name, params = billing.order(number)
    for attempt in range(3):
        try:
            if attempt and _is_paid(name):
                return True
            return post("/v1/charges", params, str(uuid.uuid4())) is not None
        except (Failed, *billing.FAILED):
            time.sleep(0.02)
    return False


def _is_paid(name):
    try:
        charges = read("/v1/charges") or {"data": []}
    except billing.FAILED:
        return False
    return any(charge["metadata"].get("order_id") == name for charge in charges["data"])


def two_steps(number):
    """Makes a payment intent and confirms it, each with a key of its own that stays."""
    name, params = billing.order(number)
    params = {"amount": params["amount"], "currency": "usd", "metadata[order_id]": name}
    intent = _kept("/v1/payment_intents", params, f"make-{name}")
    if intent is None:
        return False
    path = f"/v1/payment_intents/{intent['id']}/confirm"
    return _kept(path, {"payment_method": "pm_card_visa"}, f"confirm-{name}") is not None


def _kept(path, params, key):
    for _ in range(3):
        try:
            return post(path, params, key)
        except (Failed, *billing.FAILED):
            time.sleep(0.02)
    return None


def greets(number):
    """Makes a customer before it charges, and does without where that fails."""
    with contextlib.suppress(Failed, *billing.FAILED):
        post("/v1/customers", {"email": "jenny@example.com"}, f"customer-{number}")
    return billing.safe(number)


HABITS = {
    habit.__name__: habit
    for habit in (*(after_errors, patient_once, looks_first, two_steps, greets),)
}

if __name__ == "__main__":
    orders = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    done = [HABITS[sys.argv[1]](number) for number in range(1, orders + 1)]
    sys.exit(0 if all(done) else 1)
