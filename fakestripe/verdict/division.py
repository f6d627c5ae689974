"""Whether replicas may have divided the work: charges that differ in what may name them.

Who runs several replicas may let each do its own part, or let each do the whole under a name that
it made up; nothing on the wire tells the two apart. Charges that share what the fault-free runs
did not have are one payment made twice, as are those that differ in nothing but a time.
"""

from collections import Counter
from typing import Final, TypeAlias

from fakestripe.bank.identities import made_by
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.lesson import Lesson
from fakestripe.protocol.operation import flat_of, id_in, selected
from fakestripe.verdict.keys import is_moment
from fakestripe.verdict.run import Run
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import Unit

SAME: Final = frozenset({"amount", "currency"})
"""Parameters that never name a payment."""
Name: TypeAlias = frozenset[tuple[str, str]]


def is_divided(unit: Unit, lesson: Lesson, run: Run) -> bool:
    """Return whether the second charges of a unit may be other replicas' own payments."""
    selector = run.records.selector
    if run.records.header.replicas <= 1:
        return False
    if unit.named and selector is None:
        return True
    lives = _beside(unit, run) if unit.stray else unit.live
    names = Counter(_name(live, unit, lesson, selector) for live in lives)
    keys = [live.maker.idempotency_key for live in lives if live.maker.idempotency_key]
    return len(names) > 1 and max(names.values()) == 1 and len(set(keys)) == len(keys)


def _beside(unit: Unit, run: Run) -> list[Live]:
    """Return the charges that a stray one may double, and itself."""
    amounts = {(live.amount, live.currency) for live in unit.live}
    others = {live.id: live for other in run.units for live in other.live}
    return [live for live in others.values() if (live.amount, live.currency) in amounts]


def _name(live: Live, unit: Unit, lesson: Lesson, selector: str | None) -> Name:
    """Return what a charge has that may name it: by the selector, else all that is new."""
    flat = flat_of(_first(live, unit))
    named = None if selector is None else selected(selector, flat)
    if named is not None:
        return frozenset({("", named)})
    pairs = [pair for identity in lesson.identities for pair in identity.parameters]
    made = {name for name, value in pairs if value.startswith("<")}
    volatile = {name for names in lesson.volatile.values() for name in names}
    return frozenset(
        (name, value)
        for name, value in flat.items()
        if name not in SAME | made
        and (name, value) not in pairs
        and not (name in volatile and is_moment(value))
    )


def _first(live: Live, unit: Unit) -> Attempt:
    """Return the request that created what a charge was made of: a confirm says little."""
    about = id_in(live.maker.path)
    makers = (a for a in unit.attempts if about in a.ids or about in made_by(a))
    return live.maker if about is None else next(makers, live.maker)
