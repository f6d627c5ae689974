"""Which logical operation a request belongs to: the facts of one request that decide it.

A step is a POST that makes, confirms, captures or refunds a payment; everything else belongs to
no operation. The rules that use these facts, and their order, are in ``bank.operations``; the
faults and the verdict group by the same ones, so that both speak of the same operation.
"""

from fnmatch import fnmatchcase
from typing import Any, Final, TypeAlias
from urllib.parse import unquote_plus

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.form import flatten

Flat: TypeAlias = dict[str, str]
"""The parameters of a request by dotted name."""
NOTHING: Final[Flat] = {}

STEPS: Final[dict[str, str]] = {
    "POST /v1/charges": "create",
    "POST /v1/payment_intents": "create",
    "POST /v1/payment_intents/{id}/confirm": "confirm",
    "POST /v1/payment_intents/{id}/capture": "capture",
    "POST /v1/charges/{id}/capture": "capture",
    "POST /v1/charges/{id}/refund": "refund",
    "POST /v1/charges/{id}/refunds": "refund",
    "POST /v1/refunds": "refund",
}
"""The steps of a payment or refund: method and path with ids replaced, and their word."""

PAYMENTS: Final = ("ch_", "pi_", "py_")
UNTELLING: Final = frozenset({"amount", "currency", "source"})
"""Parameters in which no intent's name is looked for."""


def shape_of(method: str, path: str) -> str:
    """Return method and path, ids replaced by ``{id}``."""
    shape = f"{method} {path}"
    if shape in STEPS:
        return shape
    parts = path.split("/")
    if len(parts) > 3:  # noqa: PLR2004  # "", "v1", "charges", an id
        parts[3] = "{id}"
    return f"{method} {'/'.join(parts)}"


def id_in(path: str) -> str | None:
    """Return the id of the object that a path is about."""
    parts = path.split("/")
    return parts[3] if len(parts) > 3 else None  # noqa: PLR2004


def flat_of(attempt: Attempt) -> Flat:
    """Return all parameters by dotted name."""
    return dict(flatten(attempt.parameters))


def canonical(form: bytes) -> bytes:
    """Return bytes that are equal for equal parameters, whatever their order.

    Cheaper than parsing, which the hot path cannot afford for this alone; spelling an array in
    two ways is the one difference it does not see through.
    """
    pairs = form.split(b"&")
    pairs.sort()
    joined = b"&".join(pairs)
    if b"%" in joined or b"+" in joined:
        return unquote_plus(joined.decode("latin-1"), "latin-1").encode("latin-1", "replace")
    return joined


def selected(selector: str, flat: Flat) -> str | None:
    """Return the name that a selector finds: ``metadata.order_id``, ``customer+metadata.day``."""
    values = [flat.get(part.strip()) for part in selector.split("+")]
    return None if None in values else "+".join(value for value in values if value is not None)


def fits(match: dict[str, Any], attempt: Attempt, flat: Flat) -> bool:
    """Return whether an intent's ``match`` (as in a rule of a profile) is about a request."""
    if match.get("any"):
        return True
    if match.get("moves") is not None and not attempt.moves:
        return False
    return (
        _like(match.get("method"), attempt.method)
        and _like(match.get("path"), attempt.path)
        and _like(match.get("account"), attempt.account)
        and _key_fits(match.get("idempotency_key"), attempt.idempotency_key)
        and all(_like(glob, flat.get(name)) for name, glob in match.get("params", {}).items())
        and all(_header_fits(n, glob, attempt) for n, glob in match.get("headers", {}).items())
    )


def _like(glob: Any, value: str | None) -> bool:
    return glob is None or (value is not None and fnmatchcase(value, str(glob)))


def _key_fits(wanted: str | None, key: str | None) -> bool:
    if wanted in ("present", "absent"):
        return (key is not None) == (wanted == "present")
    return _like(wanted, key)


def _header_fits(name: str, glob: str, attempt: Attempt) -> bool:
    """Return whether a header fits; the journal keeps two, any other fits nobody."""
    known = {"user-agent": attempt.user_agent, "idempotency-key": attempt.idempotency_key}
    return _like(glob, known.get(name.lower()))
