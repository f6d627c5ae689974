"""One HTTP request as it arrived, fully read, as a value."""

from msgspec import Struct


class Request(Struct, frozen=True, gc=False):
    """A request after its body was drained.

    ``headers`` has lower-case names (the first of several equal ones wins), ``body`` the raw
    bytes, ``query`` the part behind the question mark. ``connection`` numbers the TCP
    connections of a port from 1, ``request_on_connection`` the requests on one of them from 1.
    ``digest`` is equal for two requests exactly when they are byte-identical.
    """

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    connection: int
    request_on_connection: int
    digest: str

    def header(self, name: str) -> str | None:
        """Return the header with this lower-case name, or None."""
        return self.headers.get(name)
