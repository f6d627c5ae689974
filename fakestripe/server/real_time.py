"""The real clocks, out of reach of freezegun and time-machine, whenever this is imported.

freezegun replaces ``time.time`` and ``time.monotonic`` and leaves ``clock_gettime`` alone.
time-machine patches ``clock_gettime`` for CLOCK_REALTIME; Linux has a coarse twin of that clock,
which it leaves alone.
"""

import sys
import time
from functools import partial

_LINUX_REALTIME_COARSE = 5  # linux/time.h; the resolution is a few milliseconds
_WALL = _LINUX_REALTIME_COARSE if sys.platform == "linux" else time.CLOCK_REALTIME


class Real:
    """The clocks of the machine."""

    monotonic = partial(time.clock_gettime, time.CLOCK_MONOTONIC)
    wall = partial(time.clock_gettime, _WALL)
