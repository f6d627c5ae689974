"""What an arrival is equal to: its identity, its group of equals, and how many are intended.

Without a lesson two requests are equal where all their parameters are; a lesson tells which
parameters matter. Intents whose name no request carries are a pool, by customer, currency and
amount. A group that nothing else needs is dropped with its last open course.
"""

import itertools
from collections.abc import Hashable
from typing import Any, Final, TypeAlias

from msgspec import Struct, field

from fakestripe.bank.course import Course, Name
from fakestripe.bank.resemblance import Resemblance
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.declared import Intent
from fakestripe.protocol.lesson import Lesson, maker, stable
from fakestripe.protocol.operation import UNTELLING, Flat, canonical, fits, flat_of, shape_of

Terms: TypeAlias = tuple[str | None, str | None, int | None]
"""Customer, currency and amount of an intent; None where any will do."""

NO_NAMES: Final[frozenset[Name]] = frozenset()


class Group(Struct, gc=False):
    """Operations that are counted together: how many exist, the last one, the open courses."""

    key: Hashable
    exist: int = 0
    last: Course | None = None
    open: list[Course] = field(default_factory=list)


class Facts(Struct, gc=False):
    """What the rules ask of one arrival; ``home`` is what the verdict counts it under."""

    shape: str
    flat: Flat
    identity: Hashable
    group: Group
    intended: int | None = None
    named: bool = False
    names: frozenset[Name] = NO_NAMES
    home: Hashable = None


class Identities:
    """The groups of one account, what was declared and what was learnt."""

    def __init__(self, *, joint: bool) -> None:
        self._joint = joint
        self._groups: dict[Hashable, Group] = {}
        self._intents: dict[str, Intent] = {}
        self._matching: list[Intent] = []
        self._pools: dict[Terms, dict[str, int]] = {}
        self._lesson: Lesson | None = None
        self._resemblance: Resemblance | None = None
        self._makers: dict[str, str] = {}
        self._fresh: list[Attempt] = []
        self.reads = False

    def learn(self, lesson: Lesson) -> None:
        """Take in what the fault-free runs taught."""
        self._lesson = lesson
        self._resemblance = Resemblance(lesson)
        self.reads = True

    def declare(self, intent: Intent) -> None:
        """Take in an intent; one of the same name replaces it."""
        self.take(intent.operation)
        self._intents[intent.operation] = intent
        self._matching = [known for known in self._intents.values() if known.match is not None]
        self._pools.setdefault(terms_of(intent), {})[intent.operation] = intent.count
        self.reads = True

    def take(self, name: str) -> None:
        """Note that an operation goes by an intent's name: the intent is no part of a pool."""
        intent = self._intents.get(name)
        if intent is not None:
            self._pools.get(terms_of(intent), {}).pop(name, None)

    def intent_of(self, attempt: Attempt, flat: Flat) -> str | None:
        """Return the one declared intent that a request names or that matches it."""
        if not self._intents:
            return None
        found = {
            value
            for name, value in flat.items()
            if value in self._intents and name not in UNTELLING
        }
        found.update(
            intent.operation
            for intent in self._matching
            if intent.match is not None and fits(intent.match, attempt, flat)
        )
        return found.pop() if len(found) == 1 else None

    def notice(self, attempt: Attempt) -> None:
        """Remember a request whose ids may stand in later ones."""
        if self._lesson is not None and attempt.method == "POST":
            self._fresh.append(attempt)

    def facts(self, attempt: Attempt, shape: str, flat: Flat, name: str | None = None) -> Facts:
        """Return what is known of an arrival; one that bears an intent's name is in no pool."""
        learnt = self._learnt(shape, flat)
        pooled = self._intents and name not in self._intents
        pool = self._pool_of(flat) if pooled else None
        account = None if self._joint else attempt.account
        identity: Hashable = learnt
        if learnt is None:
            identity = (account, shape, canonical(attempt.form))
        key: Hashable = pool if pool is not None else identity
        facts = Facts(shape, flat, identity, self._groups.get(key) or Group(key), home=None)
        if pool is not None:
            facts.intended, facts.home = sum(self._pools[pool].values()), pool
        elif learnt is not None:
            facts.home = learnt
        self._add_lesson(facts, learnt)
        return facts

    def _add_lesson(self, facts: Facts, learnt: int | None) -> None:
        if self._lesson is None or learnt is None:
            return
        identity = self._lesson.identities[learnt]
        if facts.intended is None and not self._intents:
            facts.intended = identity.count
        facts.named = bool(identity.names)
        facts.names = frozenset((n, facts.flat[n]) for n in identity.names if n in facts.flat)

    def _learnt(self, shape: str, flat: Flat) -> int | None:
        """Return the learnt identity of a request, where there is a lesson."""
        if self._lesson is None or self._resemblance is None:
            return None
        self._register(self._lesson)
        pairs = stable(flat, self._lesson.volatile.get(shape, ()), self._makers)
        return self._resemblance.of(shape, pairs)

    def _register(self, lesson: Lesson) -> None:
        """Learn what the ids made meanwhile stand for."""
        waiting, self._fresh = self._fresh, []
        for attempt in waiting:
            if attempt.ended_s is None:
                self._fresh.append(attempt)
            shape = shape_of(attempt.method, attempt.path)
            ids = {*attempt.ids, *made_by(attempt)} - self._makers.keys()
            if ids:
                volatile = lesson.volatile.get(shape, ())
                pairs = stable(flat_of(attempt), volatile, self._makers)
                self._makers.update(dict.fromkeys(ids, maker(shape, pairs)))

    def _pool_of(self, flat: Flat) -> Terms | None:
        """Return the most exact terms that a request fits: of a pool with room, else of any."""
        amount = flat.get("amount", "")
        number = int(amount) if amount.isascii() and amount.isdigit() else -1
        wanted = fitting(flat.get("customer"), flat.get("currency", ""), number)
        pools = [terms for terms in wanted if self._pools.get(terms)]
        return next(
            (terms for terms in pools if self._has_room(terms)), pools[0] if pools else None
        )

    def _has_room(self, terms: Terms) -> bool:
        group = self._groups.get(terms)
        return group is None or group.exist < sum(self._pools[terms].values())

    def keep(self, group: Group) -> None:
        """Keep a group that has got an open course."""
        self._groups[group.key] = group

    def drop(self, course: Course) -> None:
        """Take a course that is not open any more out of its group."""
        group = self._groups[course.group]
        group.open = [other for other in group.open if other is not course]
        if not group.open and not isinstance(group.key, int) and group.key not in self._pools:
            del self._groups[group.key]


def terms_of(intent: Intent) -> Terms:
    """Return the terms by which an intent can be recognised in the ledger."""
    currency = None if intent.currency is None else intent.currency.lower()
    return (intent.customer, currency, intent.amount)


def fitting(customer: str | None, currency: str, amount: int) -> list[Terms]:
    """Return all terms that a payment fits, the most exact first."""
    given = ((customer, None), (currency.lower(), None), (amount, None))
    return sorted(
        set(itertools.product(*given)), key=lambda terms: (terms.count(None), str(terms))
    )


def made_by(attempt: Attempt) -> set[str]:
    """Return the ids of payments and refunds that an attempt made."""
    moved: Any = attempt.moved
    if moved is None:
        return set()
    return {made for made in (moved.id, moved.charge, moved.payment_intent) if made is not None}
