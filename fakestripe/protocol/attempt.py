"""One arrival on the wire and all that is known of it: the line of the journal.

The fields of the first group are the public format (README, formats); those of the second are
what the verdict needs beside them. Times ending in ``_s`` are seconds since the port opened, by
a clock that no test can move; ``at`` and ``client_left_at`` are epoch seconds of the account's
own clock, which a profile may move.
"""

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, convert, to_builtins

from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.form import Parameters, parse, write
from fakestripe.protocol.headers import key_in
from fakestripe.protocol.request import Request, readable
from fakestripe.protocol.secrets import masked, masked_tree

WRITTEN: Final = ("path", "idempotency_key", "user_agent", "note")
"""Fields that hold what a caller wrote."""

KeyState: TypeAlias = Literal[
    "absent", "new", "replay", "in_flight", "mismatch", "expired", "refused"
]
Label: TypeAlias = Literal["first", "transport_resend", "sdk_retry", "app_retry", "replica"]
Ended: TypeAlias = Literal["answered", "lost", "refused", "unsupported", "bug"]
Delivery: TypeAlias = Literal["none", "partial", "altered", "intact"]
Movement: TypeAlias = Literal["charge", "capture", "refund", "cancel", "intent"]


class Moved(Struct, frozen=True, gc=False):
    """What one request changed in the ledger: the truth that the verdict counts.

    ``kind`` "charge" is a new charge (``status`` "failed" for a decline, ``captured`` false for
    an authorisation), "capture" and "refund" change the charge ``charge``, "intent" is a new
    payment intent without one. ``id`` is the object made (``ch_ re_ pi_``); ``amount`` is in minor
    units.
    """

    kind: Movement
    id: str
    amount: int
    currency: str
    charge: str | None = None
    customer: str | None = None
    status: str = "succeeded"
    captured: bool = True
    payment_intent: str | None = None


class Attempt(Struct, kw_only=True, gc=False):
    """One request on the wire, filled in as the exchange goes on.

    ``policy`` is what was decided of a request that came with a further key, ``api_key`` that key,
    masked; both are None for a secret key that stands for its account. Beside what is about
    to charge stands the cap of its key, and where that is exceeded what would have been spent,
    in cents.
    """

    arrival: int
    account: str
    at: float
    connection: int
    request_on_connection: int
    method: str
    path: str
    form: bytes = b""
    idempotency_key: str | None = None
    key_state: KeyState = "absent"
    operation: str | None = None
    step: str | None = None
    attempt: int = 0
    label: Label = "first"
    rules: tuple[str, ...] = ()
    last_point: str = "received"
    status: int | None = None
    charge: str | None = None
    bytes_sent: int = 0
    client_left_at: float | None = None
    user_agent: str = ""
    outcome: Ended | None = None

    started_s: float = 0.0
    ended_s: float | None = None
    left_s: float | None = None
    digest: str = ""
    moves: bool = False
    delivery: Delivery = "none"
    error_type: str | None = None
    error_code: str | None = None
    ids: tuple[str, ...] = ()
    moved: Moved | None = None
    faults: tuple[str, ...] = ()
    replayed_from: int | None = None
    forgotten_by: str | None = None
    resent: bool = False
    note: str | None = None
    policy: str | None = None
    api_key: str | None = None
    cap_usd_cents: int | None = None
    spent_usd_cents: int | None = None

    @property
    def parameters(self) -> Parameters:
        """The nested parameters of the body, or of the query of a GET; {} where unreadable."""
        try:
            return parse(self.form)
        except StripeError:
            return {}


def opened(  # noqa: PLR0913  # by keyword, what others know of the request
    request: Request,
    *,
    arrival: int,
    account: str,
    at: float,
    step: str | None,
    path: str | None = None,
    key: str | None = None,
) -> Attempt:
    """Return the attempt that a request begins; ``step`` is that of a payment, if it is one.

    Who has read ``path`` and idempotency ``key`` already hands both over.
    """
    return Attempt(
        arrival=arrival,
        account=account,
        at=at,
        connection=request.connection,
        request_on_connection=request.request_on_connection,
        method=request.method,
        path=readable(request.path) if path is None else path,
        form=request.form,
        idempotency_key=key_in(request) if path is None else key,
        user_agent=request.header("user-agent") or "",
        digest=request.digest,
        resent=request.resent,
        step=step,
        moves=step is not None,
    )


def to_line(attempt: Attempt) -> dict[str, Any]:
    """Return the attempt in the public format, ``parameters`` in place of the raw form.

    What a caller wrote is shown without whole API keys and card numbers.
    """
    line: dict[str, Any] = to_builtins(attempt)
    del line["form"]
    for name in WRITTEN:
        if line[name] is not None:
            line[name] = masked(line[name])
    return {**line, "parameters": masked_tree(attempt.parameters)}


def from_line(line: dict[str, Any]) -> Attempt:
    """Return the attempt of a journal line; raises ``msgspec.ValidationError`` if it is none."""
    fields = {name: value for name, value in line.items() if name != "parameters"}
    attempt = convert(fields, Attempt)
    attempt.form = write(line.get("parameters", {}))
    return attempt
