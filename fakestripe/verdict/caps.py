"""What spend caps did to a run: what they let through, what they stopped, and where.

A cap is of one key and one day of the account's clock (UTC); money is whole cents. Nothing is
judged here: which charges are too many is known already.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt, Moved
from fakestripe.protocol.operation import flat_of, id_in
from fakestripe.verdict.finding import Capped, Doubled, Stop
from fakestripe.verdict.run import Run
from fakestripe.verdict.stopping import is_over_cap
from fakestripe.verdict.surplus import surplus
from fakestripe.verdict.units import Unit

Day: TypeAlias = tuple[str, str]
"""A key, masked, and a day as 2026-11-30."""


class Known(Struct, frozen=True):
    """What the judgement knows.

    ``extra`` are the charges that are too many, with the names of their operations, ``home`` the
    unit of every arrival, ``intents`` what every payment intent asks for.
    """

    extra: dict[str, str]
    home: dict[int, Unit]
    intents: dict[str, int]


def caps_of(run: Run, doubled: Iterable[Unit]) -> tuple[Capped, ...]:
    """Return what the caps of a run did, by key and day; ``doubled`` was charged too often."""
    given = [attempt for attempt in run.records.attempts if attempt.api_key is not None]
    days: dict[Day, list[Attempt]] = {}
    for attempt in given:
        asked = is_over_cap(attempt) or _charge(attempt) is not None
        if asked and attempt.cap_usd_cents is not None:
            days.setdefault((attempt.api_key or "", _day(attempt)), []).append(attempt)
    if not days:
        return ()
    known = Known(
        extra={live.id: unit.name for unit in doubled for live in surplus(unit, run)},
        home={seen.attempt.arrival: unit for unit in run.units for seen in unit.seen},
        intents=dict(_intents(run.records.attempts)),
    )
    return tuple(_capped(day, days[day], known) for day in days)


def _capped(day: Day, attempts: Sequence[Attempt], known: Known) -> Capped:
    made = [(attempt, moved) for attempt in attempts if (moved := _charge(attempt)) is not None]
    refused = [attempt for attempt in attempts if is_over_cap(attempt)]
    return Capped(
        key=day[0],
        day=day[1],
        cap_usd_cents=attempts[-1].cap_usd_cents or 0,
        let_through=len(made),
        let_through_usd_cents=sum(moved.amount for _, moved in made),
        duplicates=tuple(
            Doubled(moved.id, known.extra[moved.id], attempt.arrival)
            for attempt, moved in made
            if moved.id in known.extra
        ),
        stopped=len(refused),
        stopped_operations=tuple(dict.fromkeys(_name(a, known) for a in refused)),
        would_have_doubled=sum(_is_paid(a, known) for a in refused),
        stop=_stop(refused, made, known),
    )


def _stop(
    refused: Sequence[Attempt], made: Sequence[tuple[Attempt, Moved]], known: Known
) -> Stop | None:
    """Return the first refusal after which nothing was let through, else the first of all.

    Of charges that were under way at the same time the sums say which came first: where a refusal
    names all that was ever let through, it was the end of it.
    """
    if not refused:
        return None
    last = made[-1][0].arrival if made else 0
    newest = max((attempt.started_s for attempt, _ in made), default=0.0)
    total = sum(moved.amount for _, moved in made)

    def is_final(each: Attempt) -> bool:
        whole = _before(each, known) >= total and newest <= _end(each)
        return each.arrival > last or whole

    first = next(filter(is_final, refused), refused[0])
    return Stop(
        arrival=first.arrival,
        operation=_name(first, known),
        at=first.at,
        elapsed_s=first.started_s,
        cap_usd_cents=first.cap_usd_cents or 0,
        before_usd_cents=_before(first, known),
        spent_usd_cents=first.spent_usd_cents or 0,
        final=is_final(first),
    )


def _before(refused: Attempt, known: Known) -> int:
    """Return the cents that were committed or reserved when a charge was refused."""
    return (refused.spent_usd_cents or 0) - _amount(refused, known)


def _end(attempt: Attempt) -> float:
    return float("inf") if attempt.ended_s is None else attempt.ended_s


def _charge(attempt: Attempt) -> Moved | None:
    """Return the charge that an arrival made, unless it failed."""
    moved = attempt.moved
    return moved if moved and moved.kind == "charge" and moved.status != "failed" else None


def _name(attempt: Attempt, known: Known) -> str:
    unit = known.home.get(attempt.arrival)
    return unit.name if unit is not None else f"arrival {attempt.arrival}"


def _is_paid(refused: Attempt, known: Known) -> bool:
    """Return whether all that was meant had been charged already when a cap refused one more."""
    unit = known.home.get(refused.arrival)
    if unit is None:
        return False
    meant = 1 if unit.intended is None else unit.intended.count
    before = [live for live in unit.live if live.maker.started_s <= _end(refused)]
    return len(before) >= max(meant, 1)


def _amount(attempt: Attempt, known: Known) -> int:
    """Return the cents that a request asked for; a confirm asks for those of its intent."""
    said = flat_of(attempt).get("amount", "")
    if said.isascii() and said.isdigit():
        return int(said)
    return known.intents.get(id_in(attempt.path) or "", 0)


def _intents(attempts: Iterable[Attempt]) -> Iterator[tuple[str, int]]:
    """Yield the payment intents that were made, with their amounts."""
    for attempt in attempts:
        moved = attempt.moved
        if moved is not None and moved.kind == "intent":
            yield moved.id, moved.amount


def _day(attempt: Attempt) -> str:
    return datetime.fromtimestamp(attempt.at, UTC).date().isoformat()
