"""Hazards: no second charge yet, but another fault would make one.

More separate keys than intended payments were used, or two keys for one name. Arrivals that were
plainly refused do not count, but for those that only a spend cap kept from charging once more; nor
do keys that were told a decline, nor runs in which the client read back. Where nothing is meant to
be charged, as with a card that is declined, is no danger.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Final, TypeAlias

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.operation import flat_of, id_in, shape_of
from fakestripe.protocol.settling import is_delivered
from fakestripe.verdict.finding import Seen
from fakestripe.verdict.run import Run
from fakestripe.verdict.stopping import stopped
from fakestripe.verdict.telling import telling
from fakestripe.verdict.units import REFUND, Unit

REFUSED: Final = frozenset({400, 401, 402, 403, 404, 429})
DECLINED: Final = 402
PAIR: Final = 2
HEARD: Final = ("intact", "altered")
ONE_IS_THE_KEY: Final = frozenset({"confirm", "capture"})


Keys: TypeAlias = dict[str, dict[Hashable, Seen]]
"""By step, the first arrival under each key."""


def hazard_of(unit: Unit, run: Run) -> tuple[Seen, Seen] | None:
    """Return two arrivals at one payment under different keys, or None."""
    if (
        len(unit.seen) < PAIR
        or run.read_backs
        or (unit.intended is not None and not unit.intended.count)
        or (unit.identity is not None and not _too_many(unit, run))
    ):
        return None
    intended = _intended(unit)
    for keys in _keys(unit).values():
        if intended is not None and len(keys) > intended:
            first, *_, last = keys.values()
            return first, last
    return None


def _keys(unit: Unit) -> Keys:
    """Return the separate keys that could each have charged.

    An intent that was created without being confirmed is nobody's danger unless it was told of:
    who does not know it cannot confirm it.
    """
    made, spared = _made_under(unit), _spared(unit)
    declined = {_key(s.attempt, made) for s in unit.seen if _heard(s.attempt) == DECLINED}
    by_step: Keys = {}
    for seen in unit.seen:
        key = _key(seen.attempt, made)
        if not seen.attempt.moves and not is_delivered(seen.attempt):
            continue
        refused = _heard(seen.attempt) in REFUSED and seen.attempt.arrival not in spared
        if not refused and key not in declined:
            by_step.setdefault(_step(seen.attempt), {}).setdefault(key, seen)
    return by_step


def _spared(unit: Unit) -> set[int]:
    """Return the arrivals that only a spend cap kept from charging what stood already."""
    if len(unit.live) < max(unit.intended.count if unit.intended else 1, 1):
        return set()
    return {attempt.arrival for attempt in stopped(unit)}


def _step(attempt: Attempt) -> str:
    """Return the step; a part that is given back is another one than a part of another amount."""
    shape = shape_of(attempt.method, attempt.path)
    return f"{shape} {flat_of(attempt).get('amount', '')}" if attempt.step == REFUND else shape


def _too_many(unit: Unit, run: Run) -> bool:
    """Return whether a learnt identity met more keys than payments, or one name two keys."""
    lesson = run.records.header.lesson
    if unit.named or lesson is None or unit.identity is None:
        return True
    if run.keys_met is None:
        run.keys_met = _keys_met(run)
    return run.keys_met[unit.identity] > lesson.identities[unit.identity].count


def _keys_met(run: Run) -> dict[int, int]:
    """Return how many separate keys each identity met at the step where it met most."""
    met: dict[int, Counter[str]] = {}
    for unit in run.units:
        if unit.identity is not None:
            shapes = {shape: len(keys) for shape, keys in _keys(unit).items()}
            met.setdefault(unit.identity, Counter()).update(shapes)
    return {identity: max(count.values(), default=0) for identity, count in met.items()}


def is_ambiguous(unit: Unit, run: Run) -> bool:
    """Return whether nothing says if two keys were one payment's or two payments'."""
    if (
        len(unit.seen) < PAIR
        or unit.intended is not None
        or run.read_backs
        or _intended(unit) is not None
    ):
        return False
    return any(len(keys) > 1 for keys in _keys(unit).values())


def keyless(unit: Unit) -> bool:
    """Return whether a request that moves money came without a key."""
    return any(
        seen.attempt.idempotency_key is None
        and seen.attempt.moves
        and seen.attempt.step not in ONE_IS_THE_KEY
        for seen in unit.seen
    )


def _intended(unit: Unit) -> int | None:
    """Return how many keys a safe client needs; unsaid, one where requests name the payment."""
    if unit.intended is not None:
        return max(unit.intended.count, 1)
    said = [telling(seen.attempt) for seen in unit.seen]
    return 1 if said and set.intersection(*said) else None


def _heard(attempt: Attempt) -> int | None:
    """Return the status that the client was given, true or not."""
    return attempt.status if attempt.delivery in HEARD else None


def _made_under(unit: Unit) -> dict[str, Hashable]:
    """Return the keys under which objects were made: what the server made twice is one."""
    return {
        moved.id: (seen.attempt.account, seen.attempt.idempotency_key)
        for seen in unit.seen
        if (moved := seen.attempt.moved) is not None
        and seen.attempt.idempotency_key is not None
        and seen.attempt.step not in ONE_IS_THE_KEY
    }


def _key(attempt: Attempt, made: Mapping[str, Hashable]) -> Hashable:
    if attempt.step in ONE_IS_THE_KEY:
        about = id_in(attempt.path)
        return made.get(about or "", about)
    if attempt.idempotency_key is None:
        return attempt.arrival
    return (attempt.account, attempt.idempotency_key)
