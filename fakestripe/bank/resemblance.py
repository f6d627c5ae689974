"""Which learnt identity a request belongs to: its own, else the one that it resembles most.

A request that fits none belongs to the identity of its shape that it differs least from, if no
differing value was seen in the fault-free runs; failing that, to one of equal amount and equal
shared parameters, whatever its path. Whoever has a value that was seen can only belong to an
identity that has it too, so the search begins with the rarest and stays short.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from fakestripe.protocol.lesson import Identity, Lesson, Pairs

Numbers: TypeAlias = set[int]


class Kin:
    """The identities of one shape, found by the values that they have."""

    def __init__(self, identities: Iterable[tuple[int, Identity]]) -> None:
        self._known = {number: dict(one.parameters) for number, one in identities}
        self._having: dict[tuple[str, str | None], Numbers] = {}
        names = {name for known in self._known.values() for name in known}
        for number, known in self._known.items():
            for name in names:
                self._having.setdefault((name, known.get(name)), set()).add(number)
        self._names = names

    def nearest(self, given: Mapping[str, str]) -> int | None:
        """Return the identity that a request differs least from, by values that are all new."""
        seen = [self._having.get((name, given.get(name))) for name in self._names]
        having = sorted((numbers for numbers in seen if numbers), key=len)
        candidates = set.intersection(*having) if having else set(self._known)
        ranks = [self._rank(number, given) for number in candidates]
        return min(ranks)[2] if ranks else None

    def _rank(self, number: int, given: Mapping[str, str]) -> tuple[int, bool, int]:
        known = self._known[number]
        differing = [n for n in known.keys() | given.keys() if known.get(n) != given.get(n)]
        return len(differing), "amount" in differing, number


class Resemblance:
    """All identities of a lesson."""

    def __init__(self, lesson: Lesson) -> None:
        numbered = list(enumerate(lesson.identities))
        self._exact = {(one.shape, one.parameters): number for number, one in numbered}
        shapes = dict.fromkeys(one.shape for _, one in numbered)
        self._kin = {s: Kin((n, i) for n, i in numbered if i.shape == s) for s in shapes}
        self._by_amount: dict[str, list[tuple[int, dict[str, str]]]] = {}
        for number, one in numbered:
            known = dict(one.parameters)
            if "amount" in known:
                self._by_amount.setdefault(known["amount"], []).append((number, known))

    def of(self, shape: str, pairs: Pairs) -> int | None:
        """Return the identity of a request, or None where it resembles none."""
        exact = self._exact.get((shape, pairs))
        if exact is not None:
            return exact
        given = dict(pairs)
        kin = self._kin.get(shape)
        found = kin.nearest(given) if kin is not None else None
        return self._of_equal_amount(given) if found is None else found

    def _of_equal_amount(self, given: Mapping[str, str]) -> int | None:
        for number, known in self._by_amount.get(given.get("amount", ""), ()):
            if all(known[name] == given[name] for name in known.keys() & given.keys()):
                return number
        return None
