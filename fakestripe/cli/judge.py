"""``fakestripe judge FILE|URL``: the verdict of a journal, from a file or from a running server.

A journal needs nothing beside it, so evidence saved in CI can be judged later. A torn last line
is what a killed server leaves: it is passed over, and told of on standard error.
"""

import http.client
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from fakestripe.cli.flags import Flag, add, fill, one_of
from fakestripe.cli.guard_flags import TOKEN
from fakestripe.cli.tls_flags import connection_to
from fakestripe.cli.usage import BUG, UsageError

SUMMARY = "judge a journal: a file, or the URL of a running server"
PATIENCE: Final = 30.0
OK: Final = 200
TORN: Final = "the last line is torn, as a killed server leaves it; what is before it is judged"
UNAUTHORIZED: Final = 401
FORMATS: Final = ("text", "json", "junit", "markdown")

FLAGS: Final = (
    Flag("--format", "how to write the verdict", "|".join(FORMATS), one_of(*FORMATS), "text"),
    TOKEN,
)


def add_arguments(parser: ArgumentParser) -> None:
    """Take what to judge."""
    parser.add_argument("journal", metavar="FILE|URL", help="a journal, or a server's URL")
    add(parser, FLAGS)


def run(args: Namespace) -> int:
    """Judge."""
    from fakestripe import verdict
    from fakestripe.verdict import report

    fill(args, FLAGS)
    source = args.journal
    content = _fetched(source, args.admin_token) if "://" in source else _read(source)
    try:
        records = verdict.read(_lines(content, source))
    except verdict.JournalError as wrong:
        raise UsageError(f"{source}: {wrong}") from None
    if not records.header.fakestripe:
        raise UsageError(f"{source} has no header: this is no journal of fakestripe")
    if _torn(content):
        print(f"{source}: {TORN}", file=sys.stderr)
    found = verdict.judge(records)
    print(report.FORMATS[args.format].write(found).rstrip("\n"))
    if any(attempt.outcome == "bug" for attempt in records.attempts):
        return BUG
    return verdict.exit_status(found, found.expect)


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as failure:
        raise UsageError(f"{name}: {failure.strerror}") from None


def _fetched(url: str, token: str | None) -> bytes:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None or parts.scheme not in ("http", "https"):
        raise UsageError(f"{url} is not the URL of a server, such as http://127.0.0.1:12111")
    connection = connection_to(parts.scheme, host, port, PATIENCE)
    headers = {} if token is None else {"Fakestripe-Admin-Token": token}
    try:
        connection.request("GET", "/_fakestripe/journal", headers=headers)
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as failure:
        raise UsageError(f"{url} does not answer: {failure}") from None
    finally:
        connection.close()
    if answer.status == UNAUTHORIZED:
        raise UsageError(f"{url} asks for its admin token: give it as --admin-token")
    if answer.status != OK:
        raise UsageError(f"{url} answers {answer.status}: it is no fakestripe")
    return content


def _torn(content: bytes) -> bool:
    """Return whether the last line was not written to its end."""
    last = content.rpartition(b"\n")[2]
    try:
        return bool(last) and not msgspec.json.decode(last, type=dict)
    except (msgspec.DecodeError, RecursionError):
        return True


def _lines(content: bytes, source: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a journal; only the last one may be torn."""
    whole = content.endswith(b"\n")
    lines = content.splitlines()
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for number, line in enumerate(lines, 1):
        try:
            yield decode(line)
        except (msgspec.DecodeError, RecursionError):
            if number == len(lines) and not whole:
                return
            raise UsageError(f"{source}:{number}: this is no line of a journal") from None
