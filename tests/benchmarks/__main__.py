"""``python -m tests.benchmarks [--quick] [ROW…]``: measure, print the table, exit 1 below a gate.

Timings are no tests: pytest does not collect them. A quiet machine is assumed; on a busy one
read the ratios, which are of neighbours in time.
"""

import argparse
import sys
import time

from tests.benchmarks.load import WRK
from tests.benchmarks.rows import GROUPS, Group, Row


def main() -> int:
    """Measure the rows asked for and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds")
    names = [row.name for group in GROUPS for row in group.rows]
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(names))
    asked = parser.parse_args()
    unknown = set(asked.rows) - set(names)
    if unknown:
        parser.error(f"no such row: {', '.join(sorted(unknown))} (rows: {', '.join(names)})")
    print(f"load: {WRK or 'asyncio, since wrk is not installed'}", flush=True)
    print(f"{'row':<15}{'measured':>9}{'gate':>7}{'goal':>7}", flush=True)
    kept = [_group(group, asked.rows, quick=asked.quick) for group in GROUPS]
    return 0 if all(kept) else 1


def _group(group: Group, asked: list[str], *, quick: bool) -> bool:
    rows = [row for row in group.rows if not asked or row.name in asked]
    if not rows:
        return True
    started = time.perf_counter()
    values = group.measure(quick)
    took = time.perf_counter() - started
    for row in rows:
        print(line(row, values[row.name]), flush=True)
    print(f"({took:.0f} s)", file=sys.stderr, flush=True)
    return all(row.keeps(values[row.name], row.gate) for row in rows)


def line(row: Row, value: float) -> str:
    """Return one line of the table."""
    word = (
        "goal" if row.keeps(value, row.goal) else "gate" if row.keeps(value, row.gate) else "MISS"
    )
    numbers = f"{value:>9.2f}{row.gate:>7g}{row.goal:>7g}"
    return f"{row.name:<15}{numbers}  {word:<5} {row.what}, {row.unit}".rstrip(", ")


if __name__ == "__main__":
    sys.exit(main())
