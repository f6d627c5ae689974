"""What the marks of a drawing mean, for whoever sees one for the first time."""

from typing import Final

from fakestripe.drawing.markup import Markup, element

MARKS: Final = (
    ("●", "a request arrived"),
    ("✕", "a fault struck"),
    ("◆", "a charge was made"),
    ("↺", "the kept answer was replayed"),
    ("→", "the client was answered"),
    ("○", "the client had left"),
    ("∥", "time that is drawn shorter"),
)
STOPS: Final = "stops: received, claimed, committed, replying, sent"


def legend() -> Markup:
    """Return the list of marks."""
    return element(
        "ul",
        *(element("li", element("b", mark), f" {meaning}") for mark, meaning in MARKS),
        element("li", STOPS),
        class_="legend",
        aria_label="Marks",
    )
