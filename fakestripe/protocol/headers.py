"""What the headers of a request must say, and what those of an answer say about its key.

Sources: stripe-facts 1 (keys), 2.2 (authentication), 2.3 (versions). Decisions marked [G] there
are taken here: an empty key, one of spaces only and one above 255 characters are refused alike;
a body without a content type is read as a form.
"""

import base64
import re
from typing import Final

from fakestripe.protocol.errors import StripeError, invalid_request
from fakestripe.protocol.request import Request

KEY_LENGTH: Final = 255
API_VERSION: Final = "2026-10-28.endive"
FORM: Final = "application/x-www-form-urlencoded"
_VERSION: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(\.[a-z]+)?(; ?[a-z0-9_]+=v[0-9]+)*")

Headers = tuple[tuple[str, str], ...]


def key_of(request: Request) -> str | None:
    """Return the idempotency key of a POST, or None; raises a 400 for one no key may be."""
    if request.method != "POST":
        return None
    key = request.header("idempotency-key")
    if key is None:
        return None
    if not key.strip() or len(key) > KEY_LENGTH:
        raise invalid_request(
            f"Invalid Idempotency-Key: it must be 1 to {KEY_LENGTH} characters long, but you "
            f"passed in a value that is {len(key.strip())} characters."
        )
    return key


def version_of(request: Request) -> str:
    """Return the API version of a request; raises a 400 for one that is none."""
    version = request.header("stripe-version")
    if version is None:
        return API_VERSION
    if not _VERSION.fullmatch(version):
        raise invalid_request(f"Invalid Stripe API version: {version}")
    return version


def check_content_type(request: Request) -> None:
    """Refuse a body that is no form, naming its type: never "missing amount"."""
    given = request.header("content-type")
    if given is None or not request.body:
        return
    kind = given.partition(";")[0].strip().lower()
    if kind != FORM:
        raise invalid_request(
            f"Invalid content type: {given}. The request body must be sent as {FORM}; JSON and "
            "other bodies are not parsed."
        )


def bearer(request: Request) -> str | None:
    """Return the API key of a request, from Bearer or Basic authentication, or None."""
    return bearer_in(request.header("authorization"))


def bearer_in(given: str | None) -> str | None:
    """Return the API key of an ``Authorization`` header, or None."""
    if given is None:
        return None
    scheme, _, rest = given.partition(" ")
    if scheme.lower() == "bearer":
        return rest.strip() or None
    if scheme.lower() == "basic":
        return _basic_user(rest.strip())
    return None


def _basic_user(encoded: str) -> str | None:
    try:
        text = base64.b64decode(encoded, validate=True).decode()
    except ValueError:
        return None
    return text.partition(":")[0] or None


def mask(key: str) -> str:
    """Return a key as messages and journals may show it: prefix, stars, last four characters."""
    prefix = next((p for p in _PREFIXES if key.startswith(p)), "")
    hidden = key[len(prefix) :]
    shown = hidden[-4:] if len(hidden) > len(_PREFIXES[0]) else ""
    return f"{prefix}{'*' * (len(hidden) - len(shown))}{shown}"


_PREFIXES: Final = ("sk_test_", "rk_test_", "pk_test_", "vk_test_", "sk_live_", "rk_live_")


def refused_key(key: str | None) -> StripeError | None:
    """Return why a key cannot be a secret test key, or None where it can."""
    if key is None:
        return StripeError(
            401,
            "You did not provide an API key. You need to provide your API key in the "
            "Authorization header, using Bearer auth (e.g. 'Authorization: Bearer "
            "YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or "
            "we can help at https://support.stripe.com/.",
            front=True,
            headers=_CHALLENGE,
        )
    if key.startswith(("sk_live_", "rk_live_")):
        return StripeError(
            401,
            f"This is fakestripe, and it refuses live keys: {mask(key)}. Use a key that begins "
            "with sk_test_; nothing was charged.",
            front=True,
            headers=_CHALLENGE,
        )
    if key.startswith("pk_"):
        return StripeError(
            403,
            "This API call cannot be made with a publishable API key. Please use a secret API "
            "key. You can find a list of your API keys at "
            "https://dashboard.stripe.com/account/apikeys.",
            code="secret_key_required",
            front=True,
        )
    if not key.startswith(("sk_test_", "rk_test_", "vk_test_")):
        return StripeError(
            401, f"Invalid API Key provided: {mask(key)}", front=True, headers=_CHALLENGE
        )
    return None


_CHALLENGE: Final = (("WWW-Authenticate", 'Bearer realm="Stripe"'),)


def unknown_url(request: Request) -> StripeError:
    """Return the 404 for a URL that is not served, marked for whoever reads the report."""
    return StripeError(
        404,
        f"Unrecognized request URL ({request.method}: {request.path}). If you are trying to list "
        "objects, remove the trailing slash. If you are trying to retrieve an object, make sure "
        "you passed a valid (non-empty) identifier in your code. Please see "
        "https://stripe.com/docs or we can help at https://support.stripe.com/.",
        headers=(("Fakestripe-Unsupported", f"{request.method} {request.path}"),),
    )
