"""What two fault-free runs teach (identities, names, keys), and where they differ too much.

A parameter belongs to an identity where both runs sent the same multiset of its values; amount
and currency always do. The count of an identity is its live charges, not its requests: a run
that charges one named operation twice without any fault is a warning, never a lesson.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct, field

from fakestripe.bank.identities import made_by
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.lesson import Identity, Lesson, Pairs, maker, stable
from fakestripe.protocol.operation import Flat, flat_of, selected, shape_of
from fakestripe.protocol.settling import is_delivered
from fakestripe.verdict.keys import is_moment
from fakestripe.verdict.records import Records
from fakestripe.verdict.units import Placed, placed_of

NEVER_VOLATILE: Final = frozenset({"amount", "currency"})
Values: TypeAlias = dict[str, Counter[str]]


class Lessee(Struct):
    """One fault-free run while it is read: its requests by shape, what its ids stand for."""

    records: Records
    posts: dict[str, list[tuple[Attempt, Flat]]] = field(default_factory=dict)
    makers: dict[str, str] = field(default_factory=dict)


def learn(first: Records, second: Records) -> Lesson:
    """Return what two fault-free runs, one replica each, have in common."""
    runs = (_read(first), _read(second))
    volatile: dict[str, tuple[str, ...]] = {}
    for shape in dict.fromkeys([*runs[0].posts, *runs[1].posts]):
        volatile[shape] = _volatile(shape, *runs)
        for run in runs:
            _name_ids(run, shape, volatile[shape])
    kinds = _kinds(runs[0], volatile)
    names = _names(kinds, _kinds(runs[1], volatile), volatile)
    named, warnings = _named(first, [placed for kind in kinds.values() for placed in kind])
    return Lesson(
        identities=tuple(
            _identity(kind, placed, names.get(kind, ()), named) for kind, placed in kinds.items()
        ),
        volatile=volatile,
        keys=tuple(sorted(_keys(first) & _keys(second))),
        named=named,
        replayed=any(_repeats(run.records) and not _all_named(run.records) for run in runs),
        refused=any(_refusals(run.records) for run in runs),
        warnings=(*warnings, *_refusals(first)),
    )


def _read(records: Records) -> Lessee:
    run = Lessee(records)
    for attempt in records.attempts:
        if attempt.method == "POST":
            shape = shape_of(attempt.method, attempt.path)
            run.posts.setdefault(shape, []).append((attempt, flat_of(attempt)))
    return run


def _volatile(shape: str, first: Lessee, second: Lessee) -> tuple[str, ...]:
    one, two = _values(first, shape), _values(second, shape)
    differing = {name for name in one.keys() | two.keys() if one.get(name) != two.get(name)}
    return tuple(sorted(differing - NEVER_VOLATILE))


def _values(run: Lessee, shape: str) -> Values:
    values: Values = {}
    for _, flat in run.posts.get(shape, ()):
        for name, value in flat.items():
            values.setdefault(name, Counter())[run.makers.get(value, value)] += 1
    return values


def _name_ids(run: Lessee, shape: str, volatile: tuple[str, ...]) -> None:
    """Let the ids that requests of one shape made stand for those requests."""
    for attempt, flat in run.posts.get(shape, ()):
        pairs = stable(flat, volatile, run.makers)
        for made in {*attempt.ids, *made_by(attempt)} - run.makers.keys():
            run.makers[made] = maker(shape, pairs)


Kind: TypeAlias = tuple[str, Pairs]


def _kinds(run: Lessee, volatile: dict[str, tuple[str, ...]]) -> dict[Kind, list[Placed]]:
    """Return the operations of a run by the identity of their first request."""
    kinds: dict[Kind, list[Placed]] = {}
    for placed in placed_of(run.records):
        attempt = placed.attempts[0]
        shape = shape_of(attempt.method, attempt.path)
        pairs = stable(flat_of(attempt), volatile.get(shape, ()), run.makers)
        kinds.setdefault((shape, pairs), []).append(placed)
    return kinds


def _identity(
    kind: Kind, placed: list[Placed], names: tuple[str, ...], named: dict[str, int]
) -> Identity:
    live = [charge for one in placed for charge in one.live]
    given = dict(kind[1]).get("amount", "")
    return Identity(
        shape=kind[0],
        parameters=kind[1],
        count=sum(named.get(one.name, len(one.live)) for one in placed),
        amount=live[0].amount if live else int(given) if given.isdigit() else None,
        currency=live[0].currency if live else dict(kind[1]).get("currency"),
        names=names,
        refunds=sum(len(one.refunds) for one in placed),
    )


def _names(
    first: dict[Kind, list[Placed]],
    second: dict[Kind, list[Placed]],
    volatile: dict[str, tuple[str, ...]],
) -> dict[Kind, tuple[str, ...]]:
    """Return the parameters that differ in every payment of an identity, times apart."""
    return {
        kind: tuple(
            name
            for name in volatile.get(kind[0], ())
            if _differs(name, placed) and _differs(name, second.get(kind, placed))
        )
        for kind, placed in first.items()
        if len(placed) > 1
    }


def _differs(name: str, placed: Iterable[Placed]) -> bool:
    values = [flat_of(one.attempts[0]).get(name) for one in placed]
    known = [value for value in values if value is not None and not is_moment(value)]
    return len(known) == len(values) == len(set(known))


def _named(first: Records, placed: list[Placed]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the charges of each operation that the selector names, and what is wrong there."""
    found = [one for one in placed if _is_named(one, first)]
    warnings = tuple(
        f"without any fault, {one.name} was charged {len(one.live)} times; once is taken as meant"
        for one in found
        if len(one.live) > 1
    )
    return {one.name: min(len(one.live), 1) for one in found}, warnings


