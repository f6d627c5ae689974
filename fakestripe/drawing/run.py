"""One run, drawn, or one account: its operations, the worst and newest first, and what else came.

A report shows runs that are over, the page one that goes on: both are drawn by this.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from fakestripe.drawing.markup import Markup, element
from fakestripe.drawing.operation import operation, sentence, tone_of
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.duration import words as in_words
from fakestripe.protocol.secrets import masked
from fakestripe.verdict import timeline
from fakestripe.verdict.caps_in_words import details, summary
from fakestripe.verdict.edge import Struck
from fakestripe.verdict.finding import OperationVerdict, Verdict
from fakestripe.verdict.words import ORDER, REASONS, WORDS

UNFOLDED: Final = 3
"""How many operations of a run stand open."""
OTHERS: Final = 20
"""How many requests that belong to no payment are listed."""


class Beside(Struct, frozen=True):
    """What came beside the operations: other requests, and connections that were struck."""

    attempts: tuple[Attempt, ...] = ()
    edge: tuple[Struck, ...] = ()


def beside(found: Verdict, attempts: Sequence[Attempt], edge: Sequence[Struck]) -> Beside:
    """Return what is no part of any operation of a verdict."""
    known = {each.attempt.arrival for one in found.operations for each in one.attempts}
    return Beside(tuple(a for a in attempts if a.arrival not in known), tuple(edge))


def body(found: Verdict, others: Beside, prefix: str, most: int) -> Iterator[Markup]:
    """Yield the content of a run: ``most`` operations are drawn, the rest is counted."""
    for reason in found.reasons:
        why = REASONS[reason]
        head = element("b", f"{sentence(why.meaning)} ")
        yield element("p", head, why.remedy, class_="reason")
    said = "\n".join(REASONS[reason].remedy for reason in found.reasons)
    ordered = sorted(found.operations, key=_weight)
    for place, one in enumerate(ordered[:most]):
        unfolded = place < UNFOLDED and (place == 0 or tone_of(one.verdict) == "red")
        yield operation(one, found.points, prefix, unfolded=unfolded, said=said)
    if ordered[most:]:
        yield element("p", _rest(ordered[most:], most), class_="rest")
    yield from _caps(found, prefix)
    yield from _others(others, prefix)
    yield from _notes(found)


def _weight(one: OperationVerdict) -> tuple[int, bool, int]:
    newest = one.attempts[-1].attempt.arrival if one.attempts else 0
    return ORDER[one.verdict], one.hazard is None, -newest


def _rest(rest: Sequence[OperationVerdict], most: int) -> str:
    counts = Counter(one.verdict for one in rest)
    told = ", ".join(f"{counts[word]} {word} ({WORDS[word].meaning})" for word in counts)
    return f"Drawn are the {most} worst and newest operations. {len(rest)} more: {told}."


def _caps(found: Verdict, prefix: str) -> Iterator[Markup]:
    """Yield what each spend cap let through, what it stopped, and where."""
    for place, cap in enumerate(found.caps):
        told = (sentence(said.removesuffix(".")) for said in details(cap))
        yield element(
            "details",
            element("summary", element("h3", masked(summary(cap)))),
            element("ul", *(element("li", masked(said)) for said in told)),
            class_="others caps",
            id=f"{prefix}-cap-{place}",
            open=True,
        )


def _others(others: Beside, prefix: str) -> Iterator[Markup]:
    """Yield the requests of no operation, newest first, and what struck before any was read."""
    rows = [_request(each) for each in reversed(others.attempts[-OTHERS:])]
    rows += [_struck(each) for each in others.edge[-OTHERS:]]
    if not rows:
        return
    count = len(others.attempts) + len(others.edge)
    newest = f", the newest {len(rows)} of them" if count > len(rows) else ""
    yield element(
        "details",
        element("summary", element("h3", f"Other arrivals ({count}{newest})")),
        element("ul", *rows),
        class_="others",
        id=f"{prefix}-others",
    )


def _request(attempt: Attempt) -> Markup:
    told = timeline.got(attempt) if attempt.ended_s is not None else "under way"
    return element(
        "li",
        element("b", f"#{attempt.arrival}"),
        element("span", in_words(attempt.started_s), class_="at"),
        element("code", masked(f"{attempt.method} {attempt.path}")),
        element("span", told),
    )


def _struck(struck: Struck) -> Markup:
    where = "the port" if struck.connection is None else f"connection {struck.connection}"
    faults = ", then ".join(struck.faults)
    return element(
        "li",
        element("b", "✕"),
        element("span", in_words(struck.elapsed_s), class_="at"),
        element("code", struck.rule),
        element("span", f"{where}: {faults}" if faults else where),
    )


def _notes(found: Verdict) -> Iterator[Markup]:
    notes = [masked(f"{warned}. {warned.remedy}") for warned in found.warnings]
    notes += [masked(note) for note in found.notes]
    notes += [masked(str(miss)) for miss in found.near_misses]
    known = {miss.rule for miss in found.near_misses}
    notes += [f"rule {name} never fired" for name in found.unfired_rules if name not in known]
    if notes:
        yield element("ul", *(element("li", note) for note in notes), class_="notes")
