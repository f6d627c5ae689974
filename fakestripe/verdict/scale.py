"""Time as a drawing shows it: seconds to shares of a width, long silences folded.

Between two events time runs evenly. A silence in which nobody waits for an answer is folded where
it would leave no room for all else, and the drawing says how long it was; what somebody waited
for is never folded. No span is too thin to be seen.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct

ALL: Final = 100.0
THINNEST: Final = 1.5
"""The least share of a span, before all are made to fit."""
LONG: Final = 5.0
FOLDS: Final = 10.0
"""A silence is folded from so many seconds on, where it is so many times longer than all else."""
FOLDED: Final = 0.4
"""The part of the whole that all folded silences take together."""

Stretch: TypeAlias = tuple[float, float]
"""From one moment to a later one."""


class Fold(Struct, frozen=True):
    """A span that is drawn shorter than it was: where, and how many seconds it stands for."""

    share: float
    seconds: float


class Scale(Struct, frozen=True):
    """Moments in order, and the share of the width (0 to 100) at which each of them is."""

    moments: tuple[float, ...]
    shares: tuple[float, ...]
    folds: tuple[Fold, ...] = ()

    @property
    def seconds(self) -> float:
        """How long all of it took."""
        return self.moments[-1] - self.moments[0]

    def share(self, moment: float) -> float:
        """Return where a moment is drawn; one outside of the scale is at its edge."""
        place = bisect_right(self.moments, moment)
        if place in (0, len(self.moments)):
            return self.shares[0 if place == 0 else -1]
        before, after = self.moments[place - 1], self.moments[place]
        part = (moment - before) / (after - before)
        return self.shares[place - 1] + part * (self.shares[place] - self.shares[place - 1])


def scale_of(moments: Iterable[float], busy: Sequence[Stretch] = ()) -> Scale:
    """Return the scale on which some moments are drawn; there is at least one.

    ``busy`` is when somebody waited for an answer.
    """
    known = sorted(set(moments))
    stretches = list(pairwise(known))
    spans = [after - before for before, after in stretches]
    silent = [
        not any(begins < after and ends > before for begins, ends in busy)
        for before, after in stretches
    ]
    drawn = _folded(spans, silent)
    shares = _shares(drawn)
    folds = (
        Fold(round((shares[place] + shares[place + 1]) / 2, 2), span)
        for place, (span, short) in enumerate(zip(spans, drawn, strict=True))
        if short < span
    )
    return Scale(tuple(known), tuple(shares), tuple(folds))


def _folded(spans: Sequence[float], silent: Sequence[bool]) -> list[float]:
    """Return the spans, every silence that leaves no room for all else cut to the same length."""
    rest = sum(span for span, quiet in zip(spans, silent, strict=True) if not quiet)
    long = set()
    for place in sorted(range(len(spans)), key=spans.__getitem__):
        span = spans[place]
        if silent[place] and span >= LONG and span > FOLDS * rest > 0:
            long.add(place)
        elif silent[place]:
            rest += span
    short = rest * FOLDED / (1 - FOLDED) / max(len(long), 1)
    return [short if place in long else span for place, span in enumerate(spans)]


def _shares(spans: Sequence[float]) -> list[float]:
    """Return where each span begins, and where the last one ends."""
    whole = sum(spans) or 1.0
    widths = [max(span / whole * ALL, THINNEST) for span in spans]
    wide = sum(widths) or 1.0
    shares, at = [0.0], 0.0
    for width in widths:
        at += width / wide * ALL
        shares.append(round(at, 2))
    return shares
