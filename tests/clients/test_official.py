"""Stripe's own libraries, unmodified, read every answer as they would read Stripe's.

One program per language does the same things in the same order and tells what it saw; what it
must have seen is written once, and only the names of the exceptions are the language's own.
"""

import json
import os
import queue
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import stripe
import toolchain
from checking import DIRECT

PROGRAMS = Path(__file__).parent / "official"
REUSED = (
    "Keys for idempotent requests can only be used with the same parameters they were first used "
    "with. Try using a key other than 'ord_2' if you meant to execute a different request."
)
BEYOND = "Refund amount ($15.01) is greater than unrefunded amount on charge ($15.00)"
FACTS = {
    "paid": ["charge 2", 2000, "usd", True, "4242"],
    "expanded": ["jenny@example.com", 88, 1912],
    "declined_charge": ["insufficient_funds", "charge 3"],
    "refund": ["charge 2", 500, "succeeded"],
    "intent": ["requires_payment_method", "succeeded", "charge 5", 3000],
    "intent_state": ["requires_payment_method", "charge 6", "expired_card"],
    "listed": [f"charge {number}" for number in range(15, 0, -1)],
    "event": ["charge.succeeded", "charge", 1234],
}
REFUSALS = {
    "declined": (402, "card_declined", None, "Your card has insufficient funds."),
    "intent_declined": (402, "expired_card", "exp_month", "Your card has expired."),
    "mismatch": (400, None, None, REUSED),
    "missing": (404, "resource_missing", "id", "No such charge: 'ch_missing'"),
    "stranger": (401, None, None, "Invalid API Key provided: ******"),
    "beyond": (400, None, "amount", BEYOND),
}
NAMES = ("declined", "intent_declined", "mismatch", "missing", "stranger", "beyond", "forged")
CARD, AGAIN, INVALID = "CardError", "IdempotencyError", "InvalidRequestError"
STRANGER, FORGED = "AuthenticationError", "SignatureVerificationError"
PYTHON = (CARD, CARD, AGAIN, INVALID, STRANGER, INVALID, FORGED)
NODE = tuple(f"Stripe{name}" for name in PYTHON)
JAVA = tuple(name.replace("Error", "Exception") for name in PYTHON)
GO = (
    *(f"*stripe.{name}" for name in (CARD, CARD, AGAIN, INVALID, INVALID, INVALID)),
    "webhook had no valid signature",
)


class Receiver(BaseHTTPRequestHandler):
    """Takes what is delivered."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.delivered.put((body, self.headers["Stripe-Signature"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def receiver():
    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        server.delivered = queue.Queue()
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def version(request):
    """The API version of the library under test; the server's own, if nothing is said."""
    return getattr(request, "param", None)


@pytest.fixture
def delivery(fakestripe, receiver, version, tmp_path):
    """One event, as it was really delivered: its bytes, its signature and the secret.

    stripe-go verifies, and stripe-java reads, only what is of the version that it was built for.
    """
    endpoint = fakestripe.webhook(
        f"http://127.0.0.1:{receiver.server_port}", ["charge.succeeded"], api_version=version
    )
    client = stripe.StripeClient(fakestripe.api_key, base_addresses={"api": fakestripe.url})
    client.v1.charges.create({"amount": 1234, "currency": "usd", "source": "tok_visa"})
    payload, signature = receiver.delivered.get(timeout=30)
    (tmp_path / "payload").write_bytes(payload)
    return {
        "WEBHOOK_PAYLOAD": str(tmp_path / "payload"),
        "WEBHOOK_SIGNATURE": signature,
        "WEBHOOK_SECRET": endpoint.secret,
    }


@pytest.fixture
def tell(fakestripe, delivery):
    """Run a program to its end; return what it told, with charges named in their order."""

    def run(*command, **more):
        here = {"STRIPE_API_BASE": fakestripe.url, "STRIPE_API_KEY": fakestripe.api_key}
        environment = {**os.environ, **DIRECT, **here, **delivery, **more}
        ran = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=60, env=environment
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        text = ran.stdout
        for number, charge in enumerate(fakestripe.charges, 1):
            text = text.replace(charge["id"], f"charge {number}")
        return json.loads(text)

    return run


def expected(names):
    """Return what a program must have told, with its language's names of the exceptions."""
    classes = dict(zip(NAMES, names, strict=True))
    fields = ("status", "code", "param", "message")
    refusals = {
        name: {"class": classes[name], **dict(zip(fields, refusal, strict=True))}
        for name, refusal in REFUSALS.items()
    }
    return {**FACTS, **refusals, "forged": classes["forged"]}


def got(make):
    """Return what a language needs, or say why this machine does not have it."""
    try:
        return make()
    except toolchain.Unavailable as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason))
        pytest.skip(str(reason))


def pages_turned(fakestripe):
    """Count the pages of charges that were asked for."""
    attempts = [line for line in fakestripe.journal if line["kind"] == "attempt"]
    return [(line["method"], line["path"]) for line in attempts].count(("GET", "/v1/charges"))


def test_stripe_python_reads_all_as_its_own(fakestripe, tell):
    assert tell(sys.executable, PROGRAMS / "python.py") == expected(PYTHON)
    assert pages_turned(fakestripe) == 3


def test_stripe_node_reads_all_as_its_own(fakestripe, tell):
    modules = str(got(toolchain.node_modules))

    assert tell("node", PROGRAMS / "node.cjs", NODE_PATH=modules) == expected(NODE)
    assert pages_turned(fakestripe) == 3


@pytest.mark.parametrize("version", ["2026-03-25.dahlia"], indirect=True)
def test_stripe_go_reads_all_as_its_own(fakestripe, tell):
    assert tell(got(toolchain.go_program)) == expected(GO)
    assert pages_turned(fakestripe) == 3


@pytest.mark.parametrize("version", ["2026-07-29.dahlia"], indirect=True)
def test_stripe_java_reads_all_as_its_own(fakestripe, tell):
    jars = got(toolchain.java_jars)

    assert tell("java", "-cp", f"{jars}/*:{jars}", "Program") == expected(JAVA)
    assert pages_turned(fakestripe) == 3
