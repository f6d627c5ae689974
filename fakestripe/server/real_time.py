"""The real clocks, out of reach of freezegun and time-machine.

freezegun replaces module attributes that hold ``time.time`` or ``time.monotonic``; a class
attribute is not searched. time-machine patches ``time.time`` in C and ``clock_gettime`` for
CLOCK_REALTIME alone; Linux has a coarse twin of that clock, which both leave alone.
"""

import sys
import time

_REALTIME_COARSE = 5  # linux/time.h; the resolution is a few milliseconds


class Real:
    """The clocks as they were when this module was first imported."""

    monotonic = staticmethod(time.monotonic)
    _gettime = staticmethod(time.clock_gettime)
    _time = staticmethod(time.time)

    @classmethod
    def wall(cls) -> float:
        """Return epoch seconds."""
        if sys.platform == "linux":
            return cls._gettime(_REALTIME_COARSE)
        return cls._time()
