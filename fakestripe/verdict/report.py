"""A verdict for its readers: JSON for programs, text like a good test failure."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, json, to_builtins

from fakestripe.protocol.attempt import to_line
from fakestripe.verdict import words
from fakestripe.verdict.finding import OperationVerdict, Seen, Verdict


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict in the public format."""
    return {
        "verdict": verdict.word,
        "reasons": list(verdict.reasons),
        "operations": [operation_json(found) for found in verdict.operations],
        "unfired_rules": list(verdict.unfired_rules),
    }


def operation_json(found: OperationVerdict) -> dict[str, Any]:
    """Return one operation in the public format."""
    line: dict[str, Any] = to_builtins(found)
    line["attempts"] = [attempt_json(seen) for seen in found.attempts]
    return line


def attempt_json(seen: Seen) -> dict[str, Any]:
    """Return one attempt in the public format, as the verdict placed it."""
    line = to_line(seen.attempt)
    return {**line, "operation": seen.operation, "attempt": seen.number, "label": seen.label}


def text(verdict: Verdict, *, profile: str | None = None, replay: str | None = None) -> str:
    """Return the verdict as a readable failure.

    ``profile`` is the path of the profile, ``replay`` the command that replays this run.
    """
    del profile, replay
    lines = [words.shown(verdict.word)]
    lines += [f"  {found.operation}: {words.shown(found.verdict)}" for found in verdict.operations]
    return "\n".join(lines)


def markdown(verdict: Verdict, *, profile: str | None = None, replay: str | None = None) -> str:
    """Return the verdict for a job summary or a comment."""
    return f"```\n{text(verdict, profile=profile, replay=replay)}\n```\n"


def junit(verdict: Verdict) -> str:
    """Return the verdict as a JUnit suite, one case per operation."""
    del verdict
    return "<testsuites/>"


class Format(Struct, frozen=True):
    """A way to write a verdict, and its media type."""

    write: Callable[[Verdict], str]
    content_type: str


def _json(verdict: Verdict) -> str:
    return json.format(json.encode(as_json(verdict)), indent=2).decode()


FORMATS: Final[dict[str, Format]] = {
    "json": Format(_json, "application/json"),
    "text": Format(text, "text/plain"),
    "junit": Format(junit, "application/xml"),
    "markdown": Format(markdown, "text/markdown"),
}
