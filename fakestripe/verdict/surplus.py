"""Which charges of an operation that was charged too often are too many, by order of creation.

The word is decided elsewhere: here a ``duplicate`` is only told apart from what was meant.
"""

from fakestripe.verdict.counting import repeats
from fakestripe.verdict.run import Run
from fakestripe.verdict.truth import Live
from fakestripe.verdict.units import Unit


def surplus(unit: Unit, run: Run) -> list[Live]:
    """Return the charges that are too many in a unit whose word is ``duplicate``."""
    if unit.stray:
        return (repeats(unit, run) if len(unit.live) > 1 else []) or unit.live
    if unit.intended is None:
        return repeats(unit, run)
    over = len(unit.live) - unit.intended.count if unit.excess is None else unit.excess
    return unit.live[-max(over, 1) :]
