"""The time of one attempt as a line from its arrival to its end, and the scale below all of them.

Places are percentages of the width, so that one drawing fits a telephone and a screen; sizes are
pixels. It is hidden from who cannot see it: the same stands beside it in words.
"""

from collections.abc import Iterator
from typing import Final

from fakestripe.drawing.markup import Child, Markup, Value, element
from fakestripe.protocol.duration import words
from fakestripe.verdict.lanes import Chart, Lane, Mark

MIDDLE: Final = 11
"""The height at which a lane runs."""
BELOW: Final = 31
"""Where its words stand if there is no room beside it."""
RIGHT, LEFT = 58.0, 42.0
"""A lane that ends before, or begins after, leaves room for words beside it."""
GLYPHS: Final = {"made": "◆", "replayed": "↺", "failed": "◇"}
ANSWERED: Final = frozenset({"intact", "altered", "partial"})


def track(drawn: Lane) -> Markup:
    """Return the lane itself: from arrival to end, with marks, and words where room is."""
    below = drawn.end > RIGHT and drawn.start < LEFT
    return element(
        "svg",
        element("line", x1="0", x2="100%", y1=MIDDLE, y2=MIDDLE, class_="track"),
        *_bar(drawn),
        element("circle", cx=f"{drawn.start}%", cy=MIDDLE, r=4, class_="arrived"),
        _end(drawn),
        _words(drawn, below=below),
        class_=f"time {drawn.told}",
        width="100%",
        height=38 if below else 22,
        aria_hidden="true",
    )


def _bar(drawn: Lane) -> Iterator[Markup]:
    """Yield the time in which it ran, with its client and without."""
    left = drawn.end if drawn.left is None else drawn.left
    yield _line(drawn.start, left, "bar")
    if drawn.left is not None:
        yield _line(drawn.left, drawn.end, "bar alone")
        yield element("circle", cx=f"{left}%", cy=MIDDLE, r=4, class_="gone")


def _line(start: float, end: float, kind: str) -> Markup:
    return element("line", x1=f"{start}%", x2=f"{end}%", y1=MIDDLE, y2=MIDDLE, class_=kind)


def _end(drawn: Lane) -> Markup:
    """Return how it ended: an arrow to the client, or a wall."""
    shape = "M-1,-5 L8,0 L-1,5 Z" if drawn.told in ANSWERED else "M0,-6V6"
    if drawn.told == "waiting":
        shape = "M-6,-4 L0,0 L-6,4"
    return element(
        "svg",
        element("path", d=shape, class_="end"),
        x=f"{drawn.end}%",
        y=MIDDLE,
        overflow="visible",
        width=1,
        height=1,
    )


def _words(drawn: Lane, *, below: bool) -> Markup:
    """Return the marks of a lane and what struck it, behind it, before it, or below."""
    said = [_mark(mark) for mark in drawn.marks]
    if drawn.faults:
        name = drawn.faults[-1].partition(" ")[0]  # the one that ended it; words have room below
        said.append(element("tspan", f"✕ {name}", class_="struck"))
    if drawn.attempt.status is not None and drawn.told in ANSWERED:
        said.append(element("tspan", f"→ {drawn.attempt.status}", class_="answer"))
    parts: list[Child] = []
    for each in said:
        parts += [each, "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE} "]
    if below:
        place: dict[str, Value] = {"x": f"{drawn.end}%", "y": BELOW, "text_anchor": "end"}
    elif drawn.end <= RIGHT:
        place = {"x": f"{drawn.end}%", "dx": 14, "y": MIDDLE + 4}
    else:
        place = {"x": f"{drawn.start}%", "dx": -12, "y": MIDDLE + 4, "text_anchor": "end"}
    return element("text", parts[:-1], **place)


def _mark(mark: Mark) -> Markup:
    kind = f"{mark.kind} wrong" if mark.wrong else mark.kind
    return element("tspan", f"{GLYPHS[mark.kind]} {mark.name}", class_=f"mark {kind}")


def axis(chart: Chart) -> Markup:
    """Return the scale of time below the lanes."""
    middle = 7
    folds = [
        element(
            "text",
            f"∥ {words(round(fold.seconds))}",
            x=f"{fold.share}%",
            y=20,
            text_anchor="middle",
        )
        for fold in chart.folds
    ]
    return element(
        "svg",
        element("line", x1="0", x2="100%", y1=middle, y2=middle, class_="track"),
        element("text", "0", x="0", y=20),
        *folds,
        element("text", words(chart.seconds), x="100%", y=20, text_anchor="end"),
        class_="time axis",
        width="100%",
        height=24,
        aria_hidden="true",
    )
