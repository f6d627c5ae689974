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
LONG, FOLDED = 0.5, 0.4
"""The part of the whole from which a silence is long, and the one that it then takes."""
FEW: Final = 3
MINUTE: Final = 60.0
"""Among so few spans a long silence leaves room enough, unless it is longer than that."""

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
    """Return the spans, no silence longer than its part of the whole."""
    drawn = list(spans)
    few = len(drawn) <= FEW
    for place in sorted(range(len(drawn)), key=drawn.__getitem__, reverse=True):
        span, rest = drawn[place], sum(drawn) - drawn[place]
        long = span > LONG * (span + rest) and not (few and span < MINUTE)
        if long and rest and silent[place]:
            drawn[place] = rest * FOLDED / (1 - FOLDED)
    return drawn


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
