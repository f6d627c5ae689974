"""The admin side under ``/_fakestripe/``: which account a call is for, and which verb it is.

A call names its account by its ``Authorization``. Without one, a read covers all accounts of the
port; a write needs a port of one's own (fixture, ``check``) or an explicit ``?scope=port``, so
that no test resets its neighbours by accident.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec
from aiohttp import web

from fakestripe.profiles import ProfileError
from fakestripe.protocol.headers import bearer_in, refused_key
from fakestripe.server import admin_verbs
from fakestripe.server.account import Account
from fakestripe.server.accounts import SHARED, Accounts

PREFIX: Final = "/_fakestripe/"
READS: Final = frozenset({"GET", "HEAD"})
BAD_REQUEST: Final = 400
NOT_FOUND: Final = 404
KNOWN: Final = ("scope", "format", "gate")
"""What may stand behind the question mark."""


class AdminError(Exception):
    """A call that cannot be done: the text says what to change."""


async def answer(
    raw: web.BaseRequest, accounts: Accounts, settled: Callable[[], Awaitable[None]]
) -> web.StreamResponse:
    """Answer one admin call; every refusal is JSON with the reason and the remedy.

    A verdict waits until ``settled``: an exchange whose client has left may still commit.
    """
    verb = admin_verbs.VERBS.get((raw.method, raw.path.removeprefix(PREFIX)))
    if verb is None:
        return _json({"error": _unknown(raw)}, NOT_FOUND)
    try:
        _check_query(raw)
        chosen = _accounts_of(raw, accounts)
        body = _decoded(await raw.read()) if raw.method not in READS else None
        if verb is admin_verbs.get_verdict:
            await settled()
        answered = verb(chosen, body, dict(raw.query), accounts)
    except (AdminError, ProfileError, ValueError, TypeError, msgspec.ValidationError) as refused:
        return _json({"error": str(refused)}, BAD_REQUEST)
    except RecursionError:
        return _json({"error": "the body is nested too deep"}, BAD_REQUEST)
    if isinstance(answered, admin_verbs.Text):
        return web.Response(
            text=answered.text, content_type=answered.content_type, status=answered.status
        )
    return _json(answered, 200)


def _check_query(raw: web.BaseRequest) -> None:
    """Refuse a misspelt parameter: a gate that is not asked for would let everything pass."""
    strange = [name for name in raw.query if name not in KNOWN]
    if strange:
        raise AdminError(f"{strange[0]} is no parameter; there are: {', '.join(KNOWN)}")
    if raw.query.get("scope", "port") != "port":
        raise AdminError(f"scope={raw.query['scope']}: write scope=port, or leave it out")


def _json(value: Any, status: int) -> web.Response:
    body = msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    return web.Response(body=body, content_type="application/json", status=status)


def _unknown(raw: web.BaseRequest) -> str:
    known = ", ".join(f"{method} {PREFIX}{path}" for method, path in admin_verbs.VERBS)
    return f"{raw.method} {raw.path} is no admin call; there are: {known}"


def _decoded(body: bytes) -> Any:
    """Return JSON where the body is JSON, else its text (a profile may be YAML)."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise AdminError("the body is not UTF-8; send JSON, or YAML for a profile") from None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _accounts_of(raw: web.BaseRequest, accounts: Accounts) -> Sequence[Account]:
    key = bearer_in(raw.headers.get("Authorization"))
    if accounts.shared:
        return [accounts.named(SHARED)]
    if key is not None:
        refused = refused_key(key)
        if refused is not None:
            raise AdminError(str(refused))
        return [accounts.named(key)]
    if raw.method in READS or raw.query.get("scope") == "port":
        return list(accounts)
    raise AdminError(
        "which account? Send its key (Authorization: Bearer sk_test_…), or add ?scope=port to "
        "change every account of this port"
    )
