"""One operation, drawn: its word, what was meant and what stands, its lanes, and why.

Two attempts or two thousand: the first of them are drawn, the rest is counted.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from fakestripe.drawing.lane import lane
from fakestripe.drawing.markup import Child, Markup, element, plural
from fakestripe.drawing.track import axis
from fakestripe.protocol.secrets import masked
from fakestripe.verdict import words
from fakestripe.verdict.finding import OperationVerdict
from fakestripe.verdict.lanes import chart

ATTEMPTS: Final = 40
"""How many attempts of one operation are drawn."""
TONES: Final = {"clean": "fine", "unpaid": "quiet", "inconclusive": "doubt"}
"""How a word looks, unless it is red."""


def badge(word: str, tone: str | None = None) -> Markup:
    """Return a word as a mark; ``tone`` is "red", "doubt", "fine" or "quiet"."""
    return element("span", word, class_=f"badge {tone or tone_of(word)}")


def tone_of(word: str) -> str:
    """Return how a word of the verdict looks."""
    return TONES.get(word, "red")


def operation(
    found: OperationVerdict, points: Mapping[str, str], prefix: str, *, unfolded: bool, said: str
) -> Markup:
    """Return one operation; ``prefix`` keeps its id apart from those of other runs.

    What is ``said`` of the whole run is not said again.
    """
    return element(
        "details",
        element(
            "summary",
            element("h3", masked(found.operation)),
            badge(found.verdict),
            *(element("span", flag, class_="flag") for flag in found.flags),
            element("span", f"hazard: {found.hazard}", class_="flag") if found.hazard else None,
            element("span", _counted(found), class_="facts"),
        ),
        element("p", sentence(words.WORDS[found.verdict].meaning), class_="meaning"),
        *_drawing(found, points),
        element("dl", *_why(found, said), class_="why"),
        id=f"{prefix}-{_slug(found)}",
        class_=f"operation {tone_of(found.verdict)}",
        open=unfolded,
    )


def _slug(found: OperationVerdict) -> str:
    """Return what names an operation in an address: its first arrival, or else its name."""
    if found.attempts:
        kind = "refund" if found.operation.endswith("(refund)") else "arrival"
        return f"{kind}-{found.attempts[0].attempt.arrival}"
    return re.sub(r"[^A-Za-z0-9]+", "-", masked(found.operation))


def sentence(text: str) -> str:
    """Return a meaning as a sentence of its own."""
    return f"{text[0].upper()}{text[1:]}."


def _counted(found: OperationVerdict) -> str:
    wanted = found.intended
    intended = "no intent declared"
    if wanted is not None:
        amount = f" of {wanted.amount} {wanted.currency or ''}".rstrip() if wanted.amount else ""
        intended = f"intended {wanted.count}{amount}"
    done = "refunded" if found.operation.endswith("(refund)") else "charged"
    return f"{intended} · {done} {len(found.charges)} · believed {found.believed}"


def _drawing(found: OperationVerdict, points: Mapping[str, str]) -> Iterator[Markup]:
    drawn = chart(found, points, ATTEMPTS)
    if not drawn.lanes:
        return
    yield element("ol", *(lane(each) for each in drawn.lanes), class_="lanes")
    if drawn.seconds:
        yield element("div", axis(drawn), class_="scale")
    more = len(found.attempts) - len(drawn.lanes)
    if more > 0:
        yield element(
            "p", f"… and {more} more {plural(more, 'attempt')}, not drawn", class_="rest"
        )


def _why(found: OperationVerdict, said: str) -> Iterator[Markup]:
    """Yield the cause, the difference and the remedy, as far as there are any."""
    rows: list[tuple[str, Child]] = [
        ("cause", element("code", found.cause) if found.cause else None),
        ("what happened", masked(found.explanation)),
        ("first difference", masked(found.difference or "")),
        ("remedy", None if found.remedy in said else found.remedy),
        (f"hazard {found.hazard}", masked(found.danger) if found.hazard else None),
    ]
    for name, told in rows:
        if told:
            kind = name.partition(" ")[0]
            yield element("div", element("dt", name), element("dd", told), class_=kind)
