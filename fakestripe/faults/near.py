"""How near an arrival came to a rule that it did not meet: which fields differed, and how much.

Only a rule that has not struck yet is worth the comparison, and an arrival only for as long as it
may be the nearest: both keep this cheap. What was nearest is a line of the journal, so that a
journal judged later says the same. Nothing is decided here.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, to_builtins

from fakestripe.bank import Bank
from fakestripe.faults.rules import Rule
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.secrets import masked_tree

Stage: TypeAlias = Literal["match", "when", "shadowed", "unreached"]

FARNESS: Final[dict[Stage, int]] = {"match": 1000, "when": 100, "shadowed": 10, "unreached": 0}
"""How far from a strike: least, where only its point was not reached."""

WEIGHTS: Final = {"moves": 5, "method": 4, "path": 4}
VALUE: Final = 2
ABSENT: Final = 1
"""What is not there is further away than what is there with another value."""
LONGEST: Final = 200


class Difference(Struct, frozen=True):
    """A field of an arrival that is not as a rule wants it; None: it is not there."""

    field: str
    was: str | None
    wants: str

    @property
    def weight(self) -> int:
        """How much it counts against the arrival."""
        return WEIGHTS.get(self.field, VALUE) + (ABSENT if self.was is None else 0)


def fits(
    rule: Rule, differences: Iterator[Difference], stage: Stage, attempt: Attempt, bank: Bank
) -> bool:
    """Return whether nothing differs; else remember how near the arrival came to the rule."""
    first = next(differences, None)
    if first is None:
        return True
    if rule.name not in bank.fired:
        _weigh(rule, chain((first,), differences), stage, attempt, bank)
    return False


def _weigh(
    rule: Rule, differences: Iterable[Difference], stage: Stage, attempt: Attempt, bank: Bank
) -> None:
    """Look at what differs until it is too much to be the nearest."""
    best, farness, found = bank.near.get(rule.name), FARNESS[stage], []
    for difference in differences:
        farness += difference.weight
        if best is not None and farness >= best:
            return
        found.append(difference)
    _note(rule, stage, farness, bank, _of(attempt), found)


def shadowed(rule: Rule, by: Rule, attempt: Attempt, bank: Bank) -> None:
    """Remember an arrival that a rule would have struck, had no other come before it."""
    if _is_nearer(rule, "shadowed", bank):
        facts = {**_of(attempt), "why": by.name}
        _note(rule, "shadowed", FARNESS["shadowed"], bank, facts, ())


def unreached(rule: Rule, attempt: Attempt, bank: Bank) -> None:
    """Remember an arrival that a rule waited for, and that never came to its point."""
    if _is_nearer(rule, "unreached", bank):
        facts = {**_of(attempt), "why": _why(attempt)}
        _note(rule, "unreached", FARNESS["unreached"], bank, facts, ())


def alternatives(wanted: Iterable[int]) -> str:
    """Return numbers as a reader would say them."""
    return " or ".join(str(each) for each in wanted)


def _is_nearer(rule: Rule, stage: Stage, bank: Bank) -> bool:
    farness = FARNESS[stage]
    return rule.name not in bank.fired and farness < bank.near.get(rule.name, farness + 1)


def _note(  # noqa: PLR0913, PLR0917  # what one line says
    rule: Rule,
    stage: Stage,
    farness: int,
    bank: Bank,
    facts: dict[str, Any],
    differs: Iterable[Difference],
) -> None:
    bank.near[rule.name] = farness
    shown = [_shown(difference) for difference in differs]
    line = {"rule": rule.name, "stage": stage, "at": rule.at, **facts, "differs": shown}
    bank.journal.note("near_miss", line)


def _of(attempt: Attempt) -> dict[str, Any]:
    path = masked_tree(attempt.path)
    return {"arrival": attempt.arrival, "method": attempt.method, "path": path}


def _shown(difference: Difference) -> dict[str, Any]:
    """Return a difference without whole keys and card numbers, and not without end."""
    name = difference.field.rpartition(".")[2]
    line: dict[str, Any] = to_builtins(difference)
    for side in ("was", "wants"):
        if line[side] is not None:
            line[side] = masked_tree(line[side], name)[:LONGEST]
    return line


def _why(attempt: Attempt) -> str:
    """Return why an arrival ended before the point of its rule."""
    if attempt.key_state == "replay":
        return "it was a replay"
    if attempt.method == "GET":
        return "a GET commits nothing"
    if attempt.status is not None:
        return f"it was answered {attempt.status}"
    if attempt.left_s is not None:
        return "its client had left"
    return f"it ended at {attempt.last_point}"
