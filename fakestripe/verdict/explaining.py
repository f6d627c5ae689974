"""One sentence per word: what stands in the ledger against what was intended and believed.

It names charges and attempts of this run; what a word means in general is in ``words``.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from fakestripe.protocol.further_key import dollars
from fakestripe.verdict.belief import Believed
from fakestripe.verdict.blame import Blame
from fakestripe.verdict.counting import Count
from fakestripe.verdict.run import Run
from fakestripe.verdict.stopping import stopped
from fakestripe.verdict.timeline import got
from fakestripe.verdict.units import Unit
from fakestripe.verdict.words import REASONS


class Story(Struct, frozen=True):
    """What is known of one operation when its sentence is made."""

    unit: Unit
    believed: Believed
    count: Count
    blame: Blame
    run: Run

    @property
    def intended(self) -> int:
        """How many payments were intended, one where nobody said."""
        return self.unit.intended.count if self.unit.intended else 1

    @property
    def ids(self) -> str:
        """The ids of what stands."""
        return ", ".join(live.id for live in self.unit.live) or "nothing"

    @property
    def verb(self) -> str:
        """What was done to the money."""
        return "refunded" if self.unit.kind == "refund" else "charged"


Teller: TypeAlias = Callable[[Story], str]


def _duplicate(story: Story) -> str:
    noun = "refund" if story.unit.kind == "refund" else "charge"
    if story.blame.charges is None:
        made = len(story.unit.live)
        return f"{made} live {noun}s where {story.intended} was intended: {story.ids}."
    first, second = story.blame.charges
    return (
        f"ch_B ({second}) was created beside ch_A ({first}), because {story.blame.sentence}."
        if noun == "charge"
        else f"{second} was created beside {first}, because {story.blame.sentence}."
    )


def _amount(story: Story) -> str:
    wanted = story.unit.intended.amount if story.unit.intended else None
    wrong = next(live for live in story.unit.live if live.amount != wanted)
    return f"{wrong.id} is {wrong.amount} {wrong.currency}, intended were {wanted}."


def _missing(story: Story) -> str:
    made = f"{len(story.unit.live)} {story.verb}"
    refused = stopped(story.unit)
    why = f"; a spend cap refused arrival {refused[-1].arrival}" if refused else ""
    return f"{story.intended} intended and believed paid, {made}: {story.ids}{why}."


def _orphan(story: Story) -> str:
    if story.count.elsewhere is not None:
        owner = story.run.owner[story.count.elsewhere]
        return (
            f"It was reported paid by {story.count.elsewhere}, which belongs to {owner.name}; its "
            f"own charge is {story.ids}, which nobody was told of."
        )
    if story.blame.cause == "parameters_drifted" and story.blame.pair is not None:
        return (
            f"{story.ids} exists, but the client was told it failed: arrival "
            f"{story.blame.pair[1]} was refused because {story.blame.difference} under the same "
            "key."
        )
    last = story.unit.seen[-1]
    return (
        f"{story.ids} exists, but the client was told it failed; its last attempt "
        f"({last.number}): {got(last.attempt)}."
    )


def _capped(story: Story) -> str:
    last, unit = stopped(story.unit)[-1], story.unit
    meant = f"{story.intended} intended, " if unit.intended else ""
    known = unit.intended is None or len(unit.live) < story.intended
    return (
        f"{meant}{len(unit.live)} {story.verb}{'' if known else ', and nothing tells whose'}: the "
        f"spend cap of {dollars(last.cap_usd_cents or 0)} USD a day refused arrival "
        f"{last.arrival}, with which {dollars(last.spent_usd_cents or 0)} USD would have been "
        "spent."
    )


def _inconclusive(story: Story) -> str:
    first = next(iter(story.count.reasons), None)
    return f"{REASONS[first].meaning.capitalize()}." if first else "Nothing was proven."


def _unpaid(story: Story) -> str:
    made = f"{len(story.unit.live)} {story.verb}"
    return f"{story.intended} intended, {made}, and the client knows it."


def _clean(story: Story) -> str:
    if not story.unit.live:
        return "No charge was made, and none was due."
    attempts = len(story.unit.seen)
    tries = "one attempt" if attempts == 1 else f"{attempts} attempts"
    return f"Charged as intended ({story.ids}) in {tries}."


TELLERS: Final[dict[str, Teller]] = {
    "duplicate": _duplicate,
    "overcharged": _amount,
    "missing": _missing,
    "orphan": _orphan,
    "undercharged": _amount,
    "cap_exceeded": _capped,
    "inconclusive": _inconclusive,
    "unpaid": _unpaid,
    "clean": _clean,
}

REMEDIES: Final[dict[str, str]] = {
    "duplicate": "Send one idempotency key per payment, made before the first attempt.",
    "overcharged": "Compute the amount once per payment and keep it for every attempt.",
    "missing": "Report success only on a 2xx that contains the charge, and give every payment a "
    "key of its own.",
    "orphan": "Retry with the same idempotency key until the outcome is known, or read the "
    "charges back before giving up.",
    "undercharged": "Compute the amount once per payment and keep it for every attempt.",
    "cap_exceeded": "Find out what spent the cap before raising it; what it stopped can be paid "
    "later, with the same idempotency key.",
    "unpaid": "Nothing to mend: a later run can pay. A retry with the same key would have.",
    "clean": "",
}


def explain(story: Story) -> tuple[str, str]:
    """Return the sentence and the remedy of one operation."""
    word = story.count.word
    sentence = TELLERS[word](story)
    if story.blame.remedy:
        return sentence, story.blame.remedy
    if word == "inconclusive":
        return sentence, " ".join(REASONS[reason].remedy for reason in story.count.reasons)
    return sentence, REMEDIES[word]
