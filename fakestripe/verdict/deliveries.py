"""What deliveries of events prove: that a fault of theirs reached somebody who could go wrong.

An event that came twice, before the answer or out of order was met by who answered it. One that
was kept back was met by who acted meanwhile: repeated, read back, or said what it believes. Who
sat it out met nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

KEPT_BACK: Final = frozenset({"late", "never"})
TWICE: Final = 2
NEVER: Final = float("inf")


class Delivered(Struct, frozen=True):
    """One attempt to deliver an event (or that it did not set out), and the faults it met."""

    event: str
    endpoint: str
    elapsed_s: float = 0.0
    delivered: bool = False
    faults: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def met(lines: Iterable[Delivered], acted: Callable[[float, float], bool]) -> int:
    """Return how many events met somebody with a fault; ``acted`` says it of a span of seconds."""
    ways: dict[tuple[str, str], list[Delivered]] = {}
    for line in lines:
        if line.faults:
            ways.setdefault((line.event, line.endpoint), []).append(line)
    return len({event for (event, _), struck in ways.items() if _was_met(struck, acted)})


def _was_met(struck: Sequence[Delivered], acted: Callable[[float, float], bool]) -> bool:
    words = {word.partition(" ")[0] for line in struck for word in line.faults}
    came = [line.elapsed_s for line in struck if line.delivered]
    if words & KEPT_BACK and acted(struck[0].elapsed_s, came[0] if came else NEVER):
        return True
    enough = TWICE if "copies" in words else 1
    return not words <= KEPT_BACK and len(came) >= enough
