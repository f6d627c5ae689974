"""The table: every row with its gate, its goal, and the words it is printed with."""

from collections.abc import Callable

from msgspec import Struct

from tests.benchmarks import growth, shutdown, startup, throughput


class Row(Struct, frozen=True):
    """One promise about speed; ``more`` says that more is better, else less is."""

    name: str
    what: str
    unit: str
    gate: float
    goal: float
    more: bool = False

    def keeps(self, value: float, bound: float) -> bool:
        """Return whether a measured value is at the bound or better."""
        return value >= bound if self.more else value <= bound


class Group(Struct, frozen=True):
    """Rows that are measured together: ``measure(quick)`` returns a value for each name."""

    measure: Callable[[bool], dict[str, float]]
    rows: tuple[Row, ...]


GROUPS = (
    Group(
        throughput.fresh,
        (
            Row(
                "fresh-32",
                "POST /v1/charges, fresh key, 32 connections",
                "of bare",
                0.45,
                0.6,
                True,
            ),
            Row("fresh-32-work", "same, by processor time", "of bare", 0.45, 0.6, True),
            Row("p99-32", "p99 at 32 connections", "times bare", 4.0, 2.0),
        ),
    ),
    Group(
        throughput.single,
        (Row("fresh-1", "POST /v1/charges, 1 connection", "of bare", 0.55, 0.7, True),),
    ),
    Group(
        throughput.replay,
        (
            Row("replay-32", "replay of a known key, 32 connections", "of bare", 0.65, 0.8, True),
            Row("replay-32-work", "same, by processor time", "of bare", 0.65, 0.8, True),
        ),
    ),
    Group(
        startup.spawn,
        (
            Row("ready", "spawn to listening", "times bare", 1.4, 1.25),
            Row("spawn", "spawn to first charge", "times bare", 1.4, 1.25),
            Row("faker", "modules of faker loaded by then", "", 0, 0),
        ),
    ),
    Group(startup.fixture, (Row("fixture", "start and stop in a thread", "ms", 10, 2),)),
    Group(startup.hung, (Row("hung", "stop with a hung fault pending", "ms", 100, 50),)),
    Group(
        shutdown.hundred,
        (
            Row("hung-100", "stop with 100 hung connections", "ms", 1000, 100),
            Row("hung-100-tls", "same, under TLS", "ms", 1000, 200),
        ),
    ),
    Group(throughput.memory, (Row("memory", "per charge with its key record", "KB", 6, 4),)),
    Group(
        growth.million,
        (Row("page-1m", "page of 10 at 1,000,000 charges", "times at 1,000", 2, 1),),
    ),
    Group(
        growth.hundred_thousand,
        tuple(
            Row(f"{name}-100k", f"{name} at 100,000 charges", "times at 100", 1.3, 1.1)
            for name in growth.ACTIONS
        ),
    ),
)
