"""How far a request came, as stops on a line and in words: where it was struck, what it made."""

from collections.abc import Iterator
from typing import Final

from fakestripe.drawing.markup import Markup, element
from fakestripe.drawing.track import GLYPHS
from fakestripe.protocol.secrets import masked
from fakestripe.verdict.lanes import Lane, Stop

STEP: Final = 22
"""Pixels between two stops."""


def route(drawn: Lane) -> Markup:
    """Return how far it came and what it made, as stops on a line and in words."""
    return element(
        "div",
        element(
            "svg",
            *_stops(drawn.stops),
            class_="stops",
            width=STEP * 4 + 24,
            height=14,
            aria_hidden="true",
        ),
        element("span", f"came to {drawn.attempt.last_point}", class_="point"),
        element("span", f"✕ {_struck(drawn)}", class_="struck") if drawn.faults else None,
        *(
            element(
                "span",
                f"{GLYPHS[mark.kind]} {mark.name} ",
                element("code", masked(mark.id)),
                class_=f"mark {mark.kind} wrong" if mark.wrong else f"mark {mark.kind}",
            )
            for mark in drawn.marks
        ),
        class_="route",
    )


def _struck(drawn: Lane) -> str:
    at = ", ".join(stop.point for stop in drawn.stops if stop.struck)
    return f"{', then '.join(drawn.faults)}{f' at {at}' if at else ''}"


def _stops(stops: tuple[Stop, ...]) -> Iterator[Markup]:
    for place, stop in enumerate(stops):
        x = 7 + place * STEP
        if place:
            state = "ahead" if stop.state == "ahead" else "passed"
            yield element("line", x1=x - STEP, x2=x, y1=7, y2=7, class_=f"leg {state}")
    for place, stop in enumerate(stops):
        x = 7 + place * STEP
        if stop.commits:
            yield element("path", d=f"M{x},1.5 l5.5,5.5 l-5.5,5.5 l-5.5,-5.5 Z", class_="commit")
        elif stop.state != "skipped":
            yield element("circle", cx=x, cy=7, r=3, class_=f"stop {stop.state}")
        if stop.struck:
            yield element("path", d=f"M{x + 7},3 l8,8 m0,-8 l-8,8", class_="cross")
