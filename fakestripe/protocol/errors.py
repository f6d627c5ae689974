"""Stripe's errors: one exception, and the table of those that carry fixed texts.

The body has its keys in alphabetical order, absent ones left out (stripe-facts 3.1).
``recorded`` says whether the answer is kept under the idempotency key: what the endpoint itself
refuses is kept, what parameter validation or a layer in front refuses is not (1.2).
"""

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, json

ErrorType: TypeAlias = Literal[
    "api_error", "card_error", "idempotency_error", "invalid_request_error"
]


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
        headers: tuple[tuple[str, str], ...] = (),
        **extra: Any,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.code = code
        self.recorded = recorded
        self.front = front
        self.headers = headers
        self.fields: dict[str, Any] = {
            key: value
            for key, value in {
                "code": code,
                "message": message,
                "param": param,
                "type": type,
                **extra,
            }.items()
            if value is not None
        }
        if code is not None:
            page = code.replace("_", "-")
            self.fields["doc_url"] = f"https://stripe.com/docs/error-codes/{page}"

    def body(self, request_log_url: str | None) -> bytes:
        """Return the pretty body with its final newline; a front error is without log URL."""
        fields = dict(self.fields)
        if request_log_url is not None and not self.front:
            fields["request_log_url"] = request_log_url
        if self.front:
            return encode({"error": fields}) + b"\n"
        return encode({"error": dict(sorted(fields.items()))}) + b"\n"


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
        headers=(("Stripe-Should-Retry", "true"),),  # [G] stripe-facts 1.2: taken as sent
    )


class Canned(Struct, frozen=True):
    """An error that a fault may answer by name: ``{reply: {stripe: rate_limit}}``."""

    status: int
    type: ErrorType
    message: str
    code: str | None = None
    should_retry: bool | None = None
    front: bool = False


CANNED: Final[dict[str, Canned]] = {
    "rate_limit": Canned(
        429,
        "invalid_request_error",
        "Request rate limit exceeded. Learn more about rate limits here "
        "https://stripe.com/docs/rate-limits.",
        code="rate_limit",
        front=True,
    ),
    "lock_timeout": Canned(
        429,
        "invalid_request_error",
        "This object cannot be accessed right now because another API request or Stripe process "
        "is currently accessing it. If you see this error intermittently, retry the request. If "
        "you see this error frequently and are making multiple concurrent requests to a single "
        "object, make your requests serially or at a lower rate.",
        code="lock_timeout",
        should_retry=True,
    ),
    "idempotency_key_in_use": Canned(
        409,
        "invalid_request_error",
        "There is currently another in-progress request using this Idempotent Key (that probably "
        "means you submitted twice, and the other request is still going through). Please try "
        "again later.",
        code="idempotency_key_in_use",
        should_retry=True,
    ),
    "api_error": Canned(500, "api_error", "An unknown error occurred"),
    "service_unavailable": Canned(
        503,
        "api_error",
        "There was an unexpected error processing this request–we've been notified of this "
        "issue. We'll update our status page at https://status.stripe.com/ with more information "
        "if we're seeing systemic issues.",
    ),
    "unauthorized": Canned(
        401, "invalid_request_error", "Invalid API Key provided: sk_test_****", front=True
    ),
}
"""Errors by the name a profile uses, from stripe-facts 3.3 and 3.4."""


def canned(name: str) -> StripeError:
    """Return the named error of the table; raises ``KeyError`` for an unknown name."""
    row = CANNED[name]
    retry = () if row.should_retry is None else (("Stripe-Should-Retry", "true"),)
    return StripeError(
        row.status, row.message, type=row.type, code=row.code, front=row.front, headers=retry
    )
