"""What changed between two idempotency keys: a counter, a time, some other value, or all of it.

A key is read as fields between punctuation. What looks random proves nothing beyond being new;
a claim about a counter or a time needs the two values to fit the two attempts.
"""

import re
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

_FIELD: Final = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-9A-Za-z]+"
)
_UUID: Final = re.compile(
    r"[0-9a-f]{8}-?[0-9a-f]{4}-?[1-8][0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"
)
_HASH: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{128}")
_MOMENT: Final = re.compile(r"\d{4}-?\d\d-?\d\d(?:[T _-]?\d\d:?\d\d(?::?\d\d)?)?")
_TRY: Final = re.compile(r"(?i)(re)?try|attempt|again|repeat|resend|run")
_COUNTER: Final = re.compile(r"([A-Za-z]*?)(\d{1,3})([A-Za-z]*)")

UNITS: Final = {10: 1.0, 13: 1e3, 16: 1e6, 19: 1e9}
"""How many digits an epoch time has today, and how many of its units make a second."""
EPOCH: Final = (1_000_000_000, 4_200_000_000)
NEAR: Final = 172_800.0
"""Seconds between a time and its request: two days, for clocks and zones."""
DATE: Final = 10
"""Letters of a date without a time of day."""
SHORT: Final = 8
"""A field that is shorter is not called random."""


class Change(Struct, frozen=True):
    """The fields that differ between two keys, in pairs; a missing one is empty."""

    pairs: tuple[tuple[str, str], ...]
    shared: int


def change(first: str, second: str) -> Change:
    """Return what differs between two keys."""
    one, two = _FIELD.findall(first), _FIELD.findall(second)
    if len(one) != len(two):
        return _grown(one, two)
    pairs = tuple((a, b) for a, b in zip(one, two, strict=True) if a != b)
    return Change(pairs, len(one) - len(pairs))


def _grown(one: list[str], two: list[str]) -> Change:
    """Return the change where one key has more fields: what was added to equal beginnings."""
    shared = 0
    while shared < min(len(one), len(two)) and one[shared] == two[shared]:
        shared += 1
    longest = max(len(one), len(two))
    rest_one = one[shared:] + [""] * (longest - len(one))
    rest_two = two[shared:] + [""] * (longest - len(two))
    return Change(tuple(zip(rest_one, rest_two, strict=True)), shared)


def counts(first: str, second: str) -> tuple[str, str] | None:
    """Return the two values of a counter in the keys: ``("1", "2")``, or None.

    A suffix that only the later key has counts where it is a number or says so
    (``ord_1`` and ``ord_1-retry``).
    """
    found = change(first, second)
    if found.shared and all(not a for a, _ in found.pairs):
        added = [b for _, b in found.pairs]
        if all(_TRY.search(part) or _COUNTER.fullmatch(part) for part in added):
            return ("none", "-".join(added))
    if len(found.pairs) != 1:
        return None
    one, two = (_COUNTER.fullmatch(part) for part in found.pairs[0])
    if one is None or two is None or one.group(1, 3) != two.group(1, 3):
        return None
    before, after = int(one.group(2)), int(two.group(2))
    return (str(before), str(after)) if 0 < after - before < SHORT else None


def times(first: str, second: str, gap: float) -> tuple[str, str] | None:
    """Return the two times in the keys of attempts that were ``gap`` seconds apart, or None."""
    if first == second:
        return None
    one, two = _MOMENT.findall(first), _MOMENT.findall(second)
    if one != two and len(one) == len(two) and _dated(one) and _dated(two):
        return (one[0], two[0])
    for a, b in change(first, second).pairs:
        if a.isdigit() and b.isdigit() and _is_time(a, b, gap):
            return (a, b)
    return None


def _dated(moments: list[str]) -> bool:
    return bool(moments) and all("1999" < moment[:4] < "2100" for moment in moments)


def _is_time(a: str, b: str, gap: float) -> bool:
    """Return whether two numbers are the same clock, read as far apart as the attempts were."""
    unit = UNITS.get(len(b))
    if unit is not None and len(a) == len(b) and _epoch(int(b) / unit) and _epoch(int(a) / unit):
        return True
    apart = int(b) - int(a)
    slack = max(0.25 * gap, 0.05)
    units = (1.0, 1e3, 1e6, 1e9)
    return int(a) > 1000 and any(abs(apart / u - gap) <= slack and apart > 2 for u in units)  # noqa: PLR2004


def _epoch(seconds: float) -> bool:
    return EPOCH[0] <= seconds <= EPOCH[1]


def is_moment(value: str) -> bool:
    """Return whether a value is a date, or seconds or fractions since the epoch."""
    unit = UNITS.get(len(value.partition(".")[0]))
    number = value.replace(".", "", 1)
    if unit is not None and number.isascii() and number.isdigit():
        return _epoch(float(value) / unit)
    return bool(_MOMENT.match(value)) and _dated([value])


def is_stamp(value: str, at: float) -> bool:
    """Return whether a value is about the time at which its request was sent.

    A date alone is none: a billing period names a payment.
    """
    whole = value.partition(".")[0]
    unit = UNITS.get(len(whole))
    if unit is not None and whole.isascii() and whole.isdigit():
        return abs(int(whole) / unit - at) <= NEAR
    try:
        said = datetime.fromisoformat(value) if len(value) > DATE else None
    except ValueError:
        return False
    return said is not None and abs(said.replace(tzinfo=UTC).timestamp() - at) <= NEAR


def is_random(part: str) -> bool:
    """Return whether a field looks drawn at random: a UUID, or long and mixed."""
    if _UUID.fullmatch(part.lower()):
        return True
    if len(part) < SHORT or part.isalpha() or part.isdigit():
        return len(part) >= 2 * SHORT and not part.isdigit()
    return True


def is_hash(part: str) -> bool:
    """Return whether a field looks like a digest; at 32 digits it may as well be random."""
    return bool(_HASH.fullmatch(part.lower()))
