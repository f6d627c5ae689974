"""The attempts of one operation as a drawing shows them: a lane each, on one scale of time.

Pure values, nothing of HTML: where a lane begins and ends, how far its request came, what struck
it, what it made, what its client was told, and under which key. What a caller wrote is masked.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.points import ORDER
from fakestripe.protocol.secrets import masked
from fakestripe.verdict import timeline
from fakestripe.verdict.finding import OperationVerdict, Seen
from fakestripe.verdict.scale import Fold, Scale, scale_of

State: TypeAlias = Literal["passed", "skipped", "ahead"]
Told: TypeAlias = Literal["intact", "altered", "partial", "none", "waiting"]

STOPS: Final = ("received", "claimed", "committed", "replying", "sent")
"""The points that a drawing shows; what ends before the first was never read."""
INSIDE: Final = frozenset({"claimed", "committed"})
"""The points that a replay skips."""
WRONG: Final = frozenset({"overcharged", "undercharged"})
"""The words under which every charge is a wrong one."""


class Stop(Struct, frozen=True):
    """One point on the way of a request: whether it came there, and whether a fault struck."""

    point: str
    state: State
    struck: bool = False
    commits: bool = False


class Mark(Struct, frozen=True):
    """What a lane made or was given again: ``name`` is ch_A, or what kind of thing it is."""

    name: str
    id: str
    kind: Literal["made", "replayed", "failed"]
    wrong: bool = False


class Key(Struct, frozen=True):
    """The idempotency key of a lane: K1 for the first of the operation, K2 for the next."""

    name: str
    text: str
    state: str


class Lane(Struct, frozen=True, kw_only=True):
    """One attempt: ``start``, ``end`` and ``left`` are shares of the width, 0 to 100.

    ``left`` is where the client gave up, before the exchange ended; ``faults`` are those that
    struck, in words, ``said`` the error that the answer named.
    """

    attempt: Attempt
    line: timeline.Line
    start: float
    end: float
    left: float | None
    stops: tuple[Stop, ...]
    marks: tuple[Mark, ...]
    key: Key | None
    told: Told
    answer: str
    faults: tuple[str, ...]
    said: str | None


class Chart(Struct, frozen=True):
    """The lanes of an operation, how long all of it took, and where time is folded."""

    lanes: tuple[Lane, ...]
    seconds: float = 0.0
    folds: tuple[Fold, ...] = ()


def chart(found: OperationVerdict, points: Mapping[str, str], most: int | None = None) -> Chart:
    """Return the drawing of an operation, of its first ``most`` attempts if there are more.

    ``points`` says where each rule strikes.
    """
    seen = found.attempts[:most]
    if not seen:
        return Chart(())
    first = seen[0].attempt
    moments = [_moments(first, each.attempt) for each in seen]
    scale = scale_of(
        (moment for each in moments for moment in each), [(m[0], m[1]) for m in moments]
    )
    keys = _keys(seen)
    names = _names(found)
    surplus = _surplus(found)
    lanes = (
        _lane(each.attempt, line, scale, points, first=first, keys=keys, names=names, bad=surplus)
        for each, line in zip(seen, timeline.lines(found, points), strict=False)
    )
    return Chart(tuple(lanes), scale.seconds, scale.folds)


def _lane(  # noqa: PLR0913  # what the lanes of one chart share
    attempt: Attempt,
    line: timeline.Line,
    scale: Scale,
    points: Mapping[str, str],
    *,
    first: Attempt,
    keys: Mapping[str, str],
    names: Mapping[str, str],
    bad: frozenset[str],
) -> Lane:
    begins, *rest = _moments(first, attempt)
    left = _left(attempt)
    return Lane(
        attempt=attempt,
        line=line,
        start=scale.share(begins),
        end=scale.share(rest[-1]) if attempt.ended_s is not None else 100.0,
        left=None if left is None else scale.share(begins + left),
        stops=tuple(_stops(attempt, points)),
        marks=tuple(_marks(attempt, names, bad)),
        key=_key(attempt, keys),
        told=attempt.delivery if attempt.ended_s is not None else "waiting",
        answer="under way" if attempt.ended_s is None else timeline.got(attempt),
        faults=attempt.faults,
        said=attempt.error_code or attempt.error_type,
    )


def _moments(first: Attempt, attempt: Attempt) -> list[float]:
    """Return when an attempt began, when its client left, and when it ended.

    By the clock that nobody moves, and the moves of the account's own on top of it.
    """
    real, account = attempt.started_s - first.started_s, attempt.at - first.at
    begins = account if abs(account - real) > timeline.MOVED else real
    left = _left(attempt)
    ended = attempt.started_s if attempt.ended_s is None else attempt.ended_s
    lasted = max(ended - attempt.started_s, 0.0)
    return [begins, *([] if left is None else [begins + left]), begins + lasted]


def _left(attempt: Attempt) -> float | None:
    """Return after how many seconds the client left, where the exchange outlived it."""
    if attempt.left_s is None or attempt.ended_s is None or attempt.left_s >= attempt.ended_s:
        return None
    return max(attempt.left_s - attempt.started_s, 0.0)


def _stops(attempt: Attempt, points: Mapping[str, str]) -> Iterator[Stop]:
    last = ORDER.get(attempt.last_point, 0)
    struck = {points.get(rule) for rule in attempt.rules} if attempt.faults else set()
    idle = attempt.key_state == "replay" or attempt.method == "GET"
    early = attempt.status is not None and not attempt.moved and last >= ORDER["replying"]
    for point in STOPS:
        passed = ORDER[point] <= last
        skips = passed and point in INSIDE and (idle or (early and point not in struck))
        commits = point == "committed" and passed and _holds(attempt)
        state: State = "skipped" if skips else "passed" if passed else "ahead"
        yield Stop(point, state, point in struck, commits)


def _holds(attempt: Attempt) -> bool:
    """Return whether what it moved stands: a decline is recorded, and moves nothing."""
    return attempt.moved is not None and attempt.moved.status != "failed"


def _marks(attempt: Attempt, names: Mapping[str, str], bad: frozenset[str]) -> Iterator[Mark]:
    moved, replayed = attempt.moved, attempt.charge
    if moved is not None and moved.kind in ("charge", "refund"):
        name = names.get(moved.id, moved.kind)
        failed = moved.status == "failed"
        yield Mark(name, moved.id, "failed" if failed else "made", moved.id in bad)
    elif moved is not None:
        yield Mark(moved.kind, moved.id, "made")
    elif attempt.key_state == "replay":
        again = replayed or next((made for made in attempt.ids if made in names), None)
        yield Mark(names.get(again or "", "replay"), again or "", "replayed")


def _names(found: OperationVerdict) -> dict[str, str]:
    """Return what the charges are called, or the refunds where it is one."""
    names = timeline.charge_names(found)
    return {
        made: f"{made.partition('_')[0]}_{name.partition('_')[2]}" for made, name in names.items()
    }


def _surplus(found: OperationVerdict) -> frozenset[str]:
    """Return the charges that should not be there."""
    if found.verdict in WRONG:
        return frozenset(found.charges)
    if found.verdict != "duplicate":
        return frozenset()
    wanted = 1 if found.intended is None else found.intended.count
    if found.pair is not None and len(found.charges) - wanted == 1:
        made = {
            a.moved.id
            for a in (each.attempt for each in found.attempts)
            if a.moved is not None and a.arrival in found.pair
        }
        later = [each for each in found.charges if each in made][1:]
        if later:
            return frozenset(later)
    return frozenset(found.charges[wanted:])


def _keys(seen: Sequence[Seen]) -> dict[str, str]:
    """Return the short names of the keys, in order of their arrival."""
    keys = dict.fromkeys(each.attempt.idempotency_key for each in seen)
    named = (key for key in keys if key is not None)
    return {key: f"K{number}" for number, key in enumerate(named, 1)}


def _key(attempt: Attempt, names: Mapping[str, str]) -> Key | None:
    key = attempt.idempotency_key
    if key is None:
        return None
    state = timeline.KEYS[attempt.key_state]
    if attempt.forgotten_by is not None:
        state = "forgotten by the server"
    return Key(names[key], masked(key), state)
