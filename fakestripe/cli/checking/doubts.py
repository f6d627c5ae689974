"""What keeps a check from being a plain pass: told once a reason, since one remedy mends them all.

A hazard of which a red run is proof already is not told again.
"""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from fakestripe.cli.checking.judged import DOUBT, RED, Judged
from fakestripe.verdict import words
from fakestripe.verdict.causes import CAUSES
from fakestripe.verdict.finding import Warned

WIDTH: Final = 96

HAZARD: Final = "hazard {cause} (no second charge yet, but another fault would make one)"
SAT_OUT: Final = "your client waited until the server gave up, and never timed out,"
SHORTER: Final = (
    "Give it a timeout shorter than the hang (requests.post(…, timeout=2), curl --max-time 2, "
    "stripe.HTTPXClient(timeout=2)), or make the hang longer with --max-hang."
)


def told(runs: Sequence[Judged]) -> list[str]:
    """Return one paragraph per reason, hazard and hint."""
    proven = {run.verdict.cause for run in runs if run.status == RED}
    found: dict[tuple[str, str], list[str]] = {}
    for run in runs:
        for what, remedy in _all(run, proven):
            found.setdefault((what, remedy), []).append(run.profile.name)
    return [_paragraph(what, names, remedy) for (what, remedy), names in found.items()]


def warned(runs: Sequence[Judged]) -> list[str]:
    """Return one paragraph per kind of warning: the first of them, and under how many profiles."""
    found: dict[str, list[tuple[Warned, str]]] = {}
    for run in runs:
        for kind in dict.fromkeys(each.kind for each in run.verdict.warnings):
            first = next(each for each in run.verdict.warnings if each.kind == kind)
            found.setdefault(kind, []).append((first, run.profile.name))
    return [
        _paragraph(str(told[0][0]), [name for _, name in told], told[0][0].remedy)
        for told in found.values()
    ]


def reasons(run: Judged) -> list[str]:
    """Return why a run is inconclusive."""
    found = run.verdict
    if found.word != "inconclusive":
        return []
    of_operations = (reason for each in found.operations for reason in each.reasons)
    return list(dict.fromkeys([*found.reasons, *of_operations]))


def _all(run: Judged, proven: set[str | None]) -> Iterator[tuple[str, str]]:
    """Yield what is doubtful of one run, each with its remedy."""
    if run.exercised and run.status == DOUBT:
        for reason in reasons(run):
            yield f"{reason} ({words.REASONS[reason].meaning})", words.REASONS[reason].remedy
        for miss in run.verdict.near_misses:
            yield f"rule {miss.rule} never fired", f"closest: {miss.closest}"
        hazard = run.verdict.hazard
        if hazard is not None and hazard not in proven:
            yield HAZARD.format(cause=hazard), CAUSES[hazard].remedy
    if _sat_out(run):
        yield SAT_OUT, SHORTER


def _sat_out(run: Judged) -> bool:
    """Return whether a hang ended because the server let go, not because the client did."""
    return any(
        each.left_s is None and any(fault.startswith("hang") for fault in each.faults)
        for each in run.ran.journal.attempts
    )


def _paragraph(what: str, names: Sequence[str], remedy: str) -> str:
    head = textwrap.fill(f"{what} under {', '.join(names)}", WIDTH, subsequent_indent="  ")
    return f"{head}\n{textwrap.indent(textwrap.fill(remedy, WIDTH - 2), '  ')}"
