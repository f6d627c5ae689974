"""The lifecycle of one request, in order: the moments at which a fault may strike.

The order is the order of time. A replay skips ``claimed`` and ``committed``;
a GET has neither, since it commits nothing.
"""

from typing import Final, Literal, TypeAlias

Point: TypeAlias = Literal[
    "listen", "accept", "reading", "received", "claimed", "committed", "replying", "sent"
]

POINTS: Final[dict[Point, str]] = {
    "listen": "the port itself: nothing can be counted, the kernel answers",
    "accept": "a connection exists, nothing has been read",
    "reading": "the headers are in, the body is not drained",
    "received": "the request is fully read, nothing is decided, nothing is recorded",
    "claimed": "caller and parameters are fine, the key is in flight: a twin gets a 409",
    "committed": "the outcome is recorded and not a byte of it has been sent",
    "replying": "the reply is being sent",
    "sent": "the reply was delivered, the connection is idle",
}
"""Every point with what is true when it is reached (design: the lifecycle table)."""

ORDER: Final[dict[str, int]] = {point: index for index, point in enumerate(POINTS)}
"""The position of each point in time, for comparisons."""
