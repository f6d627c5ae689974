"""One HTTP request as it arrived, fully read, as a value."""

from collections.abc import Mapping

from msgspec import Struct


class Request(Struct, frozen=True, gc=False):
    """A request after its body was drained.

    ``headers`` is looked up by lower-case names (the first of several equal ones wins), ``body``
    is the raw bytes, ``query`` the escaped part behind the question mark. ``connection`` numbers
    the TCP connections of a port from 1, ``request_on_connection`` the requests on one of them
    from 1. ``digest`` is equal for two requests exactly when they are byte-identical.
    ``resent`` says that a proxy, and not the client, sent it once more.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    connection: int
    request_on_connection: int
    digest: str
    resent: bool = False

    def header(self, name: str) -> str | None:
        """Return the header with this lower-case name, or None."""
        value = self.headers.get(name)
        if value is None or value.isascii():
            return value
        return readable(value)

    @property
    def form(self) -> bytes:
        """The parameters as sent: a query, and before a body too [G]; a GET's body is not read."""
        query = self.query.encode("utf-8", "surrogateescape") if self.query else b""
        if self.method not in ("POST", "DELETE"):
            return query
        return query + b"&" + self.body if query else self.body


def readable(text: str) -> str:
    """Return text that has a UTF-8 form: what was not UTF-8 on the wire is read as Latin-1."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text
