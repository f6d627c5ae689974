"""httpx, synchronous, with a client's defaults: no retry after the connection stands."""

import sys

import httpx
import purchase


def main() -> int:
    asked = purchase.arguments().parse_args()
    try:
        with httpx.Client(timeout=asked.timeout) as client:
            response = client.post(
                purchase.URL, data=purchase.FORM, headers=purchase.headers(asked.key)
            )
            response.raise_for_status()
            print(response.json()["id"])
    except (httpx.HTTPError, ValueError) as failed:
        print(type(failed).__name__)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
