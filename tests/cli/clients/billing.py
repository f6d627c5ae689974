"""A small client of many habits, standard library only: ``billing.py HABIT [ORDERS]``.

Every habit but the broken ones charges its orders, and retries what got no answer.
"""

import http.client
import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from urllib.parse import urlencode, urlsplit

ATTEMPTS = 3
TIMEOUT = 1.0
FAILED = (OSError, http.client.HTTPException, ValueError)


def post(path, params, key=None):
    server = urlsplit(os.environ["STRIPE_API_BASE"])
    secure = server.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(server.hostname, server.port, timeout=TIMEOUT)
    headers = {
        "Authorization": f"Bearer {os.environ['STRIPE_SECRET_KEY']}",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    if key is not None:
        headers["Idempotency-Key"] = key
    connection.request("POST", path, urlencode(params), headers)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    if answer.status >= 500 or answer.status in (409, 429):
        raise ConnectionError(answer.status)
    return answer.status, body


def order(number, amount=2000):
    name = f"ord_{number}"
    source = {"source": "tok_visa", "metadata[order_id]": name}
    return name, {"amount": amount, "currency": "usd", **source}


def charge(params, key_of_attempt, attempts=ATTEMPTS):
    for attempt in range(attempts):
        try:
            return post("/v1/charges", params, key_of_attempt(attempt))[0] == 200
        except FAILED:
            time.sleep(0.02)
    return False


def safe(number):
    name, params = order(number)
    return charge(params, lambda attempt: f"key-{name}")


def unsafe(number):
    return charge(order(number)[1], lambda attempt: str(uuid.uuid4()))


def keyless(number):
    return charge(order(number)[1], lambda attempt: None)


def once(number):
    name, params = order(number)
    return charge(params, lambda attempt: f"key-{name}", attempts=1)


def silent(number):
    return True


def failing(number):
    print("the database is away; my key is", os.environ["STRIPE_SECRET_KEY"])
    return False


def drifting(number):
    """Charges another amount in every run."""
    amount = 2000 + int(os.environ["FAKESTRIPE_RUN"])
    return charge(order(number, amount)[1], lambda attempt: "key-drift")


def unsupported(number):
    post("/v1/shipping_rates", {"display_name": "air"})
    return safe(number)


def stuck(number):
    """Waits for ever once something goes wrong, in a grandchild; both leave their numbers."""
    name, params = order(number)
    if charge(params, lambda attempt: f"key-{name}", attempts=1):
        return True
    grandchild = subprocess.Popen(["sleep", "600"])
    Path("pids.new").write_text(f"{os.getpid()} {grandchild.pid}")
    Path("pids.new").rename("pids")
    return grandchild.wait() == 0


HABITS = {
    habit.__name__: habit
    for habit in (*(safe, unsafe, keyless, once, silent, failing, drifting, unsupported, stuck),)
}

if __name__ == "__main__":
    orders = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    done = [HABITS[sys.argv[1]](number) for number in range(1, orders + 1)]
    sys.exit(0 if all(done) else 1)
