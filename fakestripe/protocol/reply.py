"""One reply with its exact bytes: what Stripe, or the edge in front of it, answers.

A reply of Stripe carries the constant headers of stripe-facts 2.1 (but for those that report to
Stripe's own collectors); one of the edge (a gateway page) carries only what nginx would send.
The head is written here, not by a framework, since faults cut it at exact bytes.
"""

import re
from typing import Final, Literal

from msgspec import Struct

Origin = Literal["stripe", "front", "edge"]

REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    402: "Payment Required",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    413: "Request Entity Too Large",
    424: "Failed Dependency",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}

CONSTANT: Final = (
    "Access-Control-Allow-Credentials: true\r\n"
    "Access-Control-Allow-Methods: GET, HEAD, PUT, PATCH, POST, DELETE\r\n"
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Expose-Headers: Request-Id, Stripe-Manage-Version, Stripe-Should-Retry, "
    "X-Stripe-External-Auth-Required, X-Stripe-Privileged-Session-Required\r\n"
    "Access-Control-Max-Age: 300\r\n"
    "Cache-Control: no-cache, no-store\r\n"
    "Vary: Origin\r\n"
    "Strict-Transport-Security: max-age=63072000; includeSubDomains; preload\r\n"
    "X-Stripe-Routing-Context-Priority-Tier: api-testmode\r\n"
    "X-Stripe-Priority-Routing-Enabled: true\r\n"
)
"""Header lines of every answer but the edge's."""
_MIDDLE: Final = {
    (edge, keep_alive): (
        f"Connection: {'keep-alive' if keep_alive else 'close'}\r\n{'' if edge else CONSTANT}"
    )
    for edge in (True, False)
    for keep_alive in (True, False)
}
_START: Final = {
    status: f"HTTP/1.1 {status} {reason}\r\nServer: nginx\r\nDate: "
    for status, reason in REASONS.items()
}
_JSON: Final = "Content-Type: application/json\r\n"
_BREAK: Final = re.compile(r"[\r\n]+")


class Reply(Struct, frozen=True, gc=False):
    """A reply before it is framed, with type and code of the error it carries, if any.

    ``ids`` are the ids of payments and refunds that the body contains; ``altered`` marks a
    reply that is not the true answer to the request. ``headers`` are those beyond the constant
    ones of the ``origin``: "stripe" is the API, "front" what answers before it (401, 403, 429),
    "edge" a gateway. Before them go ``lines``: headers of which who wrote them knows that no
    value holds a line break.
    """

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    ids: tuple[str, ...] = ()
    altered: bool = False
    origin: Origin = "stripe"
    error_type: str | None = None
    error_code: str | None = None
    lines: str = ""

    @property
    def charge(self) -> str | None:
        """The first charge that the body names."""
        for found in self.ids:
            if found.startswith("ch_"):
                return found
        return None

    def head(self, *, date: str, keep_alive: bool, framing: str) -> bytes:
        """Return status line and headers, with the empty line.

        ``framing`` is the header line that announces the body, with its line end, or "".
        """
        status, edge = self.status, self.origin == "edge"
        start = _START.get(status) or f"HTTP/1.1 {status} Unknown\r\nServer: nginx\r\nDate: "
        kind = "" if edge and self._names_its_kind() else _JSON
        middle, rest = _MIDDLE[edge, keep_alive], self._lines() if self.headers else ""
        return f"{start}{date}\r\n{kind}{framing}{middle}{self.lines}{rest}\r\n".encode()

    def _names_its_kind(self) -> bool:
        return any(name.lower() == "content-type" for name, _ in self.headers)

    def _lines(self) -> str:
        """Return the lines of the headers; no value, an echoed one least, can begin another."""
        return "".join(
            [
                f"{_BREAK.sub(' ', name)}: {_BREAK.sub(' ', value)}\r\n"
                for name, value in self.headers
            ]
        )
