"""Where the matrix is not what was measured before, and the line of the client that explains it.

``published.md`` has what was measured before. The test asserts that each row here is such a cell,
and that there is no other.
"""

from typing import Final

from msgspec import Struct


class Difference(Struct, frozen=True):
    """Cells of one client that are others now, and why: a file and line of what is installed."""

    table: str
    client: str
    version: str
    rows: tuple[str, ...]
    measured: str
    published: str
    why: str
    source: str


DIFFERENCES: Final[tuple[Difference, ...]] = (
    Difference(
        table="stripe-compiled",
        client="Go",
        version="stripe-go 85.0",
        rows=("408 HTML",),
        measured="2= ok",
        published="1 ERR",
        why=(
            "what cannot be read as Stripe's JSON is no error of Stripe's, and every other error "
            "is retried, whatever the status; other libraries look at the status"
        ),
        source="stripe-go/stripe.go:1336",
    ),
)


def shown() -> str:
    """Return the table of differences in Markdown."""
    head = ("client", "version", "fault on attempt 1", "measured", "before", "why", "source")
    lines = [head, ("---",) * len(head)]
    lines += [
        (d.client, d.version, "; ".join(d.rows), d.measured, d.published, d.why, f"`{d.source}`")
        for d in DIFFERENCES
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
