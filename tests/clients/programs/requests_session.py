"""requests with its default session, or with the retry adapter that many projects mount.

``Retry(allowed_methods=None)`` sends a POST again on errors and on the listed statuses.
"""

import sys

import purchase
import requests
from urllib3.util.retry import Retry

RETRY = Retry(
    total=3, allowed_methods=None, status_forcelist=[500, 502, 503, 504], backoff_factor=0.1
)


def main() -> int:
    parser = purchase.arguments()
    parser.add_argument("--retry-adapter", action="store_true")
    asked = parser.parse_args()
    with requests.Session() as session:
        if asked.retry_adapter:
            session.mount("http://", requests.adapters.HTTPAdapter(max_retries=RETRY))
        try:
            response = session.post(
                purchase.URL,
                data=purchase.FORM,
                headers=purchase.headers(asked.key),
                timeout=asked.timeout,
            )
            response.raise_for_status()
            print(response.json()["id"])
        except requests.RequestException as failed:
            print(type(failed).__name__)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
