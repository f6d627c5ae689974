"""A check as one HTML file: every run with its timeline drawn, the worst first."""

from fakestripe import verdict
from fakestripe._version import __version__
from fakestripe.cli.checking import table
from fakestripe.cli.checking.judged import DOUBT, RED, Judged
from fakestripe.cli.checking.redaction import redacted
from fakestripe.cli.checking.session import Session
from fakestripe.drawing.operation import tone_of
from fakestripe.drawing.report import Drawn, Report, report
from fakestripe.drawing.run import beside


def as_html(session: Session) -> str:
    """Return the report that people open in a browser."""
    asked, runs = session.asked, session.runs
    return report(
        Report(
            title="fakestripe check",
            answer=table.conclusion(session),
            red=any(run.status == RED for run in runs),
            command=redacted(" ".join(asked.program)),
            facts=(*_learned(session), f"seed {asked.seed}", f"fakestripe {__version__}"),
            runs=tuple(_drawn(session, run) for run in runs),
        )
    )


def _learned(session: Session) -> tuple[str, ...]:
    """Return what the client sets out to pay."""
    lesson = session.taught.lesson
    total = ", ".join(f"{amount} {currency}" for currency, amount in lesson.total.items())
    count = f"{lesson.count} payment{'' if lesson.count == 1 else 's'}"
    return (f"it sets out to make {count}{f', {total} in all' if total else ''}",)


def _drawn(session: Session, run: Judged) -> Drawn:
    records = verdict.records_of(run.ran.journal)
    _, _, _, word, cause = table.row(run)
    name, _, note = word.partition(" ") if run.exercised else (word, "", "")
    return Drawn(
        name=run.profile.name,
        verdict=run.verdict,
        word=name.rstrip(","),
        tone=_tone(run),
        note=note.strip("()"),
        cause=cause,
        source=run.profile.source,
        again=session.asked.again(run.profile),
        others=beside(run.verdict, records.attempts, records.edge),
    )


def _tone(run: Judged) -> str:
    """Return how a run looks: red only where its client does what it should not."""
    if not run.exercised:
        return "unmet"
    if run.status == RED:
        return "red"
    if run.status == DOUBT:
        return "doubt"
    tone = tone_of(run.verdict.word)
    return "quiet" if tone == "red" else tone
