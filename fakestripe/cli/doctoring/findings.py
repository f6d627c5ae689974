"""What the rows of an examination mean together: one sentence for each thing that stands between.

Each sentence has its evidence among the rows; what no sentence explains is counted.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from fakestripe.cli.doctoring.examination import Row
from fakestripe.cli.doctoring.trials import UNTRIED

GATEWAYS: Final = ("500", "502", "503", "504")
ALL_WELL: Final = "every fault that was tried arrives here as it was meant"
NO_CALL: Final = (
    "this system does not tell when bytes have left it (Linux does): fakestripe waits 50 ms "
    "before a reset instead, and the last bytes before it are likely, not certain"
)
LEFT_OUT: Final = f"not tried, since no network can change them: {', '.join(UNTRIED)}"


def _reset_is_fin(row: Row) -> bool:
    return "RST" in row.expected and row.arrived == row.expected.replace("RST", "FIN")


def _reset_is_silence(row: Row) -> bool:
    return "RST" in row.expected and "silence" in row.arrived


def _gateway(row: Row) -> bool:
    return row.arrived[:3] in GATEWAYS and not row.expected.startswith(GATEWAYS)


def _held_back(row: Row) -> bool:
    return row.point == "replying" and (
        row.arrived in ("RST", "FIN", "silence") or row.arrived == "200, in one piece"
    )


def _taken(row: Row) -> bool:
    return row.point == "listen" and row.arrived not in (row.expected, "")


def _twice(row: Row) -> bool:
    return "times" in (row.why or "")


class Sign(Struct, frozen=True):
    """Which rows show a thing that stands between, and the sentence about it."""

    shows: Callable[[Row], bool]
    said: str


SIGNS: Final = (
    Sign(
        _reset_is_fin,
        "resets arrive as FIN here: something between re-terminates TCP (a published container "
        "port, a mesh's sidecar); faults of the kind reset test something else",
    ),
    Sign(
        _reset_is_silence,
        "resets do not arrive here: something between swallows them (a firewall, a mesh's "
        "sidecar); faults of the kind reset are hangs",
    ),
    Sign(
        _gateway,
        "a gateway between answers in the place of a lost connection (nginx, a mesh's sidecar); "
        "let the client reach fakestripe directly",
    ),
    Sign(
        _held_back,
        "replies are held back until they are whole: something between buffers them; cuts and "
        "drips test something else",
    ),
    Sign(
        _taken,
        "connections are taken by something between before they reach the server; refuse and "
        "blackhole test something else",
    ),
    Sign(
        _twice,
        "something between sends a request again by itself: what charges twice here may not be "
        "the client",
    ),
)
"""What rows show that stand for one thing, and what it is."""


def findings(rows: Sequence[Row]) -> Iterator[str]:
    """Return what the rows mean together, a sentence each."""
    odd = [row for row in rows if row.result == "differs" or _twice(row)]
    unexplained = [row for row in odd if not any(sign.shows(row) for sign in SIGNS)]
    yield from (sign.said for sign in SIGNS if any(map(sign.shows, odd)))
    if unexplained:
        yield f"{len(unexplained)} of {len(rows)} arrive otherwise than they were meant, see above"
    if not odd:
        yield ALL_WELL
    yield from dict.fromkeys(f"skipped: {row.why}" for row in rows if row.result == "skipped")
    yield LEFT_OUT
    if sys.platform != "linux":
        yield NO_CALL
