"""``fakestripe health``: does a server answer? For container health checks; imports no server."""

import os
from argparse import ArgumentParser, Namespace
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from fakestripe.cli.usage import UsageError

SUMMARY = "say whether a server answers (exit status 0 or 1)"
PATIENCE = 2.0
OK = 200


def add_arguments(parser: ArgumentParser) -> None:
    """Take an optional URL."""
    parser.add_argument(
        "url",
        nargs="?",
        default=os.environ.get("FAKESTRIPE_URL") or _default(),
        metavar="URL",
        help="the server (FAKESTRIPE_URL; default http://127.0.0.1:12111)",
    )


def _default() -> str:
    return f"http://127.0.0.1:{os.environ.get('FAKESTRIPE_PORT') or 12111}"


def run(args: Namespace) -> int:
    """Ask once."""
    host, port = _place(args.url)
    connection = HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request("GET", "/_fakestripe/health")
        status = connection.getresponse().status
    except (OSError, HTTPException) as failure:
        print(f"{args.url} does not answer: {failure}")
        return 1
    finally:
        connection.close()
    if status != OK:
        print(f"{args.url} answers {status}: it is no fakestripe")
        return 1
    print(f"{args.url} is up")
    return 0


def _place(url: str) -> tuple[str, int]:
    wrong = UsageError(f"{url!r} is not a URL such as http://127.0.0.1:12111")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if host is None or parts.scheme != "http":
        raise wrong
    return host, port or 80
