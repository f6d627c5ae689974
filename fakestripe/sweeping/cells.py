"""A cell of the matrix: one run under one plan, judged, and laid beside the run without faults.

The word is the verdict's. Where a fault struck a request that moves no money, and each payment
was made as without it, there is nothing to prove and nothing to doubt.
"""

from typing import Final

from msgspec import Struct

from fakestripe import verdict
from fakestripe.bank.journal import Journal
from fakestripe.protocol.lesson import Lesson
from fakestripe.sweeping.oracle import Charges, Compared, charges_of, compared
from fakestripe.sweeping.plans import Plan
from fakestripe.sweeping.requests import Place, Request, requests_of
from fakestripe.verdict import Verdict, words
from fakestripe.verdict.words import DOUBT, FINE, RED

BUG: Final = 4
SAME: Final = "same"
HUNG: Final = "hung"
NEVER: Final = "never fired"
UNPROVEN: Final = frozenset({"client_never_came_back"})


class Made(Struct, frozen=True):
    """A run that was made: its journal, and how the client ended (None: it was stopped)."""

    journal: Journal
    exits: tuple[int | None, ...] = ()


class Plain(Struct, frozen=True):
    """What the runs without faults have: the lesson, requests, charges."""

    lesson: Lesson
    requests: tuple[Request, ...]
    charges: Charges

    @property
    def places(self) -> frozenset[Place]:
        """Where its requests stand."""
        return frozenset(request.place for request in self.requests)


class Cell(Struct, frozen=True):
    """One run under a plan; ``status`` is the exit status that it alone would give."""

    plan: Plan
    verdict: Verdict
    word: str
    status: int
    compared: Compared
    requests: tuple[Request, ...]
    exits: tuple[int | None, ...] = ()
    bugs: tuple[Exception, ...] = ()

    @property
    def disagrees(self) -> bool:
        """Whether the charges say otherwise than the verdict."""
        return self.compared.disagrees(self.verdict.word)

    @property
    def is_expected(self) -> bool:
        """Whether it is red, and any client may get it here."""
        return words.is_red(self.verdict.word) and self.status != RED


def plain_of(records: verdict.Records, lesson: Lesson) -> Plain:
    """Return what is known of a run without faults."""
    return Plain(lesson, requests_of(records, lesson), charges_of(records.attempts, lesson))


def judged(plan: Plan, made: Made, plain: Plain) -> Cell:
    """Return the cell of a run."""
    records = verdict.records_of(made.journal)
    found = verdict.judge(records)
    difference = compared(plain.charges, charges_of(records.attempts, plain.lesson))
    word = _word(plan, found, difference)
    status = verdict.exit_status(found, plan.expect)
    if status != RED and word in {SAME, NEVER}:
        status = FINE
    elif status == FINE and difference.disagrees(found.word):
        status = DOUBT
    return Cell(
        plan=plan,
        verdict=found,
        word=word,
        status=BUG if made.journal.bugs else status,
        compared=difference,
        requests=requests_of(records, plain.lesson),
        exits=made.exits,
        bugs=tuple(made.journal.bugs),
    )


def _word(plan: Plan, found: Verdict, difference: Compared) -> str:
    """Return what stands in the matrix."""
    if words.is_red(found.word):
        return found.word
    if found.unfired_rules:
        return NEVER
    if found.word != "inconclusive":
        return found.word
    reasons = {*found.reasons, *(r for one in found.operations for r in one.reasons)}
    if "client_hung" in reasons:
        return HUNG
    untouched = not plan.last.slot.is_step and not (difference.surplus or difference.lack)
    return SAME if untouched and reasons <= UNPROVEN else found.word
