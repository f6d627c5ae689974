"""Which operation an arrival belongs to: the eight rules of identity, the first that applies.

  1 an object in the path or a parameter   5 a key that both fault-free runs used
  2 the selector                           6 a lost operation of the same step and identity
  3 the one declared intent that fits      7 no more operations than were intended
  4 an earlier arrival with this key       8 a new operation

The server places every arrival by them, and the verdict places the arrivals of a journal again,
with all intents known. Memory is for what is open; of what is done, only its count is kept.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from fakestripe.bank.course import Course, Operation
from fakestripe.bank.identities import Facts, Identities, made_by
from fakestripe.protocol.attempt import Attempt, Label
from fakestripe.protocol.declared import Intent
from fakestripe.protocol.labels import label
from fakestripe.protocol.lesson import Lesson
from fakestripe.protocol.operation import (
    NOTHING,
    PAYMENTS,
    Flat,
    flat_of,
    id_in,
    selected,
    shape_of,
)
from fakestripe.protocol.settling import is_over

SWEPT: Final = 2
"""How many open courses are looked at with each arrival: one more than an arrival can add."""


class Placed(Struct, gc=False):
    """Where an arrival belongs: its operation, the how-manieth at its step, who sent it."""

    operation: Operation
    number: int
    label: Label


class Operations:
    """All operations of one account; ``joint``, of all accounts of one run."""

    __slots__ = (
        "_by_key",
        "_by_object",
        "_courses",
        "_identities",
        "_lesson_keys",
        "_made",
        "_makers",
        "_named",
        "_open",
        "_selector",
        "count",
        "placed",
    )

    def __init__(self, *, joint: bool = False) -> None:
        self.count = 0
        self.placed = 0
        self._selector: str | None = None
        self._lesson_keys: frozenset[str] = frozenset()
        self._identities = Identities(joint=joint)
        self._by_key: dict[tuple[str, str], dict[str, Course]] = {}
        self._by_object: dict[str, Operation] = {}
        self._made: list[Attempt] = []
        self._makers: list[Operation] = []
        self._named: dict[str, Operation] = {}
        self._courses: dict[tuple[int, str], Course] = {}
        self._open: deque[Course] = deque()

    def configure(self, selector: str | None = None, lesson: Lesson | None = None) -> None:
        """Set what names operations; what is not given stays as it was."""
        if selector is not None:
            self._selector = selector
        if lesson is not None:
            self._lesson_keys = frozenset(lesson.keys)
            self._identities.learn(lesson)

    def declare(self, intent: Intent) -> None:
        """Take in what the client sets out to pay."""
        self._identities.declare(intent)

    def number(self, name: str | None) -> int | None:
        """Return the place of an operation in the order of arrival, from 1."""
        named = self._named.get(name or "")
        if named is not None:
            return named.number
        digits = (name or "").removeprefix("op_")
        return int(digits) if digits != name and digits.isdigit() else None

    def place(self, attempt: Attempt) -> None:
        """Set operation, number and label of an arrival that is a step of a payment."""
        placed = self.locate(attempt)
        if placed is not None:
            attempt.operation = placed.operation.name
            attempt.attempt = placed.number
            attempt.label = placed.label

    def locate(self, attempt: Attempt) -> Placed | None:
        """Return where an arrival belongs, and count it there; the attempt stays as it is."""
        self._identities.notice(attempt)
        if attempt.step is None:
            return None
        self._sweep(attempt.started_s)
        shape = shape_of(attempt.method, attempt.path)
        flat = flat_of(attempt) if self._selector or self._identities.reads else NOTHING
        keyed = self._keyed(attempt.account, shape)
        known = keyed.get(attempt.idempotency_key or "")
        course = self._by_name(attempt, shape, flat) or known
        if course is None:
            course = self._by_rest(attempt, self._identities.facts(attempt, shape, flat))
        elif not course.done and not course.listed:
            self._list(course, self._identities.facts(attempt, shape, flat))
        if attempt.idempotency_key is not None:
            keyed.setdefault(attempt.idempotency_key, course)
        return self._taken(course, attempt, same_key=known is course)

    def _keyed(self, account: str, shape: str) -> dict[str, Course]:
        """Return the courses of a step by idempotency key."""
        found = self._by_key.get((account, shape))
        if found is None:
            found = self._by_key[account, shape] = {}
        return found

    def _taken(self, course: Course, attempt: Attempt, *, same_key: bool) -> Placed:
        course.fold(attempt.started_s)
        said = label(attempt, course.last, course.flying, same_key=same_key)
        self._made.append(attempt)
        self._makers.append(course.operation)
        return Placed(course.operation, course.add(attempt), said)

    def _by_name(self, attempt: Attempt, shape: str, flat: Flat) -> Course | None:
        """Rules 1 to 3: what the request itself says."""
        maker = self._maker(attempt, shape, flat)
        if maker is not None:
            return self._course(maker, shape)
        name = None if self._selector is None else selected(self._selector, flat)
        if name is None:
            name = self._identities.intent_of(attempt, flat)
        if name is None:
            return None
        known = self._named.get(name)
        if known is not None:
            return self._course(known, shape)
        return self._new(self._identities.facts(attempt, shape, flat, name), name)

    def _maker(self, attempt: Attempt, shape: str, flat: Flat) -> Operation | None:
        """Rule 1: the operation that made the object which the request is about."""
        if "{id}" not in shape and b"ch_" not in attempt.form and b"pi_" not in attempt.form:
            return None
        flat = flat or flat_of(attempt)
        values = [id_in(attempt.path), *(flat[name] for name in flat if "." not in name)]
        wanted = [value for value in values if value is not None and value.startswith(PAYMENTS)]
        if not wanted:
            return None
        self._register()
        return next((self._by_object[v] for v in wanted if v in self._by_object), None)

    def _register(self) -> None:
        """Learn which objects were made since the last time somebody asked."""
        waiting = list(zip(self._made, self._makers, strict=True))
        self._made, self._makers = [], []
        for attempt, operation in waiting:
            for made in made_by(attempt):
                self._by_object.setdefault(made, operation)
            if attempt.moved is None and attempt.ended_s is None:
                self._made.append(attempt)
                self._makers.append(operation)

    def _by_rest(self, attempt: Attempt, facts: Facts) -> Course:
        """Rules 5 to 8: what the fault-free runs, the intents and open operations say."""
        key = attempt.idempotency_key
        if key is not None and key in self._lesson_keys:
            named = self._named.get(key)
            return self._new(facts, key) if named is None else self._course(named, facts.shape)
        lost = self._lost(facts, attempt.started_s)
        if lost is not None:
            lost.operation.names |= facts.names
            return lost
        return self._full(facts) or self._new(facts, None)

    def _lost(self, facts: Facts, now: float) -> Course | None:
        """Rule 6: a lost operation of the same step and identity."""
        lost = self._lost_ones(facts, now)
        if not facts.named:
            return next(lost, None)
        found = list(lost)
        shared = next((course for course in found if course.operation.names & facts.names), None)
        fewer = facts.intended is not None and facts.group.exist < facts.intended
        if shared is not None or fewer:
            return shared
        return found[0] if found else None

    def _lost_ones(self, facts: Facts, now: float) -> Iterator[Course]:
        for course in facts.group.open:
            if course.last is None or not is_over(course.last, now):
                continue
            if course.identity == facts.identity and course.shape == facts.shape:
                course.fold(now)
                if course.is_lost():
                    yield course

    def _full(self, facts: Facts) -> Course | None:
        """Rule 7: where as many operations exist as intended, an open one or the last."""
        group = facts.group
        if facts.intended is None or group.last is None or group.exist < facts.intended:
            return None
        oldest = next((course for course in group.open if course.is_open()), group.last)
        oldest.operation.names |= facts.names
        course = self._course(oldest.operation, facts.shape)
        if not course.done and not course.listed:
            self._list(course, facts)
        return course

    def _new(self, facts: Facts, name: str | None) -> Course:
        """Rule 8, and the first arrival of an operation that has a name."""
        self.count += 1
        operation = Operation(name or f"op_{self.count}", self.count, facts.home, facts.names)
        course = Course(operation, facts.shape)
        if name is not None:
            self._named[name] = operation
            self._identities.take(name)
        if name is not None or facts.intended is not None:
            self._courses[self.count, facts.shape] = course
        facts.group.exist += 1
        facts.group.last = course
        self._list(course, facts)
        return course

    def _course(self, operation: Operation, shape: str) -> Course:
        """Return the course of a known operation at a step."""
        found = self._courses.get((operation.number, shape))
        if found is None:
            found = self._courses[operation.number, shape] = Course(operation, shape)
        return found

    def _list(self, course: Course, facts: Facts) -> None:
        """Note that a course is open."""
        course.listed = True
        course.identity, course.group = facts.identity, facts.group.key
        facts.group.open.append(course)
        self._identities.keep(facts.group)
        self._open.append(course)

    def _sweep(self, now: float) -> None:
        """Look at the oldest open courses again, and let go of those that are open no more."""
        for _ in range(min(SWEPT, len(self._open))):
            course = self._open.popleft()
            course.fold(now)
            if course.flying or course.is_open():
                self._open.append(course)
            else:
                self._identities.drop(course)
                course.retire()
