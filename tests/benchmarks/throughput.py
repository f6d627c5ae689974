"""Answers a second, time to the slowest of a hundred, and memory, over real sockets.

Both servers run all the time and are loaded in turn, fakestripe, bare, fakestripe, bare: what
else the machine does hits both. A ratio is taken of neighbours, and the median of the ratios is
the result. Where other programs take a core from the load generator, the faster server suffers
more and the ratio flatters us: the rows by processor time (seconds used for one answer) do not.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from tests.benchmarks import processes
from tests.benchmarks.load import Answered, Load, ask, charge, drive
from tests.benchmarks.processes import Started

KNOWN = 100
"""A retry comes soon after what it retries: the replayed keys are three to a connection."""
WARM_UP, COUNTED = 2_000, 20_000


@contextmanager
def both() -> Iterator[tuple[Started, Started]]:
    """Run fakestripe and the bare handler, which answers bodies as long as a charge."""
    first, second = processes.free_port(), processes.free_port()
    with processes.running(processes.fakestripe(first), first) as fake:
        size = len(ask(fake.url, charge("size", 0)))
        with processes.running(processes.bare(second, size), second) as bare:
            yield fake, bare


class Pair(Struct, frozen=True):
    """Two neighbours in time, ours against the bare one's."""

    rate: float
    work: float
    p99: float


def fresh(quick: bool) -> dict[str, float]:
    """Measure charges under fresh keys on 32 connections."""
    found = pairs(Load("fresh", 32), quick)
    return {
        "fresh-32": median(pair.rate for pair in found),
        "fresh-32-work": median(pair.work for pair in found),
        "p99-32": median(pair.p99 for pair in found),
    }


def single(quick: bool) -> dict[str, float]:
    """Measure charges under fresh keys on one connection."""
    return {"fresh-1": median(pair.rate for pair in pairs(Load("single", 1), quick))}


def replay(quick: bool) -> dict[str, float]:
    """Measure replays of known keys on 32 connections."""
    found = pairs(Load("known", 32, known=KNOWN), quick)
    return {
        "replay-32": median(pair.rate for pair in found),
        "replay-32-work": median(pair.work for pair in found),
    }


def pairs(load: Load, quick: bool) -> list[Pair]:
    """Load both in turn; every round that is not about known keys has keys of its own."""
    rounds, seconds = (3, 1.0) if quick else (7, 3.0)
    with both() as (fake, bare):
        for number in range(load.known):
            ask(fake.url, charge(load.prefix, number))
        turns = [
            replace(load, seconds=seconds, prefix=load.prefix + ("" if load.known else str(turn)))
            for turn in range(rounds)
        ]
        return [_pair(fake, bare, turn) for turn in turns]


def _pair(fake: Started, bare: Started, load: Load) -> Pair:
    (ours, our_work), (base, base_work) = _loaded(fake, load), _loaded(bare, load)
    return Pair(ours.rate / base.rate, base_work / our_work, ours.p99 / base.p99)


def _loaded(server: Started, load: Load) -> tuple[Answered, float]:
    """Load one server; return what it answered and the processor seconds one answer took."""
    before = server.busy()
    answered = drive(server.url, load)
    return answered, (server.busy() - before) / answered.requests


def memory(quick: bool) -> dict[str, float]:
    """Measure what a charge with its key record and its journal line keeps, in KB."""
    port = processes.free_port()
    with processes.running(processes.fakestripe(port), port) as fake:
        _fill(fake, "warm", WARM_UP)
        before = fake.memory()
        made = _fill(fake, "counted", COUNTED // 4 if quick else COUNTED)
        return {"memory": (fake.memory() - before) / made / 1024}


def _fill(fake: Started, prefix: str, wanted: int) -> int:
    made, turn = 0, 0
    while made < wanted:
        made += drive(fake.url, Load(f"{prefix}{turn}", seconds=1.0)).requests
        turn += 1
    return made
