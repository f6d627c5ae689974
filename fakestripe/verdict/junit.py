"""A verdict as a JUnit suite: one case per operation, red fails, doubt and danger are errors.

Red that the profile expects passes, with what was seen as its output. Warnings, and
what spend caps did, are the output of the suite.
"""

from collections.abc import Iterator
from html import escape  # xml.sax would load sockets

from fakestripe.verdict import text
from fakestripe.verdict.finding import OperationVerdict, Verdict
from fakestripe.verdict.words import REASONS, is_expected, is_red, shown


def junit(verdict: Verdict) -> str:
    """Return the suite of one run."""
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n{suite(verdict)}\n</testsuites>\n'
    )


def suite(verdict: Verdict, name: str | None = None) -> str:
    """Return the ``testsuite`` element of one run, for a report of several."""
    cases = list(_cases(verdict))
    title = _quoted(name or verdict.profile or "fakestripe")
    failures = sum("<failure" in case for case in cases)
    errors = sum("<error" in case for case in cases)
    head = f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'
    said = "\n".join([*text.capped(verdict), *text.warned(verdict)])
    warned = [f"<system-out>{_text(_clear(said))}</system-out>"] if said else []
    return "\n".join([f"<testsuite name={title} {head}>", *cases, *warned, "</testsuite>"])


def _cases(verdict: Verdict) -> Iterator[str]:
    if not verdict.operations or (verdict.reasons and verdict.worst is None):
        what = "; ".join(REASONS[reason].meaning for reason in verdict.reasons)
        yield _case("run", "error", shown(verdict.word), what)
    for found in verdict.operations:
        yield _case(found.operation, _kind(found, verdict), shown(found.verdict), _told(found))


def _kind(found: OperationVerdict, verdict: Verdict) -> str:
    if is_red(found.verdict):
        return "system-out" if is_expected(found, verdict.expect) else "failure"
    doubtful = found.verdict == "inconclusive" or found.hazard is not None
    return "error" if doubtful else "system-out"


def _told(found: OperationVerdict) -> str:
    cause = f"cause ({found.cause}): " if found.cause else ""
    danger = f"\nhazard ({found.hazard}): {found.danger}" if found.hazard else ""
    return f"{cause}{found.explanation}\nremedy: {found.remedy}{danger}"


def _case(name: str, kind: str, message: str, told: str) -> str:
    name, message, told = _clear(name), _clear(message), _clear(told)
    head = f'<testcase classname="fakestripe" name={_quoted(name)}>'
    if kind == "system-out":
        return f"{head}<system-out>{_text(message)}\n{_text(told)}</system-out></testcase>"
    return f"{head}<{kind} message={_quoted(message)}>{_text(told)}</{kind}></testcase>"


def _clear(said: str) -> str:
    """Return a text without what XML cannot say."""
    return "".join(letter for letter in said if letter >= " " or letter in "\n\t")


def _quoted(said: str) -> str:
    """Return a text as the value of an attribute, line ends kept."""
    return f'"{escape(said)}"'.replace("\n", "&#10;").replace("\t", "&#9;")


def _text(said: str) -> str:
    return escape(said, quote=False)
