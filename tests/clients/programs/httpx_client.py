"""httpx, synchronous, with a client's defaults or with ``retries=3``, which is about connects."""

import sys
from argparse import Namespace

import httpx
import purchase


def charge(base: str, asked: Namespace) -> str:
    transport = httpx.HTTPTransport(retries=asked.retries)
    with httpx.Client(timeout=asked.timeout, transport=transport) as client:
        if asked.reused:
            client.get(base + purchase.HARMLESS, headers=purchase.headers())
        response = client.post(
            base + purchase.CHARGES, data=purchase.FORM, headers=purchase.headers(asked.key)
        )
        response.raise_for_status()
        return str(response.json()["id"])


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--retries", type=int, default=0)
    return purchase.each(parser.parse_args(), charge)


if __name__ == "__main__":
    sys.exit(main())
