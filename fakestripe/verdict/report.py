"""A verdict for its readers: JSON for programs, text, Markdown and JUnit for people and CI.

The JSON is the public format: a field may be added, none renamed.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct, json, to_builtins

from fakestripe.protocol.attempt import to_line
from fakestripe.verdict.finding import OperationVerdict, Seen, Verdict
from fakestripe.verdict.junit import junit
from fakestripe.verdict.text import text

ATTEMPT: Final = (
    "arrival",
    "account",
    "at",
    "connection",
    "request_on_connection",
    "method",
    "path",
    "parameters",
    "idempotency_key",
    "key_state",
    "operation",
    "step",
    "attempt",
    "label",
    "rules",
    "faults",
    "last_point",
    "status",
    "error_code",
    "charge",
    "delivery",
    "bytes_sent",
    "started_s",
    "client_left_at",
    "user_agent",
    "outcome",
    "api_key",
    "policy",
)
"""The fields of an attempt in a verdict; the journal has more."""


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict in the public format."""
    return {
        "verdict": verdict.word,
        "reasons": list(verdict.reasons),
        "operations": [operation_json(found) for found in verdict.operations],
        "unfired_rules": list(verdict.unfired_rules),
        "near_misses": [to_builtins(miss) for miss in verdict.near_misses],
        "warnings": warnings_json(verdict),
        "caps": caps_json(verdict),
    }


def warnings_json(verdict: Verdict) -> list[dict[str, Any]]:
    """Return the warnings in the public format."""
    lines: list[dict[str, Any]] = json.decode(json.encode(verdict.warnings))
    return lines


def caps_json(verdict: Verdict) -> list[dict[str, Any]]:
    """Return what spend caps did, in the public format; money is whole cents."""
    lines: list[dict[str, Any]] = json.decode(json.encode(verdict.caps))
    return lines


def operation_json(found: OperationVerdict) -> dict[str, Any]:
    """Return one operation in the public format."""
    fields = {name: getattr(found, name) for name in found.__struct_fields__}
    attempts = [attempt_json(seen) for seen in found.attempts]
    line: dict[str, Any] = json.decode(json.encode({**fields, "attempts": attempts}))
    return line


def attempt_json(seen: Seen) -> dict[str, Any]:
    """Return one attempt in the public format, as the verdict placed it."""
    line = to_line(seen.attempt)
    line |= {"operation": seen.operation, "attempt": seen.number, "label": seen.label}
    return {name: line[name] for name in ATTEMPT}


def markdown(verdict: Verdict, *, profile: str | None = None, replay: str | None = None) -> str:
    """Return the verdict for a job summary or a comment."""
    head, _, rest = text(verdict, profile=profile, replay=replay).partition("\n")
    return f"**{head}**\n\n```\n{rest.strip()}\n```\n"


class Format(Struct, frozen=True):
    """A way to write a verdict, and its media type."""

    write: Callable[[Verdict], str]
    content_type: str


def _json(verdict: Verdict) -> str:
    return json.format(json.encode(as_json(verdict)), indent=2).decode() + "\n"


FORMATS: Final[dict[str, Format]] = {
    "json": Format(_json, "application/json"),
    "text": Format(text, "text/plain"),
    "junit": Format(junit, "application/xml"),
    "markdown": Format(markdown, "text/markdown"),
}
