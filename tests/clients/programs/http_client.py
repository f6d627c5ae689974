"""``http.client``: one connection object, which connects again by itself when it must."""

import http.client
import json
import ssl
import sys
from argparse import Namespace
from urllib.parse import urlencode, urlsplit

import purchase


def connection(base: str, timeout: float) -> http.client.HTTPConnection:
    parts = urlsplit(base)
    if parts.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(parts.netloc, timeout=timeout, context=context)
    return http.client.HTTPConnection(parts.netloc, timeout=timeout)


def charge(base: str, asked: Namespace) -> str:
    kept = connection(base, asked.timeout)
    if asked.reused:
        kept.request("GET", purchase.HARMLESS, headers=purchase.headers())
        kept.getresponse().read()
    of = {"Content-Type": "application/x-www-form-urlencoded"}
    headers = {**purchase.headers(asked.key), **of}
    kept.request("POST", purchase.CHARGES, urlencode(purchase.FORM), headers)
    return str(json.loads(kept.getresponse().read())["id"])


if __name__ == "__main__":
    sys.exit(purchase.each(purchase.arguments().parse_args(), charge))