def _is_named(placed: Placed, records: Records) -> bool:
    selector = records.selector
    return selector is not None and placed.name == selected(selector, flat_of(placed.attempts[0]))


def _keys(records: Records) -> set[str]:
    return {
        attempt.idempotency_key
        for attempt in records.attempts
        if attempt.step is not None and attempt.idempotency_key is not None
    }


def _repeats(records: Records) -> bool:
    return any(a.step is not None and a.key_state == "replay" for a in records.attempts)


def _all_named(records: Records) -> bool:
    """Return whether a selector names every operation, and each was charged at most once."""
    return all(_is_named(one, records) and len(one.live) <= 1 for one in placed_of(records))


def _refusals(records: Records) -> tuple[str, ...]:
    """Return, in sentences, which keys came again with other parameters."""
    keys = dict.fromkeys(
        attempt.idempotency_key
        for attempt in records.attempts
        if attempt.step is not None and attempt.key_state == "mismatch" and is_delivered(attempt)
    )
    return tuple(
        f"without any fault, the key {key!r} came again with other parameters and was refused "
        "(idempotency_error); what it should have paid is not counted"
        for key in keys
    )


def differences(first: Records, second: Records) -> tuple[str, ...]:
    """Return, in sentences, where two fault-free runs differ so much that nothing is learnt."""
    return tuple(_differences(first, second))


def _differences(first: Records, second: Records) -> Iterator[str]:
    one, two = _steps(first), _steps(second)
    for shape in dict.fromkeys([*one, *two]):
        if one[shape] != two[shape]:
            yield f"{shape}: {one[shape]} requests in the first run, {two[shape]} in the second"
    made, again = _charges(first), _charges(second)
    for amount, currency in sorted((made | again).keys()):
        counts = made[amount, currency], again[amount, currency]
        if counts[0] != counts[1]:
            yield (
                f"charges of {amount} {currency}: {counts[0]} in the first run, {counts[1]} in "
                "the second"
            )


def _steps(records: Records) -> Counter[str]:
    steps = [attempt for attempt in records.attempts if attempt.step is not None]
    return Counter(shape_of(attempt.method, attempt.path) for attempt in steps)


def _charges(records: Records) -> Counter[tuple[int, str]]:
    moved = [attempt.moved for attempt in records.attempts if attempt.moved is not None]
    return Counter(
        (one.amount, one.currency)
        for one in moved
        if one.kind == "charge" and one.status != "failed"
    )
