"""One reply with its exact bytes: what Stripe, or the edge in front of it, answers.

A reply of Stripe carries the constant headers of stripe-facts 2.1; one of the edge (a gateway
page) carries only what nginx would send. The head is written here, not by a framework, since
faults cut it at exact bytes.
"""

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

_CORS: Final = (
    "Access-Control-Allow-Credentials: true\r\n"
    "Access-Control-Allow-Methods: GET, HEAD, PUT, PATCH, POST, DELETE\r\n"
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Expose-Headers: Request-Id, Stripe-Manage-Version, Stripe-Should-Retry, "
    "X-Stripe-External-Auth-Required, X-Stripe-Privileged-Session-Required\r\n"
    "Access-Control-Max-Age: 300\r\n"
    "Cache-Control: no-cache, no-store\r\n"
)
_STRIPE: Final = (
    "Vary: Origin\r\n"
    "Strict-Transport-Security: max-age=63072000; includeSubDomains; preload\r\n"
    "X-Stripe-Routing-Context-Priority-Tier: api-testmode\r\n"
    "X-Stripe-Priority-Routing-Enabled: true\r\n"
)
CONSTANT: Final[dict[Origin, str]] = {"stripe": _CORS + _STRIPE, "front": _CORS, "edge": ""}
"""Header lines sent on every reply of an origin (stripe-facts 2.1)."""


class Reply(Struct, frozen=True, gc=False):
    """A reply before it is framed.

    ``ids`` are the ids of payments and refunds that the body contains; ``altered`` marks a
    reply that is not the true answer to the request. ``headers`` are those beyond the constant
    ones of the ``origin``: "stripe" is the API, "front" what answers before it (401, 403, 429),
    "edge" a gateway.
    """

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    ids: tuple[str, ...] = ()
    altered: bool = False
    origin: Origin = "stripe"

    def head(self, *, date: str, keep_alive: bool, framing: str) -> bytes:
        """Return status line and headers, with the empty line.

        ``framing`` is the header line that announces the body, with its line end, or "".
        """
        reason = REASONS.get(self.status, "Unknown")
        lines = "".join([f"{name}: {value}\r\n" for name, value in self.headers])
        connection = "keep-alive" if keep_alive else "close"
        kind = "" if any(n.lower() == "content-type" for n, _ in self.headers) else _JSON
        return (
            f"HTTP/1.1 {self.status} {reason}\r\nServer: nginx\r\nDate: {date}\r\n{kind}{framing}"
            f"Connection: {connection}\r\n{CONSTANT[self.origin]}{lines}\r\n"
        ).encode("utf-8", "surrogateescape")


_JSON: Final = "Content-Type: application/json\r\n"
