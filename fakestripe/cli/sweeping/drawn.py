"""A sweep as one HTML file: every run with its timeline drawn, the worst first."""

from typing import Final

from fakestripe._version import __version__
from fakestripe.cli.checking.redaction import redacted
from fakestripe.cli.sweeping.session import Session
from fakestripe.drawing.operation import tone_of
from fakestripe.drawing.report import Drawn, Report, report
from fakestripe.drawing.run import beside
from fakestripe.sweeping import telling
from fakestripe.sweeping.cells import NEVER, SAME, Cell
from fakestripe.verdict.words import DOUBT, RED

QUIET: Final = "quiet"


def as_html(session: Session) -> str:
    """Return the report that people open in a browser."""
    asked, swept = session.wanted.asked, session.swept
    requests = ", ".join(slot.words for slot in swept.slots)
    return report(
        Report(
            title="fakestripe sweep",
            answer=telling.conclusion(swept),
            red=bool(telling.red(swept)),
            command=redacted(" ".join(asked.program)),
            facts=(f"requests: {requests}", f"seed {asked.seed}", f"fakestripe {__version__}"),
            runs=tuple(_drawn(session, cell) for cell in swept.cells),
        )
    )


def _drawn(session: Session, cell: Cell) -> Drawn:
    found, is_red = cell.verdict, cell.status == RED
    hazard = f"hazard: {found.hazard}" if found.hazard else ""
    return Drawn(
        name=cell.plan.name,
        verdict=found,
        word=cell.word,
        tone=_tone(cell),
        note="expected" if cell.is_expected else "",
        cause=found.cause or hazard,
        source=session.wanted.source(cell.plan) if is_red else None,
        again=session.wanted.again(cell.plan) if is_red else None,
        others=beside(found, [request.attempt for request in cell.requests], ()),
    )


def _tone(cell: Cell) -> str:
    """Return how a run looks: red only where its client does what it should not."""
    if cell.status == RED:
        return "red"
    if cell.status == DOUBT:
        return "doubt"
    if cell.word == NEVER:
        return "unmet"
    quiet = cell.word == SAME or cell.is_expected
    return QUIET if quiet else tone_of(cell.verdict.word)
