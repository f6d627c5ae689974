"""Stripe's errors: one exception, and the table of those that carry fixed texts.

The body has its keys in alphabetical order, absent ones left out (stripe-facts 3.1).
``recorded`` says whether the answer is kept under the idempotency key: what the endpoint itself
refuses is kept, what parameter validation or a layer in front refuses is not (1.2).
``front`` errors (401, 403, rate limit) come from before the API: they know no request id.
``compact`` ones are one line without a newline, as a rate limit and a 409 were recorded (2.1).
``ids`` are the payments and refunds that the error names in the objects it shows.
"""

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, json

ErrorType: TypeAlias = Literal[
    "api_error", "card_error", "idempotency_error", "invalid_request_error"
]
Headers: TypeAlias = tuple[tuple[str, str], ...]


class StripeError(Exception):
    """An answer that Stripe would give, raised where it is decided."""

    def __init__(  # noqa: PLR0913  # the fields of Stripe's error object
        self,
        status: int,
        message: str,
        *,
        type: ErrorType = "invalid_request_error",  # noqa: A002  # Stripe's own field name
        code: str | None = None,
        param: str | None = None,
        recorded: bool = False,
        front: bool = False,
        compact: bool = False,
        headers: Headers = (),
        ids: tuple[str, ...] = (),
        **extra: Any,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.code = code
        self.recorded = recorded
        self.front = front
        self.compact = compact
        self.headers = headers
        self.ids = ids
        page = None if code is None else f"{DOCS}{code.replace('_', '-')}"
        fields = {"message": message, "type": type, "code": code, "doc_url": page, "param": param}
        self.fields = {
            name: value for name, value in (fields | extra).items() if value is not None
        }

    @property
    def unsupported(self) -> bool:
        """Whether Stripe would have served this request and fakestripe does not."""
        return any(name == UNSUPPORTED for name, _ in self.headers)

    def body(self, request_log_url: str) -> bytes:
        """Return the body; its log URL is that of the request that met the error first."""
        if self.compact:
            return json.encode({"error": dict(sorted(self.fields.items()))})
        if self.front:
            return encode({"error": self.fields}) + b"\n"
        fields = self.fields | {"request_log_url": request_log_url}
        return encode({"error": dict(sorted(fields.items()))}) + b"\n"


DOCS: Final = "https://stripe.com/docs/error-codes/"
UNSUPPORTED: Final = "Fakestripe-Unsupported"
"""The header of an answer that says what fakestripe does not emulate."""


def encode(value: Any) -> bytes:
    """Return pretty JSON as Stripe writes it: two spaces, no final newline."""
    return json.format(json.encode(value), indent=2)


def invalid_request(
    message: str, *, param: str | None = None, code: str | None = None, status: int = 400
) -> StripeError:
    """Return an error of parameter validation: never recorded under a key."""
    return StripeError(status, message, code=code, param=param)


def mismatch(key: str) -> StripeError:
    """Return the error for a known key with other parameters (stripe-facts 1.2)."""
    return StripeError(
        400,
        "Keys for idempotent requests can only be used with the same parameters they were "
        f"first used with. Try using a key other than '{key}' if you meant to execute a "
        "different request.",
        type="idempotency_error",
    )


def other_endpoint(key: str, path: str, first_path: str) -> StripeError:
    """Return the error for a known key on another path: the current path is named first."""
    return StripeError(
        400,
        "Keys for idempotent requests can only be used for the same endpoint they were first "
        f"used for ('{path}' vs '{first_path}'). Try using a key other than '{key}' if you "
        "meant to execute a different request.",
        type="idempotency_error",
    )


def in_flight(key: str) -> StripeError:
    """Return the 409 for a key whose first request still runs: not an ``idempotency_error``."""
    return StripeError(
        409,
        "There is currently another in-progress request using this Idempotent Key (that "
        "probably means you submitted twice, and the other request is still going through): "
        f"{key}. Please try again later.",
        code="idempotency_key_in_use",
        compact=True,
        headers=RETRY,
    )


def not_emulated(param: str) -> StripeError:
    """Return the refusal of a parameter that Stripe knows and fakestripe does not: said aloud.

    To ignore it would show a charge that Stripe would have made otherwise.
    """
    return StripeError(
        400,
        f"fakestripe does not emulate the parameter '{param}'; Stripe would have read it.",
        param=param,
        headers=((UNSUPPORTED, param),),
    )


RETRY: Final = (("Stripe-Should-Retry", "true"),)
"""Sent with every lock timeout; with a 409 it is a guess of stripe-facts 1.2 [G]."""


class Canned(Struct, frozen=True):
    """An error that a fault may answer by name: ``{reply: {stripe: rate_limit}}``."""

    status: int
    message: str
    type: ErrorType = "invalid_request_error"
    code: str | None = None
    front: bool = False
    compact: bool = False
    headers: Headers = ()


CHALLENGE: Final = (("WWW-Authenticate", 'Bearer realm="Stripe"'),)
CANNED: Final[dict[str, Canned]] = {
    "rate_limit": Canned(
        429,
        "Request rate limit exceeded. Learn more about rate limits here "
        "https://stripe.com/docs/rate-limits.",
        code="rate_limit",
        front=True,
        compact=True,
        headers=(("Stripe-Rate-Limited-Reason", "global-rate"),),
    ),
    "lock_timeout": Canned(
        429,
        "This object cannot be accessed right now because another API request or Stripe process "
        "is currently accessing it. If you see this error intermittently, retry the request. If "
        "you see this error frequently and are making multiple concurrent requests to a single "
        "object, make your requests serially or at a lower rate.",
        code="lock_timeout",
        headers=RETRY,
    ),
    "idempotency_key_in_use": Canned(
        409,
        "There is currently another in-progress request using this Idempotent Key (that probably "
        "means you submitted twice, and the other request is still going through). Please try "
        "again later.",
        code="idempotency_key_in_use",
        compact=True,
        headers=RETRY,
    ),
    "api_error": Canned(500, "An unknown error occurred", "api_error"),
    "service_unavailable": Canned(
        503,
        "There was an unexpected error processing this request\N{EN DASH}we've been notified of "
        "this issue. We'll update our status page at https://status.stripe.com/ with more "
        "information if we're seeing systemic issues.",
        "api_error",
    ),
    "unauthorized": Canned(
        401, "Invalid API Key provided: sk_test_****", front=True, headers=CHALLENGE
    ),
}
"""Errors by the name a profile uses, from stripe-facts 3.3 and 3.4."""


def canned(name: str) -> StripeError:
    """Return the named error of the table; raises ``KeyError`` for an unknown name."""
    row = CANNED[name]
    return StripeError(
        row.status,
        row.message,
        type=row.type,
        code=row.code,
        front=row.front,
        compact=row.compact,
        headers=row.headers,
    )
