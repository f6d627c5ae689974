"""``urllib.request``: a connection for each request, and the request says so."""

import json
import sys
from argparse import Namespace
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import purchase


def charge(base: str, asked: Namespace) -> str:
    form = urlencode(purchase.FORM).encode()
    request = Request(base + purchase.CHARGES, form, purchase.headers(asked.key))
    with urlopen(request, timeout=asked.timeout) as response:
        return str(json.loads(response.read())["id"])


if __name__ == "__main__":
    sys.exit(purchase.each(purchase.arguments().parse_args(), charge))
