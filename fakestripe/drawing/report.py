"""The report of several runs as one file: what was found, the table, and every run in full.

It needs no script and no network, and stays readable where it is printed.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from fakestripe.drawing.document import Document, document
from fakestripe.drawing.legend import legend
from fakestripe.drawing.markup import Markup, element, plural
from fakestripe.drawing.operation import badge
from fakestripe.drawing.run import Beside, body
from fakestripe.verdict.finding import Verdict
from fakestripe.verdict.words import ORDER

OPERATIONS: Final = 20
"""How many operations of one run are drawn."""
HEAD: Final = ("verdict", "profile", "attempts", "charges", "cause")
RANKS: Final = {"red": 0, "doubt": 1, "quiet": 2, "fine": 2, "unmet": 3}
"""Where a run stands, before its word is asked; what was not exercised says nothing."""


class Drawn(Struct, frozen=True, kw_only=True):
    """One run to draw.

    ``word`` is what its badge says and ``tone`` how it looks ("red", "doubt", "fine", "quiet", and
    "unmet" for what was not exercised), ``note`` what is said beside it, ``again`` the command
    that makes the run once more.
    """

    name: str
    verdict: Verdict
    word: str
    tone: str
    note: str = ""
    cause: str = ""
    source: str | None = None
    again: str | None = None
    others: Beside = Beside()


class Report(Struct, frozen=True, kw_only=True):
    """What a report says: the answer in one line, the command, what was learned, the runs."""

    title: str
    answer: str
    red: bool
    command: str
    facts: tuple[str, ...] = ()
    runs: tuple[Drawn, ...] = ()


def report(told: Report) -> str:
    """Return the file."""
    runs = sorted(told.runs, key=lambda run: (RANKS[run.tone], ORDER[run.verdict.word]))
    content = element(
        "main",
        element(
            "header",
            element("p", told.title, class_="product"),
            element("h1", told.answer, class_="red" if told.red else None),
            element("p", element("code", told.command), class_="command"),
            element("ul", *(element("li", fact) for fact in told.facts), class_="learned"),
        ),
        _table(runs),
        element(
            "section",
            element("h2", "Runs"),
            legend(),
            *_runs(runs),
            class_="runs",
        ),
    )
    return document(Document(f"{told.title}: {told.answer}", content))


def _table(runs: Sequence[Drawn]) -> Markup:
    head = element("tr", *(element("th", name, scope="col", role="columnheader") for name in HEAD))
    rows = (_row(run, number) for number, run in enumerate(runs))
    return element(
        "section",
        element("h2", "Profiles, worst first"),
        element(
            "table",
            element("thead", head, role="rowgroup"),
            element("tbody", *rows, role="rowgroup"),
            role="table",
        ),
        class_="summary",
    )


def _row(run: Drawn, number: int) -> Markup:
    cells = (
        ("verdict", [badge(run.word, run.tone), _note(run)]),
        ("profile", element("a", run.name, href=f"#run-{number}")),
        ("attempts", _number(run.verdict.attempts, "attempt")),
        ("charges", _number(run.verdict.charges, "charge")),
        ("cause", element("code", run.cause) if run.cause else None),
    )
    return element(
        "tr",
        *(
            element("th" if name == "profile" else "td", cell, class_=name, role=_role(name))
            for name, cell in cells
        ),
        role="row",
    )


def _number(count: int, noun: str) -> tuple[str, Markup]:
    """Return a number; where the table has no head, its noun is shown too."""
    return str(count), element("span", f" {plural(count, noun)}", class_="noun")


def _role(name: str) -> str:
    return "rowheader" if name == "profile" else "cell"


def _note(run: Drawn) -> Markup | None:
    return element("span", run.note, class_="flag") if run.note else None


def _runs(runs: Sequence[Drawn]) -> Iterator[Markup]:
    """Yield the runs: one mistake shows under many profiles, and its first run stands open."""
    told: set[tuple[str, str]] = set()
    for number, run in enumerate(runs):
        new = (run.verdict.word, run.cause) not in told
        told.add((run.verdict.word, run.cause))
        yield _run(run, number, unfolded=run.tone == "red" and new)


def _run(run: Drawn, number: int, *, unfolded: bool) -> Markup:
    return element(
        "details",
        element(
            "summary",
            element("h2", run.name),
            badge(run.word, run.tone),
            _note(run),
            element("span", _counted(run.verdict), class_="facts"),
        ),
        element("div", *_content(run, f"run-{number}"), id=f"run-{number}"),
        class_=f"run {run.tone}",
        open=unfolded,
    )


def _counted(found: Verdict) -> str:
    attempts, charges = found.attempts, found.charges
    return f"{attempts} {plural(attempts, 'attempt')} · {charges} {plural(charges, 'charge')}"


def _content(run: Drawn, prefix: str) -> Iterator[Markup]:
    yield from body(run.verdict, run.others, prefix, OPERATIONS)
    if run.again is not None:
        yield element(
            "div",
            element("h3", "Run it again"),
            element("pre", element("code", run.again)),
            element("p", run.source, class_="source") if run.source else None,
            class_="again",
        )
