"""The red runs of a check, each with the way back to it.

One mistake shows under many profiles. The first run of a word and cause is told in full; the
others are the same story again, so only the commands that replay them follow.
"""

from fakestripe.cli.checking.judged import RED, Judged, ordered
from fakestripe.cli.checking.session import Session
from fakestripe.verdict import words
from fakestripe.verdict.text import text


def told(session: Session) -> list[str]:
    """Return the paragraphs about what is red."""
    alike: dict[tuple[str, str | None], list[Judged]] = {}
    for run in ordered(session.runs):
        if run.status == RED:
            alike.setdefault((run.verdict.word, run.verdict.cause), []).append(run)
    parts = []
    for (word, cause), runs in alike.items():
        parts.append(in_full(session, runs[0]))
        if runs[1:]:
            by = f" by {cause}" if cause else ""
            lines = [f"the same, {words.shown(word)}{by}, under {len(runs) - 1} more:"]
            lines += [f"  {session.asked.again(run.profile)}" for run in runs[1:]]
            parts.append("\n".join(lines))
    return parts


def in_full(session: Session, run: Judged) -> str:
    """Return one red run as a readable failure."""
    return text(run.verdict, profile=run.profile.source, replay=session.asked.again(run.profile))
