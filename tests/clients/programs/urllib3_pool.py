"""urllib3 with a pool's defaults, or with a ``Retry`` that lets a POST be sent again.

Its default is three retries, which the method of a request gates; "any" lifts that gate,
"statuses" adds a list of answers that are asked for again.
"""

import json
import sys
from argparse import Namespace

import purchase
import urllib3
from urllib3.util.retry import Retry

RETRIES = {
    "default": None,
    "any": Retry(total=3, allowed_methods=None, backoff_factor=0.1),
    "statuses": Retry(
        total=3, allowed_methods=None, status_forcelist=[500, 502, 503, 504], backoff_factor=0.1
    ),
}


def charge(base: str, asked: Namespace) -> str:
    with urllib3.PoolManager(timeout=asked.timeout, retries=RETRIES[asked.retries]) as pool:
        if asked.reused:
            pool.request("GET", base + purchase.HARMLESS, headers=purchase.headers())
        response = pool.request(
            "POST",
            base + purchase.CHARGES,
            fields=purchase.FORM,
            encode_multipart=False,
            headers=purchase.headers(asked.key),
        )
        return str(json.loads(response.data)["id"])


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--retries", choices=RETRIES, default="default")
    return purchase.each(parser.parse_args(), charge)


if __name__ == "__main__":
    sys.exit(main())
