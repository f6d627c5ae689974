"""The rows of the matrix: each a fault that strikes attempt 1, and the connection it strikes on.

Faults are written as a rule of a profile says them. Nothing is measured here.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

Connection: TypeAlias = Literal["fresh", "reused", "keyed"]


class Row(Struct, frozen=True):
    """A fault and where it strikes.

    "keyed" is a reused connection and a key of the caller's own. ``always`` strikes every
    attempt and not the first alone.
    """

    fault: str
    connection: Connection = "fresh"
    tls: bool = False
    always: bool = False

    @property
    def rule(self) -> str:
        """The fault as a rule of a profile."""
        return f"{{when: {self.when}, {self.fault}}}" if self.when else f"{{{self.fault}}}"

    @property
    def arguments(self) -> tuple[str, ...]:
        """What a program must be told for this row."""
        reused = () if self.connection == "fresh" else ("--reused",)
        return (*reused, "--key", "K1") if self.connection == "keyed" else reused

    @property
    def when(self) -> str | None:
        """Which attempts the fault strikes, as a rule says it; None for all of them."""
        if self.always:
            return None
        reused = "" if self.connection == "fresh" else ", connection: reused"
        return f"{{attempt: 1{reused}}}"


def _cut(how: str, then: str = "close") -> str:
    return f"at: replying, do: {{truncate: {{{how}, then: {then}}}}}"


def _answer(status: int, body: str, *headers: str, at: str = "committed") -> str:
    of = "text/html" if body == PAGE else "application/json"
    given = ", ".join((f"Content-Type: {of}", *headers))
    return f"at: {at}, do: {{reply: {{status: {status}, headers: {{{given}}}, body: '{body}'}}}}"


def _canned(name: str, at: str) -> str:
    return f"at: {at}, do: {{reply: {{stripe: {name}}}}}"


PAGE: Final = "<html><body>gateway</body></html>"
BROKEN: Final = '{"id": "ch_'
FAILED: Final = '{"error": {"type": "api_error", "message": "?"}}'
DECLINED: Final = '{"error": {"type": "card_error", "code": "card_declined", "message": "?"}}'
LIMITED: Final = (
    '{"error": {"type": "invalid_request_error", "code": "rate_limit", "message": "?"}}'
)
LOCKED: Final = LIMITED.replace("rate_limit", "lock_timeout")
YES, NO = "Stripe-Should-Retry: 'true'", "Stripe-Should-Retry: 'false'"
AT_ONCE: Final = "Retry-After: '0'"
CLOSE, RESET = "at: committed, do: close", "at: committed, do: reset"

ROWS: Final[dict[str, Row]] = {
    "no fault": Row(""),
    "TLS: no fault": Row("", tls=True),
    "close before any byte": Row(CLOSE),
    "close before any byte, reused": Row(CLOSE, "reused"),
    "close before any byte, reused, keyed": Row(CLOSE, "keyed"),
    "reset before any byte": Row(RESET),
    "reset before any byte, reused": Row(RESET, "reused"),
    "reset before any byte, reused, keyed": Row(RESET, "keyed"),
    "TLS: close before any byte": Row(CLOSE, tls=True),
    "TLS: close before any byte, reused": Row(CLOSE, "reused", tls=True),
    "TLS: close before any byte, reused, keyed": Row(CLOSE, "keyed", tls=True),
    "TLS: reset before any byte": Row(RESET, tls=True),
    "TLS: reset before any byte, reused": Row(RESET, "reused", tls=True),
    "TLS: reset before any byte, reused, keyed": Row(RESET, "keyed", tls=True),
    "half a status line, close": Row(_cut("head: 8")),
    "one header, close": Row(_cut("head: 32")),
    "half the headers, close": Row(_cut("head: 50%")),
    "half the headers, reset": Row(_cut("head: 50%", "reset")),
    "half the headers, reset, reused": Row(_cut("head: 50%", "reset"), "reused"),
    "TLS: half the headers, reset": Row(_cut("head: 50%", "reset"), tls=True),
    "headers only, close": Row(_cut("body: 0")),
    "half body, length, close": Row(_cut("body: 50%")),
    "half body, reset": Row(_cut("body: 50%", "reset")),
    "TLS: half body, length, close": Row(_cut("body: 50%"), tls=True),
    "TLS: half body, reset": Row(_cut("body: 50%", "reset"), tls=True),
    "half body, chunked, close": Row(_cut("body: 50%, framing: chunked")),
    "half body, no length, close": Row(_cut("body: 50%, framing: unframed")),
    "half body, silence": Row(_cut("body: 50%", "hang")),
    "200 with broken JSON": Row(_answer(200, BROKEN)),
    "no answer until timeout": Row("at: committed, do: {hang: 60s}"),
    "408 HTML": Row(_answer(408, PAGE)),
    "500 JSON": Row(_canned("api_error", "committed")),
    "500 JSON, Should-Retry true": Row(_answer(500, FAILED, YES)),
    "500 JSON, Should-Retry false": Row(_answer(500, FAILED, NO)),
    "502 HTML": Row("at: committed, do: {reply: {status: 502}}"),
    "503 HTML, Retry-After: 0": Row(_answer(503, PAGE, AT_ONCE)),
    "504 HTML": Row("at: committed, do: {reply: {status: 504}}"),
    "402 JSON, Should-Retry false": Row(_answer(402, DECLINED, NO, at="received")),
    "409 key in use": Row(_canned("idempotency_key_in_use", "received")),
    "429 lock_timeout": Row(_answer(429, LOCKED, at="received")),
    "429 lock_timeout, Should-Retry true": Row(_canned("lock_timeout", "received")),
    "429 rate_limit": Row(_canned("rate_limit", "received")),
    "429 rate_limit, Should-Retry true": Row(_answer(429, LIMITED, YES, at="received")),
    "429 rate_limit, Retry-After: 0": Row(_answer(429, LIMITED, AT_ONCE, at="received")),
    "close on every attempt": Row("at: received, do: close", always=True),
}
"""Every row that a table may have, by its name."""

STRIPE_ROWS: Final = tuple(
    name
    for name, row in ROWS.items()
    if row.connection != "keyed" and name != "429 rate_limit, Retry-After: 0"
)
"""What Stripe's own libraries are struck with: they make their keys themselves."""

PLAIN_ROWS: Final = tuple(
    name
    for name in ROWS
    if "Should-Retry" not in name
    and name not in {"200 with broken JSON", "504 HTML", "429 lock_timeout"}
    and not ROWS[name].always
)
"""What clients that know nothing of Stripe are struck with."""
