"""``fakestripe health``: does a server answer? For container health checks; imports no server."""

import os
from argparse import ArgumentParser, Namespace
from http.client import HTTPException
from urllib.parse import urlsplit

from fakestripe.cli.flags import on
from fakestripe.cli.tls_flags import FLAGS, connection_to
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
    """Return where a server is that the same variables told where to be."""
    scheme = "https" if any(on(os.environ.get(flag.variable, "")) for flag in FLAGS) else "http"
    return f"{scheme}://127.0.0.1:{os.environ.get('FAKESTRIPE_PORT') or 12111}"


def run(args: Namespace) -> int:
    """Ask once."""
    connection = connection_to(*_place(args.url), PATIENCE)
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


def _place(url: str) -> tuple[str, str, int | None]:
    wrong = UsageError(f"{url!r} is not a URL such as http://127.0.0.1:12111")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    if host is None or parts.scheme not in ("http", "https"):
        raise wrong
    return parts.scheme, host, port
