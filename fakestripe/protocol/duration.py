"""Durations as words: ``30s``, ``250ms``, ``5m``, ``25h``, ``7d``."""

import re
from typing import Final

_WORD: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)", re.ASCII)
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def seconds(word: str) -> float:
    """Return a duration in seconds; raises ``ValueError`` naming the form for anything else."""
    found = _WORD.fullmatch(word.strip()) if isinstance(word, str) else None
    if found is None:
        raise ValueError(
            f"{word!r} is not a duration: write a number and a unit, such as 30s, 250ms or 25h"
        )
    number, unit = found.groups()
    return round(float(number) * _SECONDS[unit], 6)


def word(amount: float) -> str:
    """Return seconds as a profile writes them: ``30s``, ``250ms``, ``25h``."""
    for unit in ("h", "m", "s"):
        count = amount / _SECONDS[unit]
        if count >= 1 and count == int(count):
            return f"{count:.0f}{unit}"
    return f"{amount * 1000:g}ms" if amount < 1 else f"{amount:g}s"


def words(amount: float) -> str:
    """Return seconds as a reader would say them: ``0.9 ms``, ``2.0 s``, ``24 h 1 s``."""
    if amount < 1:
        return f"{amount * 1000:.1f} ms"
    if amount < 60:  # noqa: PLR2004
        return f"{amount:.1f} s"
    parts: list[str] = []
    rest = int(amount)
    for size, unit in ((3600, "h"), (60, "min"), (1, "s")):
        count, rest = divmod(rest, size)
        if count and len(parts) < 2:  # noqa: PLR2004
            parts.append(f"{count} {unit}")
    return " ".join(parts)
