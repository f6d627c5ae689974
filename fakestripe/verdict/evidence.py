"""Two attempts at one payment side by side: what a cause may look at.

Nothing is concluded here. Gaps are of the clock that nobody moves, or, where a test or a rule
moved the account's clock, of that one.
"""

from msgspec import Struct

from fakestripe.protocol.duration import words
from fakestripe.verdict.finding import Seen
from fakestripe.verdict.records import Records


class Evidence(Struct, frozen=True):
    """Two attempts at one payment, the earlier first, and what lay between and around them.

    ``told`` says that the client knew of the first charge before the second attempt began,
    ``late`` that the first to arrive charged last: then its charge is ch_B.
    """

    first: Seen
    second: Seen
    seen: tuple[Seen, ...]
    told: bool
    records: Records
    late: bool = False

    @property
    def pair(self) -> tuple[Seen, Seen]:
        """The two attempts."""
        return self.first, self.second

    @property
    def keys(self) -> tuple[str | None, str | None]:
        """The two idempotency keys."""
        return self.first.attempt.idempotency_key, self.second.attempt.idempotency_key

    @property
    def gap(self) -> float:
        """Seconds between the two arrivals, by the clock that nobody moves."""
        return self.second.attempt.started_s - self.first.attempt.started_s

    @property
    def account_gap(self) -> float:
        """Seconds between the two arrivals by the account's own clock."""
        return self.second.attempt.at - self.first.attempt.at

    def moved_by_rules(self) -> float:
        """Return by how many seconds rules moved the account's clock between the two."""
        begin, end = self.first.attempt.started_s, self.second.attempt.started_s
        return sum(
            move.advance
            for move in self.records.clock
            if move.by == "rule" and begin <= move.elapsed_s <= end
        )

    def shown_gap(self) -> str:
        """Return the gap as a reader would say it; a moved clock tells more than the real one."""
        moved = abs(self.account_gap - self.gap) > 1
        return words(self.account_gap if moved else self.gap)

    def between(self) -> str:
        """Return how the two attempts are called."""
        one, two = self.first, self.second
        if one.number != two.number and one.attempt.path == two.attempt.path:
            return f"between attempt {one.number} and attempt {two.number}"
        return f"between arrival {one.attempt.arrival} and arrival {two.attempt.arrival}"


def first_difference(before: dict[str, str], after: dict[str, str]) -> str | None:
    """Return the name of the first parameter that differs."""
    names = sorted(before.keys() | after.keys())
    return next((name for name in names if before.get(name) != after.get(name)), None)


def shown_key(key: str | None) -> str:
    """Return a key for a sentence."""
    return "no key" if key is None else repr(key)
