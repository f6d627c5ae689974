"""Slots: the requests that a fault is aimed at, and how a rule finds each of them again.

A rule says no more than it must: where one operation has a step, the step is enough. Operations
that differ in nothing but values are alike, and a few of them stand for all.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, structs

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.lesson import Lesson
from fakestripe.protocol.operation import flat_of
from fakestripe.protocol.secrets import masked_tree
from fakestripe.sweeping.requests import Home, Place, Request

WORKED = frozenset({"absent", "new", "expired"})
DECLINED = 402


class Address(Struct, frozen=True):
    """How a rule finds an operation among its like: a parameter, a key, or its number."""

    params: tuple[tuple[str, str], ...] = ()
    key: str | None = None
    number: int | None = None

    @property
    def words(self) -> str:
        """The address for a reader; nothing where none is needed."""
        said = [f"{name}={value}" for name, value in self.params]
        said += [f"key {self.key}"] if self.key is not None else []
        said += [f"operation {self.number}"] if self.number is not None else []
        return ", ".join(said)


ANY = Address()
Addresses: TypeAlias = dict[tuple[Home, str], Address]


class Slot(Struct, frozen=True):
    """One request to strike; ``like`` counts the requests that it stands for."""

    place: Place
    executes: bool
    address: Address = ANY
    like: int = 1

    @property
    def is_step(self) -> bool:
        """Whether it is a step of a payment or refund."""
        return self.place[0] is not None

    @property
    def words(self) -> str:
        """The slot for a reader."""
        whose = f" of {self.address.words}" if self.address.words else ""
        noun = "attempt" if self.is_step else "request"
        return f"{self.place[1]}{whose}, {noun} {self.place[2]}"


def found(requests: Sequence[Request], lesson: Lesson, hit: int) -> tuple[Slot, ...]:
    """Return the slots of a run without faults, ``hit`` of those that are alike."""
    addresses = addresses_of(requests, lesson)
    alike: dict[object, list[object]] = {}
    for request in requests:
        several = alike.setdefault(_kind(request, requests), [])
        if _owner(request) not in several:
            several.append(_owner(request))
    chosen = {
        who: len(several) for several in alike.values() for who in sorted(several, key=str)[:hit]
    }
    return tuple(
        structs.replace(slot_of(request, addresses), like=_share(chosen[_owner(request)], hit))
        for request in requests
        if _owner(request) in chosen
    )


def _owner(request: Request) -> object:
    """Return who is alike or not: the operation, or the request where there is none."""
    return request.home or request.place


def _share(several: int, hit: int) -> int:
    """Return how many each of those that are struck stands for."""
    return -(-several // min(several, hit))


def _kind(request: Request, requests: Iterable[Request]) -> object:
    """Return what alike requests, or all those of alike operations, have in common."""
    if request.home is None:
        return (request.shape, _looks(request.attempt))
    return tuple(
        (other.shape, other.place[2], _looks(other.attempt))
        for other in requests
        if other.home == request.home
    )


def _looks(attempt: Attempt) -> object:
    names = tuple(sorted(flat_of(attempt)))
    return names, attempt.idempotency_key is None, attempt.user_agent, attempt.moves


def slot_of(request: Request, addresses: Mapping[tuple[Home, str], Address]) -> Slot:
    """Return the slot of one request."""
    home = request.home
    address = ANY if home is None else addresses.get((home, request.shape), ANY)
    return Slot(request.place, executes(request.attempt), address)


def executes(attempt: Attempt) -> bool:
    """Return whether a request got as far as a commit, a decline's included."""
    settled = attempt.status is None or attempt.status < 400 or attempt.status == DECLINED  # noqa: PLR2004
    return attempt.method != "GET" and attempt.key_state in WORKED and settled


def addresses_of(requests: Iterable[Request], lesson: Lesson) -> Addresses:
    """Return how each operation is told from the others that have the same step."""
    firsts: dict[str, dict[Home, Request]] = {}
    for request in requests:
        if request.home is not None:
            firsts.setdefault(request.shape, {}).setdefault(request.home, request)
    made = {name for request in requests for name in request.attempt.ids}
    return {
        (home, shape): _address(request, list(several.values()), lesson, made)
        for shape, several in firsts.items()
        for home, request in several.items()
    }


def _address(
    request: Request, several: Sequence[Request], lesson: Lesson, made: set[str]
) -> Address:
    if len(several) == 1:
        return ANY
    others = [flat_of(other.attempt) for other in several if other is not request]
    shifting = lesson.volatile.get(request.shape, ())
    for name, value in sorted(flat_of(request.attempt).items(), key=_telling):
        alone = all(other.get(name) != value for other in others)
        secret = masked_tree(value, name.rpartition(".")[2]) != value
        if alone and name not in shifting and value not in made and not secret:
            return Address(params=((name, value),))
    key = request.attempt.idempotency_key
    if key in lesson.keys and all(
        o.attempt.idempotency_key != key for o in several if o != request
    ):
        return Address(key=key)
    return Address(number=request.number)


def _telling(pair: tuple[str, str]) -> tuple[bool, str]:
    """Prefer what a person put there to tell payments apart."""
    return not pair[0].startswith("metadata."), pair[0]
