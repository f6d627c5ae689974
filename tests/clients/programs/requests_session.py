"""requests with its default session, or with the retry adapter that many projects mount.

``Retry(allowed_methods=None)`` sends a POST again on errors and on the listed statuses;
``max_retries=3`` alone is about connecting.
"""

import sys
from argparse import Namespace

import purchase
import requests
from urllib3.util.retry import Retry

ADAPTERS = {
    "none": 0,
    "number": 3,
    "any": Retry(
        total=3, allowed_methods=None, status_forcelist=[500, 502, 503, 504], backoff_factor=0.1
    ),
}


def charge(base: str, asked: Namespace) -> str:
    with requests.Session() as session:
        for scheme in ("http://", "https://"):
            retries = ADAPTERS[asked.retries]
            session.mount(scheme, requests.adapters.HTTPAdapter(max_retries=retries))
        if asked.reused:
            session.get(base + purchase.HARMLESS, headers=purchase.headers())
        response = session.post(
            base + purchase.CHARGES,
            data=purchase.FORM,
            headers=purchase.headers(asked.key),
            timeout=asked.timeout,
        )
        response.raise_for_status()
        return str(response.json()["id"])


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--retries", choices=ADAPTERS, default="none")
    return purchase.each(parser.parse_args(), charge)


if __name__ == "__main__":
    sys.exit(main())
