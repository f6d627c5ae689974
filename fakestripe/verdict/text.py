"""A verdict as text, like a good test failure: what, when, why, and what to do.

What decides the word is shown whole; of what else is red, doubtful or in danger a few; the rest
is counted. A word is never printed bare.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from fakestripe.verdict import timeline
from fakestripe.verdict.caps_in_words import details, summary
from fakestripe.verdict.finding import OperationVerdict, Verdict
from fakestripe.verdict.words import ORDER, REASONS, shown

WHOLE: Final = 3
"""How many operations are shown with their attempts."""
ATTEMPTS: Final = 12
"""How many attempts of one operation are shown."""
WIDTH: Final = 96
_NUMBER: Final = re.compile(r"(\d) (?=(?:ms|s|min|h)\b)")


def text(verdict: Verdict, *, profile: str | None = None, replay: str | None = None) -> str:
    """Return the verdict for a terminal.

    ``profile`` is the path of the profile, ``replay`` the command that makes this run again.
    """
    return "\n".join(_lines(verdict, profile or verdict.source, replay))


def _lines(verdict: Verdict, profile: str | None, replay: str | None) -> Iterator[str]:
    yield shown(verdict.word)
    for reason in verdict.reasons:
        yield from _wrapped(f"{reason}: {REASONS[reason].meaning}.", "  ")
        yield from _wrapped(f"remedy: {REASONS[reason].remedy}", "    ")
    told = [found for found in _by_weight(verdict) if _is_told(found)]
    printed = {REASONS[reason].remedy for reason in verdict.reasons}
    for found in told[:WHOLE]:
        yield ""
        yield from _operation(found, printed, verdict.points)
    yield from _rest(verdict, told[:WHOLE])
    if verdict.caps:
        yield ""
        yield from capped(verdict)
    yield ""
    yield from _ways_back(verdict, profile, replay)


def _by_weight(verdict: Verdict) -> list[OperationVerdict]:
    """Return the operations, worst first, those in danger before those that are not."""
    return sorted(verdict.operations, key=lambda one: (ORDER[one.verdict], one.hazard is None))


def _is_told(found: OperationVerdict) -> bool:
    """Return whether an operation is worth its timeline: anything but a quiet ``clean``."""
    return found.verdict != "clean" or found.hazard is not None or len(found.attempts) > 1


def _operation(
    found: OperationVerdict, printed: set[str], points: Mapping[str, str]
) -> Iterator[str]:
    flags = f" [{', '.join(found.flags)}]" if found.flags else ""
    yield f"{found.operation}: {shown(found.verdict)}{flags}"
    yield f"  {_counted(found)}"
    for line in list(timeline.lines(found, points))[:ATTEMPTS]:
        yield from _attempt(line)
    if len(found.attempts) > ATTEMPTS:
        yield f"  … and {len(found.attempts) - ATTEMPTS} more attempts"
    if found.difference is not None:
        yield from _wrapped(f"difference: {found.difference}", "  ")
    said = f"cause ({found.cause}): " if found.cause else ""
    yield from _wrapped(f"{said}{found.explanation}", "  ")
    if found.remedy and found.remedy not in printed:
        yield from _wrapped(f"remedy: {found.remedy}", "  ")
    if found.hazard is not None:
        yield from _wrapped(f"hazard ({found.hazard}): {found.danger}", "  ")


def _counted(found: OperationVerdict) -> str:
    wanted = found.intended
    noun = "refunded" if found.operation.endswith("(refund)") else "charged"
    intended = "no intent declared"
    if wanted is not None:
        amount = f" of {wanted.amount} {wanted.currency or ''}".rstrip() if wanted.amount else ""
        intended = f"intended {wanted.count}{amount}"
    return f"{intended}; {noun} {len(found.charges)}; believed {found.believed}"


def _attempt(line: timeline.Line) -> Iterator[str]:
    yield f"  #{line.arrival}  {line.after:>10}  {line.request}  {line.connection}  {line.key}"
    yield from _wrapped(line.happened, " " * 18)
    if line.made is not None:
        yield f"{' ' * 18}{line.made}"
    if line.label:
        yield f"{' ' * 18}{line.label}"


def _rest(verdict: Verdict, told: list[OperationVerdict]) -> Iterator[str]:
    names = {id(found) for found in told}
    rest = Counter(one.verdict for one in verdict.operations if id(one) not in names)
    if rest:
        yield ""
        number = sum(rest.values())
        more = f"{number}{' more' if told else ''} operation{'s' if number > 1 else ''}"
        counts = ", ".join(f"{count} {shown(word)}" for word, count in sorted(rest.items()))
        yield from _wrapped(f"{more}: {counts}", "")


def _ways_back(verdict: Verdict, profile: str | None, replay: str | None) -> Iterator[str]:
    yield f"exercised: {verdict.exercised} of {verdict.exercisable} operations"
    yield from warned(verdict)
    for note in verdict.notes:
        yield from _wrapped(f"note: {note}", "")
    if verdict.unfired_rules:
        yield f"never fired: {', '.join(verdict.unfired_rules)}"
    for miss in verdict.near_misses:
        yield from _wrapped(str(miss), "  ")
    if verdict.profile is not None:
        yield f"profile: {verdict.profile}" + (f" ({profile})" if profile else "")
    if replay is not None:
        yield f"again: {replay}"


def warned(verdict: Verdict) -> Iterator[str]:
    """Yield the warnings of a run, the first of each kind with its remedy, and count the rest."""
    for kind in dict.fromkeys(each.kind for each in verdict.warnings):
        first, *rest = (each for each in verdict.warnings if each.kind == kind)
        yield from _wrapped(str(first), "")
        if rest:
            yield f"  … and {len(rest)} more operation{'s' if len(rest) > 1 else ''} like it"
        yield from _wrapped(f"remedy: {first.remedy}", "  ")


def capped(verdict: Verdict) -> Iterator[str]:
    """Yield what the spend caps of a run let through, and where they stopped it."""
    for cap in verdict.caps:
        yield from _wrapped(f"cap: {summary(cap)}", "")
        for told in details(cap):
            yield from _wrapped(told, "  ")


def _wrapped(line: str, indent: str) -> list[str]:
    """Return a line in lines of at most ``WIDTH``; a number stays with its unit."""
    lines = textwrap.wrap(
        _NUMBER.sub("\\1\N{NO-BREAK SPACE}", line),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [each.replace("\N{NO-BREAK SPACE}", " ") for each in lines]
