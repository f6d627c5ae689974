"""Plans: which slots a run strikes with which faults, and the profile that does exactly that.

What is run is what is written: the profile of a plan is read from its text, and the same text is
the file that replays it.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec
from msgspec import Struct

from fakestripe.faults.rules import Profile, Word
from fakestripe.profiles import parse
from fakestripe.protocol.duration import word
from fakestripe.sweeping.menu import HANG, LOST, Kind, Strike
from fakestripe.sweeping.requests import glob_of
from fakestripe.sweeping.slots import Slot

BARE: Final = re.compile(r"/[\w/.-]*|[A-Z]+")
PLAIN: Final = re.compile(r"(?=.{1,40}$)[\w.]+[ =][\w.]+(-[\w.]+)*", re.ASCII)
"""What the name of a file can say without losing anything."""
LONG: Final = 20
"""How many requests a fault that lasts is aimed at, where they have to be counted."""


class Aim(Struct, frozen=True):
    """One fault at one slot; ``lasting``: from there on, each time."""

    slot: Slot
    kind: Kind
    lasting: bool = False

    @property
    def strike(self) -> Strike:
        """What happens, and where."""
        if self.lasting and self.kind.lasting is not None:
            return self.kind.lasting
        if self.slot.executes or self.kind.idle is None:
            return self.kind.once
        return self.kind.idle

    @property
    def words(self) -> str:
        """The fault and its place for a reader."""
        return f"{self.kind.name} at {self.slot.words}{' and on' if self.lasting else ''}"


class Conditions(Struct, frozen=True):
    """What holds for every rule: the connection it wants, how many seconds a hang lasts."""

    connection: Literal["fresh", "reused"] | None = None
    hang: float = 3.0


class Plan(Struct, frozen=True):
    """What one run strikes, in order."""

    aims: tuple[Aim, ...]

    @property
    def last(self) -> Aim:
        """The fault that this plan is about; those before it only lead there."""
        return self.aims[-1]

    @property
    def name(self) -> str:
        """The name of the profile."""
        return "-then-".join(_stem(aim) for aim in self.aims)

    @property
    def expect(self) -> tuple[Word, ...]:
        """The words that a correct client may get."""
        words = dict.fromkeys(word for aim in self.aims for word in aim.kind.expect)
        if len(self.aims) > 1 or (self.last.lasting and self.last.kind.after):
            words |= dict.fromkeys(LOST)
        return tuple(words)


def _stem(aim: Aim) -> str:
    method, _, path = aim.slot.place[1].partition(" ")
    parts = [] if method == "POST" else [method.lower()]
    parts += [part.strip("{}") for part in path.split("/")[2:]]
    parts += [_short(aim.slot.address.words)] if aim.slot.address.words else []
    parts += [str(aim.slot.place[2]), aim.kind.name, *(["on"] if aim.lasting else [])]
    return re.sub(r"[^A-Za-z0-9_.]+", "-", "-".join(parts)).strip("-")


def _short(words: str) -> str:
    """Return the words of an address for the name of a file; what is lost is told by a hash."""
    if PLAIN.fullmatch(words):
        return words
    return f"{words[:LONG]}-{hashlib.blake2b(words.encode(), digest_size=3).hexdigest()}"


def profile_of(plan: Plan, conditions: Conditions, source: str) -> Profile:
    """Return the profile of a plan."""
    return parse(text_of(plan, conditions), source)


def text_of(plan: Plan, conditions: Conditions, about: Sequence[str] = ()) -> str:
    """Return the profile as a file; ``about`` are the lines of its opening comment."""
    rules = [line for aim in plan.aims for line in _rule(aim, conditions)]
    lines = [*(f"# {line}".rstrip() for line in about), f"name: {plan.name}", "rules:", *rules]
    return "\n".join([*lines, f"expect: [{', '.join(plan.expect)}]"]) + "\n"


def _rule(aim: Aim, conditions: Conditions) -> Iterator[str]:
    when = ", ".join(_when(aim, conditions))
    yield f"  - match: {{{', '.join(_match(aim.slot))}}}"
    if when:
        yield f"    when: {{{when}}}"
    yield f"    at: {aim.strike.at}"
    yield f"    do: {aim.strike.do.replace(HANG, word(conditions.hang))}"


def _match(slot: Slot) -> Iterator[str]:
    yield f"method: {slot.place[1].partition(' ')[0]}"
    yield f"path: {_quoted(glob_of(slot.place[1]))}"
    if slot.address.params:
        params = ", ".join(
            f"{_quoted(name)}: {_quoted(_literal(value))}" for name, value in slot.address.params
        )
        yield f"params: {{{params}}}"
    if slot.address.key is not None:
        yield f"idempotency_key: {_quoted(_literal(slot.address.key))}"


def _when(aim: Aim, conditions: Conditions) -> Iterator[str]:
    slot, ordinal = aim.slot, aim.slot.place[2]
    if slot.address.number is not None:
        yield f"operation: {slot.address.number}"
    name = "attempt" if slot.is_step else "nth"
    if not (aim.lasting or aim.kind.race):
        yield f"{name}: {ordinal}"
        yield "times: 1"
    elif ordinal > 1:
        yield f"{name}: [{', '.join(map(str, range(ordinal, ordinal + LONG)))}]"
    if conditions.connection is not None:
        yield f"connection: {conditions.connection}"


def _literal(value: str) -> str:
    """Return a value as a glob that matches nothing else."""
    return re.sub(r"([*?[])", r"[\1]", value)


def _quoted(value: str) -> str:
    return value if BARE.fullmatch(value) else msgspec.json.encode(value).decode()
