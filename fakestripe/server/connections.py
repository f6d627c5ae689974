"""Numbers the connections of a port, and the requests on each: both from 1."""

from typing import Any, Final, TypeAlias

ROOM: Final = 256
Seen: TypeAlias = tuple[int, int]
"""The number of a connection, and that of a request on it."""


class Connections:
    """The live transports; closed ones are dropped whenever their number has doubled."""

    def __init__(self) -> None:
        self._seen: dict[Any, list[int]] = {}
        self._opened = 0
        self._limit = ROOM
        self._expected: dict[Any, int] = {}

    def count(self, transport: Any) -> Seen:
        """Count a request; return the numbers of its connection and of it on the connection."""
        if transport is None:  # the client left before its request was looked at
            return self._opened, 1
        seen = self._seen.get(transport)
        if seen is None:
            self._drop_closed()
            seen = self._seen[transport] = [self._number(transport), 0]
        seen[1] += 1
        return seen[0], seen[1]

    def _number(self, transport: Any) -> int:
        if self._expected:
            known = self._expected.pop(transport.get_extra_info("peername"), None)
            if known is not None:
                return known
        self._opened += 1
        return self._opened

    def expected(self, peer: Any) -> int:
        """Give a connection its number before its first request, by its client's address."""
        self._opened += 1
        self._expected[peer] = self._opened
        return self._opened

    def forget(self, peer: Any) -> None:
        """Expect no request any more on a connection that was numbered before it had one."""
        self._expected.pop(peer, None)

    def another(self) -> Seen:
        """Count a connection between a proxy and the server, with its first request."""
        self._opened += 1
        return self._opened, 1

    def _drop_closed(self) -> None:
        if len(self._seen) < self._limit:
            return
        self._seen = {t: seen for t, seen in self._seen.items() if not t.is_closing()}
        self._limit = max(ROOM, 2 * len(self._seen))
