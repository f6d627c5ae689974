"""What Stripe's libraries, as they come, make of three kinds of 429: a cap's, and Stripe's two.

A cap's ``error`` is a text, as that of OAuth is, and not an object: no library knows it, and none
sends such a charge again by itself.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from checking import DIRECT

from fakestripe.faults.kinds import Reply
from fakestripe.faults.rules import Profile, Rule

PROGRAMS = Path(__file__).parent / "programs"
PYTHON = (sys.executable, "refused.py")
NODE = ("node", "refused.cjs")
CLIENTS = {
    "stripe-python": PYTHON,
    "stripe-node": NODE,
    "stripe-node 18": (*NODE, "--package", "stripe-18"),
}
POINTS = {"rate_limit": "received", "lock_timeout": "claimed"}
LIMITED = ("RateLimitError", 429)
NODE_LIMITED = ("StripeRateLimitError", 429)
TOLD = {
    ("stripe-python", "cap"): ("AttributeError", None, None, False, 1),
    ("stripe-python", "rate_limit"): (*LIMITED, "rate_limit", False, 1),
    ("stripe-python", "lock_timeout"): (*LIMITED, "lock_timeout", False, 3),
    ("stripe-node", "cap"): ("StripeOAuthError", 429, None, True, 1),
    ("stripe-node", "rate_limit"): (*NODE_LIMITED, "rate_limit", False, 1),
    ("stripe-node", "lock_timeout"): (*NODE_LIMITED, "lock_timeout", False, 3),
    ("stripe-node 18", "cap"): (*NODE_LIMITED, None, True, 1),
    ("stripe-node 18", "rate_limit"): (*NODE_LIMITED, "rate_limit", False, 1),
    ("stripe-node 18", "lock_timeout"): (*NODE_LIMITED, "lock_timeout", False, 3),
}
"""Class, status and code of what the caller gets, whether it holds the cap's word, arrivals."""


def limiting(refusal):
    """Return the profile in which Stripe answers every charge like this."""
    rule = Rule(name="limited#0", at=POINTS[refusal], do=(Reply(stripe=refusal),))
    return Profile(name="limited", rules=(rule,))


@pytest.mark.parametrize(("client", "refusal"), TOLD)
def test_a_refusal_reaches_the_caller_as_it_was_measured(client, refusal, fakestripe, tools):
    key = fakestripe.api_key
    if refusal == "cap":
        key = fakestripe.key(daily_usd_cap="10.00")
    else:
        fakestripe.use(limiting(refusal))
    runner, program, *options = CLIENTS[client]
    here = {"STRIPE_API_BASE": fakestripe.url, "STRIPE_API_KEY": key}
    ran = subprocess.run(
        (runner, str(PROGRAMS / program), *options),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **DIRECT, **tools(program), **here},
    )
    assert (ran.returncode, ran.stderr) == (0, "")

    said = json.loads(ran.stdout)
    found = fakestripe.verdict()
    (operation,) = found.operations
    keys = {seen.attempt.idempotency_key for seen in operation.attempts}
    seen = len(operation.attempts)
    assert (*said.values(), seen) == TOLD[client, refusal]
    assert (len(keys), found.charges) == (1, 0)
    assert found.word == ("cap_exceeded" if refusal == "cap" else "inconclusive")
