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

from tests.benchmarks import processes
from tests.benchmarks.load import Answered, Load, ask, charge, drive
from tests.benchmarks.processes import Started

KNOWN = 500
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


def measure(quick: bool) -> dict[str, float]:
    """Measure the rows with a load generator."""
    rounds, seconds = (3, 1.0) if quick else (7, 3.0)
    with both() as (fake, bare):
        for number in range(KNOWN):
            ask(fake.url, charge("known", number))
        fresh = pairs(fake, bare, rounds, Load("fresh", 32, seconds))
        single = pairs(fake, bare, rounds, Load("single", 1, seconds))
        known = pairs(fake, bare, rounds, Load("known", 32, seconds, KNOWN))
    return {
        "fresh-32": median(pair.rate for pair in fresh),
        "fresh-32-work": median(pair.work for pair in fresh),
        "fresh-1": median(pair.rate for pair in single),
        "replay-32": median(pair.rate for pair in known),
        "replay-32-work": median(pair.work for pair in known),
        "p99-32": median(pair.p99 for pair in fresh),
    }


def pairs(fake: Started, bare: Started, rounds: int, load: Load) -> list[Pair]:
    """Load both in turn; every round that is not about known keys has keys of its own."""
    found = []
    for number in range(rounds):
        prefix = load.prefix if load.known else f"{load.prefix}{number}"
        turn = Load(prefix, load.connections, load.seconds, load.known)
        (ours, our_work), (base, base_work) = loaded(fake, turn), loaded(bare, turn)
        found.append(Pair(ours.rate / base.rate, base_work / our_work, ours.p99 / base.p99))
    return found


def loaded(server: Started, load: Load) -> tuple[Answered, float]:
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
