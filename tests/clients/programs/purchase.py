"""What every Python program of this folder buys, the arguments that it takes, how it tells.

A program makes one charge on each server that is named, each in a process of its own: a fork,
so that a library is imported once. ``columns`` says what all programs of the matrix have alike.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator

KEY = os.environ["STRIPE_API_KEY"]
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
CHARGES = "/v1/charges"
HARMLESS = "/v1/charges?limit=1"
"""What --reused asks for first, on the connection that then carries the charge."""


def arguments() -> argparse.ArgumentParser:
    """Return a parser with the arguments that all programs have."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--key", help="the idempotency key; without it, what the library does")
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds")
    parser.add_argument("--reused", action="store_true", help="send a harmless request first")
    parser.add_argument("bases", metavar="URL", nargs="*", help="servers; else STRIPE_API_BASE")
    return parser


def headers(key: str | None = None) -> dict[str, str]:
    """Return the headers of a charge for a library that knows nothing of Stripe."""
    authorization = {"Authorization": f"Bearer {KEY}"}
    return {**authorization, "Idempotency-Key": key} if key else authorization


def authority() -> str | None:
    """Return the file of the authority that servers are known by, for who does not look itself."""
    return os.environ.get("SSL_CERT_FILE")


def each(asked: argparse.Namespace, charge: Callable[[str, argparse.Namespace], str]) -> int:
    """Make a charge with each server and tell of it; returns the exit status."""
    bases = asked.bases or [os.environ["STRIPE_API_BASE"]]
    children = [_child(number, base, asked, charge) for number, base in enumerate(bases)]
    ends = [os.waitpid(child, 0)[1] for child in children]
    return 1 if any(ends) else 0


def _child(number: int, base: str, asked: argparse.Namespace, charge: Callable[..., str]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        told, code = f"ok {charge(base, asked)}", 0
    except Exception as failed:  # noqa: BLE001  # whatever a library lets escape is its answer
        told, code = f"ERR {'<'.join(_classes(failed))}", 1
    sys.stdout.write(f"{number} {told}\n")
    sys.stdout.flush()
    os._exit(code)


def _classes(failed: BaseException | None) -> Iterator[str]:
    """Yield the class of a failure and of what caused it."""
    while failed is not None:
        yield type(failed).__name__
        failed = failed.__cause__ or failed.__context__
