"""A check as files: the public JSON format, JUnit for CI, Markdown and text for people.

The formats of one verdict are the verdict's own; here they are put together over all runs.
"""

from collections.abc import Callable
from typing import Any, Final
from xml.etree import ElementTree as ET

import msgspec

from fakestripe._version import __version__
from fakestripe.cli.checking import doubts, drawn, failures, table
from fakestripe.cli.checking.judged import RED, Judged, exit_status, ordered
from fakestripe.cli.checking.redaction import redacted
from fakestripe.cli.checking.session import Session
from fakestripe.verdict import report, words


def as_json(session: Session) -> str:
    """Return the report that programs read."""
    asked, runs = session.asked, session.runs
    content = {
        "fakestripe": __version__,
        "command": [redacted(word) for word in asked.program],
        "seed": asked.seed,
        "verdict": words.worst(run.verdict.word for run in runs if run.exercised),
        "exit_status": exit_status(asked, runs),
        "intents": _intents(session),
        "runs": [_run(run) for run in runs],
    }
    return redacted(msgspec.json.format(msgspec.json.encode(content), indent=2).decode()) + "\n"


def _intents(session: Session) -> list[dict[str, Any]]:
    """Return what was learned, in the form in which intents are declared."""
    return [
        {
            "operation": identity.shape,
            "amount": identity.amount,
            "currency": identity.currency,
            "count": identity.count,
            "customer": None,
            "match": None,
        }
        for identity in session.taught.lesson.identities
    ]


def _run(run: Judged) -> dict[str, Any]:
    found = run.verdict
    return {
        "profile": run.profile.name,
        "expect": list(run.profile.expect),
        "exercised": run.exercised,
        "replica_count": run.ran.trial.replicas,
        "client_exits": list(run.ran.performed.exits),
        "attempts": found.attempts,
        "charges": found.charges,
        "rules_fired": list(found.fired_rules),
        "verdict": found.word,
        "reasons": doubts.reasons(run),
        "near_misses": msgspec.to_builtins(found.near_misses),
        "warnings": report.warnings_json(found),
        "caps": report.caps_json(found),
        "operations": [report.operation_json(each) for each in found.operations],
    }


def as_text(session: Session) -> str:
    """Return what the terminal shows."""
    return redacted(table.told(session)) + "\n"


def as_markdown(session: Session) -> str:
    """Return the table, and the red runs in full, for a job summary."""
    lines = [_row(table.HEAD), _row(["---"] * len(table.HEAD))]
    lines += [_row(table.row(run)) for run in ordered(session.runs)]
    parts = ["\n".join(lines)]
    parts += [
        report.markdown(
            run.verdict, profile=run.profile.source, replay=session.asked.again(run.profile)
        )
        for run in session.runs
        if run.status == RED
    ]
    return redacted("\n\n".join(parts)) + "\n"


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def as_junit(session: Session) -> str:
    """Return one case per profile: red fails, what was not exercised is skipped."""
    runs = session.runs
    suite = ET.Element("testsuite", name="fakestripe check", tests=str(len(runs)))
    suite.set("failures", str(sum(run.status == RED for run in runs)))
    suite.set("skipped", str(sum(not run.exercised for run in runs)))
    for run in runs:
        case = ET.SubElement(suite, "testcase", name=run.profile.name)
        case.set("classname", "fakestripe.check")
        if run.status == RED:
            failure = ET.SubElement(case, "failure", message=words.shown(run.verdict.word))
            failure.text = _clear(failures.in_full(session, run))
        elif not run.exercised:
            ET.SubElement(case, "skipped", message=table.WHY_NOT)
    warned = doubts.warned(runs)
    if warned:
        ET.SubElement(suite, "system-out").text = _clear("\n\n".join(warned))
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _clear(text: str) -> str:
    """Return a text without keys and without what XML cannot say."""
    return "".join(letter for letter in redacted(text) if letter >= " " or letter in "\n\t")


FORMATS: Final[dict[str, Callable[[Session], str]]] = {
    ".json": as_json,
    ".xml": as_junit,
    ".md": as_markdown,
    ".txt": as_text,
    ".html": drawn.as_html,
}
