"""``fakestripe doctor``: which faults really reach a client, from where it stands.

A container's published port or a mesh's sidecar ends TCP itself and begins it anew: a reset may
arrive as something else. Every fault is tried with a raw client, and what arrives is told beside
what should. Nothing is learned about any client, and no neighbour on the server is touched.
"""

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fakestripe.cli.flags import Flag, add, fill
from fakestripe.cli.told_to_end import unwinding

if TYPE_CHECKING:
    from fakestripe.cli.doctoring.examination import Row

SUMMARY = "say which faults really reach a client from here (exit status 0 or 1)"
HEAD: Final = ("point", "fault", "should arrive", "arrives", "")

FLAGS: Final = (
    Flag("--ca-file", "trust whom this file vouches for (PEM); else anybody", "FILE"),
    Flag("--json", "print it as JSON", kind="switch"),
)


def add_arguments(parser: ArgumentParser) -> None:
    """Take an optional URL."""
    parser.add_argument(
        "url",
        nargs="?",
        default=os.environ.get("FAKESTRIPE_URL"),
        metavar="URL",
        help="a running fakestripe serve (FAKESTRIPE_URL; default: one of its own, on loopback)",
    )
    add(parser, FLAGS)
    parser.epilog = (
        "exit status: 0 every fault arrives as it was meant; 1 some arrive otherwise; "
        "2 no fakestripe serve is there"
    )


def run(args: Namespace) -> int:
    """Examine."""
    fill(args, FLAGS)
    with unwinding():  # or a port would stay open at somebody's server
        if args.url is not None:
            return _examined(args.url, args)
        from fakestripe.server.listener import Server

        with Server(shared=False, mode="serve") as server:
            return _examined(server.url, args)


def _examined(url: str, args: Namespace) -> int:
    from fakestripe.cli.doctoring.examination import examine
    from fakestripe.cli.doctoring.findings import findings
    from fakestripe.cli.doctoring.patient import met, place_of

    patient, version = met(place_of(url, args.ca_file))
    rows = examine(patient)
    said = list(findings(rows))
    status = int(any(row.result == "differs" for row in rows))
    if args.json:
        print(_as_json(patient.url, version, rows, said, status))
    else:
        print(f"fakestripe {version} at {patient.url}, as a client meets it from here\n")
        print(*_table(rows), "", *said, sep="\n")
    return status


def _as_json(
    url: str, version: str, rows: "Sequence[Row]", said: Sequence[str], status: int
) -> str:
    from msgspec import to_builtins

    shown = {"fakestripe": version, "url": url, "exit_status": status}
    return json.dumps({**shown, "findings": said, "rows": to_builtins(rows)}, indent=2)


def _table(rows: "Sequence[Row]") -> list[str]:
    lines = [HEAD, *((r.point, r.fault, r.expected, r.arrived, _result(r)) for r in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def _result(row: "Row") -> str:
    if row.why is None or row.result == "skipped":
        return row.result
    return f"{row.result}: {row.why}"
