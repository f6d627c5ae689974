"""The table of a check, and after it whatever the reader has to act on.

A word is never left bare: those that occur are explained below the table.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from fakestripe.cli.checking import doubts, failures, refusals
from fakestripe.cli.checking.judged import DOUBT, RED, Judged, exit_status, ordered
from fakestripe.cli.checking.session import Session
from fakestripe.verdict import words

HEAD: Final = ("profile", "attempts", "charges", "verdict", "cause")
NOT_EXERCISED: Final = "not exercised"
WHY_NOT: Final = "the profile's fault found nothing to strike: it says nothing about this client"


def told(session: Session) -> str:
    """Return everything that is said after the runs."""
    runs = session.runs
    parts = ["\n".join(rows(runs)), "\n".join(_legend(runs))]
    parts += failures.told(session)
    parts += doubts.told(runs)
    parts += doubts.warned(runs)
    parts.append(refusals.told(session.refused))
    parts.append(conclusion(session))
    return "\n\n".join(part for part in parts if part)


def rows(runs: Sequence[Judged]) -> Iterator[str]:
    """Yield the lines of the table, the worst first, as wide as their widest words."""
    cells = [HEAD, *(row(run) for run in ordered(runs))]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    for line in cells:
        name, attempts, charges, word, cause = line
        yield (
            f"{name:<{widths[0]}}  {attempts:>{widths[1]}}  {charges:>{widths[2]}}  "
            f"{word:<{widths[3]}}  {cause}"
        ).rstrip()


def row(run: Judged) -> tuple[str, str, str, str, str]:
    """Return the cells of one run."""
    found = run.verdict
    return (run.profile.name, str(found.attempts), str(found.charges), _word(run), _cause(run))


def _word(run: Judged) -> str:
    if not run.exercised:
        return NOT_EXERCISED
    found = run.verdict
    expected = words.WORDS[found.word].red and run.status != RED
    few = run.profile.only is not None
    part = f", exercised {found.exercised} of {found.exercisable}" if few else ""
    return f"{found.word}{' (expected)' if expected else ''}{part}"


def _cause(run: Judged) -> str:
    found = run.verdict
    if not run.exercised:
        return ""
    if found.cause is not None:
        return found.cause
    if found.hazard is not None:
        return f"hazard: {found.hazard}"
    return ", ".join(doubts.reasons(run))


def _legend(runs: Sequence[Judged]) -> Iterator[str]:
    seen = {run.verdict.word for run in runs if run.exercised}
    yield from (words.shown(word) for word in words.WORDS if word in seen)
    if not all(run.exercised for run in runs):
        yield f"{NOT_EXERCISED} ({WHY_NOT})"


def conclusion(session: Session) -> str:
    """Return the answer in one line."""
    runs = session.runs
    met = f"{sum(run.exercised for run in runs)} of {len(runs)} profiles"
    red = sum(run.status == RED for run in runs)
    if red:
        return f"red: {red} of {len(runs)} profiles found what a correct client would not do"
    if exit_status(session.asked, runs) == DOUBT:
        return f"nothing red under {met}, but doubts remain"
    return f"nothing red under {met}"
