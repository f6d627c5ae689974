"""What the headers of a request must say: its key, version, content type and API key.

Sources: stripe-facts 1 (keys), 2.2 (authentication), 2.3 (versions). Decisions marked [G] there
are taken here: an empty key, one of spaces only and one above 255 characters are refused alike;
so is one with control characters, which no answer could echo; a body without a content type is
read as a form; Stripe's mask keeps the last four characters of an API key that is long enough
to keep the rest secret.
"""

import base64
import re
from typing import Final

from fakestripe.protocol.errors import CHALLENGE, UNSUPPORTED, StripeError, invalid_request
from fakestripe.protocol.request import Request, readable

KEY_LENGTH: Final = 255
API_VERSION: Final = "2026-10-28.endive"
FORM: Final = "application/x-www-form-urlencoded"
_VERSION: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(\.[a-z]+)?(; ?[a-z0-9_]+=v[0-9]+)*")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


def key_in(request: Request) -> str | None:
    """Return the idempotency key as sent, without the spaces around it; None where absent."""
    key = request.header("idempotency-key")
    return None if key is None else key.strip(" \t")


def refused_idempotency_key(key: str) -> StripeError | None:
    """Return why a string cannot be an idempotency key, or None where it can."""
    if not 1 <= len(key) <= KEY_LENGTH:
        return invalid_request(
            f"Invalid Idempotency-Key: it must be 1 to {KEY_LENGTH} characters long, but you "
            f"passed in a value that is {len(key)} characters."
        )
    if not key.isprintable() and _CONTROL.search(key):
        return invalid_request("Invalid Idempotency-Key: it must not hold control characters.")
    return None


def version_of(request: Request) -> str:
    """Return the API version of a request; raises a 400 for one that is none."""
    version = request.header("stripe-version")
    if version is None or version == API_VERSION:
        return API_VERSION
    if not _VERSION.fullmatch(version):
        raise invalid_request(f"Invalid Stripe API version: {version}")
    return version


def check_content_type(request: Request) -> None:
    """Refuse a body that is no form, naming its type: never "missing amount"."""
    given = request.header("content-type")
    if given is None or given == FORM or not request.body:
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
    scheme = scheme.lower()
    if scheme == "bearer":
        return rest.strip() or None
    if scheme == "basic":
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


_SECRET: Final = ("sk_test_", "rk_test_", "vk_test_")
_PREFIXES: Final = (*_SECRET, "pk_test_", "pk_live_", "sk_live_", "rk_live_")


def refused_key(key: str | None) -> StripeError | None:
    """Return why a key cannot be a secret test key, or None where it can."""
    if key is not None and key.startswith(_SECRET) and key not in _SECRET:
        return None
    if key is None:
        return StripeError(
            401,
            "You did not provide an API key. You need to provide your API key in the "
            "Authorization header, using Bearer auth (e.g. 'Authorization: Bearer "
            "YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or "
            "we can help at https://support.stripe.com/.",
            front=True,
            headers=CHALLENGE,
        )
    if key.startswith(("sk_live_", "rk_live_")):
        return StripeError(
            401,
            f"This is fakestripe, and it refuses live keys: {mask(key)}. Use a key that begins "
            "with sk_test_; nothing was charged.",
            front=True,
            headers=CHALLENGE,
        )
    if key.startswith("pk_"):
        return StripeError(
            403,
            "This API call cannot be made with a publishable API key. Please use a secret API "
            "key. You can find a list of your API keys at "
            "https://dashboard.stripe.com/account/apikeys.",
            code="secret_key_required",
            front=True,
            headers=_ROBOTS,
        )
    return StripeError(
        401, f"Invalid API Key provided: {mask(key)}", front=True, headers=CHALLENGE
    )


_ROBOTS: Final = (("X-Robots-Tag", "none"),)
_ACCOUNT: Final = re.compile(r"acct_[A-Za-z0-9_]{1,250}", re.ASCII)


def refused_account(name: str, key: str) -> StripeError | None:
    """Return why a key cannot act for an account, or None: it may for every name of one."""
    if _ACCOUNT.fullmatch(name):
        return None
    return StripeError(
        403,
        f"The provided key '{mask(key)}' does not have access to account '{name}' (or that "
        "account does not exist). Application access may have been revoked.",
        code="account_invalid",
        front=True,
        headers=_ROBOTS,
    )


def unknown_url(request: Request) -> StripeError:
    """Return the 404 for a URL that is not served, marked for whoever reads the report."""
    path = readable(request.path)
    return StripeError(
        404,
        f"Unrecognized request URL ({request.method}: {path}). If you are trying to list "
        "objects, remove the trailing slash. If you are trying to retrieve an object, make sure "
        "you passed a valid (non-empty) identifier in your code. Please see "
        "https://stripe.com/docs or we can help at https://support.stripe.com/.",
        headers=((UNSUPPORTED, f"{request.method} {path}"),),
    )
