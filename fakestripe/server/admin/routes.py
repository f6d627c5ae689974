"""The admin side under ``/_fakestripe/``: which account a call is for, and which verb it is.

A call names its account by its ``Authorization``. Without one, a read covers all accounts of the
port; a write needs a port of one's own (fixture, ``check``, ``POST ports``) or an explicit
``?scope=port``, so that no test resets its neighbours by accident.
"""

import json
from inspect import isawaitable
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from aiohttp import web

from fakestripe.profiles import ProfileError
from fakestripe.protocol.headers import bearer_in, refused_key
from fakestripe.server.accounts import SHARED, Accounts
from fakestripe.server.admin import (
    account_verbs,
    entry,
    key_verbs,
    page_verb,
    port_verbs,
    profile_verbs,
    trust_verbs,
    wait_verb,
)
from fakestripe.server.admin.call import BAD_REQUEST, NOT_FOUND, AdminError, Call, Text, Verb
from fakestripe.server.app import Port
from fakestripe.server.guests import unmade

PREFIX: Final = "/_fakestripe/"
READS: Final = frozenset({"GET", "HEAD"})
SCOPE: Final = "scope"

VERBS: Final[dict[tuple[str, str], Verb]] = {
    ("GET", "health"): Verb(account_verbs.health, about="nobody"),
    ("GET", ""): Verb(page_verb.page, takes=("part", "seen")),
    ("POST", ""): Verb(entry.enter, about="nobody"),
    ("PUT", "profile"): Verb(profile_verbs.put_profile),
    ("GET", "profile"): Verb(profile_verbs.get_profile),
    ("DELETE", "profile"): Verb(profile_verbs.delete_profile),
    ("GET", "journal"): Verb(account_verbs.journal),
    ("GET", "charges"): Verb(account_verbs.charges),
    ("GET", "verdict"): Verb(account_verbs.get_verdict, takes=("format", "gate")),
    ("GET", "wait"): Verb(wait_verb.wait, takes=("attempts", "timeout", "ended", "point", "rule")),
    ("POST", "intents"): Verb(account_verbs.post_intents),
    ("POST", "outcomes"): Verb(account_verbs.post_outcomes),
    ("POST", "clock"): Verb(account_verbs.post_clock),
    ("POST", "webhooks"): Verb(account_verbs.post_webhooks),
    ("GET", "webhooks"): Verb(account_verbs.get_webhooks),
    ("DELETE", "webhooks"): Verb(account_verbs.delete_webhooks),
    ("POST", "keys"): Verb(key_verbs.post_keys),
    ("GET", "audit"): Verb(key_verbs.get_audit),
    ("POST", "reset"): Verb(account_verbs.post_reset),
    ("GET", "ca.pem"): Verb(trust_verbs.ca_pem, about="nobody"),
    ("GET", "ca.p12"): Verb(trust_verbs.ca_p12, about="nobody"),
    ("GET", "env"): Verb(trust_verbs.env, takes=("for",), about="nobody"),
    ("POST", "ports"): Verb(port_verbs.post_ports, about="nobody"),
    ("GET", "ports"): Verb(port_verbs.get_ports, about="nobody"),
    ("DELETE", "ports/N"): Verb(port_verbs.delete_port, about="nobody"),
}
"""Method and path below ``/_fakestripe/`` to the verb; ``N`` stands for a number."""


async def answer(raw: web.BaseRequest, port: Port) -> web.StreamResponse:
    """Answer one admin call; every refusal is JSON with the reason and the remedy."""
    try:
        return await _answered(raw, port)
    except AdminError as refused:
        asks = entry.asked_by_browser(raw, refused)
        return asks or _json({"error": str(refused), **refused.known}, refused.status)
    except (ProfileError, ValueError, TypeError, msgspec.ValidationError) as refused:
        return _json({"error": str(refused)}, BAD_REQUEST)
    except RecursionError:
        return _json({"error": "the body is nested too deep"}, BAD_REQUEST)


async def _answered(raw: web.BaseRequest, port: Port) -> web.StreamResponse:
    entry.check(raw, port.accounts.guard)
    name, argument = _named(raw)
    verb = VERBS.get((raw.method, name))
    if verb is None:
        raise AdminError(_unknown(raw), NOT_FOUND)
    _check_query(raw, verb)
    call = Call(
        port=port,
        account=_account_of(raw, port.accounts, verb),
        key=bearer_in(raw.headers.get("Authorization")),
        body=_decoded(await raw.read()) if raw.method not in READS else None,
        query=dict(raw.query),
        argument=argument,
        host=urlsplit(f"//{raw.host}").hostname,
        netloc=raw.host,
        secure=raw.secure,
    )
    answered = verb.do(call)
    if isawaitable(answered):
        answered = await answered
    return _text(answered) if isinstance(answered, Text) else _json(answered, 200)


def _named(raw: web.BaseRequest) -> tuple[str, str]:
    """Return the verb as the table has it, and the number in its path, if there is one."""
    path = raw.path.removeprefix(PREFIX)
    name, slash, argument = path.partition("/")
    if slash and argument.isascii() and argument.isdigit():
        return f"{name}/N", argument
    return path, ""


def _check_query(raw: web.BaseRequest, verb: Verb) -> None:
    """Refuse a misspelt parameter: a gate that is not asked for would let everything pass."""
    known = (SCOPE, *verb.takes)
    strange = [name for name in raw.query if name not in known]
    if strange:
        raise AdminError(f"{strange[0]} is no parameter; there are: {', '.join(known)}")
    if raw.query.get(SCOPE, "port") != "port":
        raise AdminError(f"scope={raw.query[SCOPE]}: write scope=port, or leave it out")


def _text(answered: Text) -> web.Response:
    is_text = isinstance(answered.text, str)
    return web.Response(
        body=answered.text.encode() if isinstance(answered.text, str) else answered.text,
        content_type=answered.content_type,
        charset="utf-8" if is_text else None,
        status=answered.status,
        headers=answered.headers,
    )


def _json(value: Any, status: int) -> web.Response:
    body = msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    return web.Response(body=body, content_type="application/json", status=status)


def _unknown(raw: web.BaseRequest) -> str:
    known = ", ".join(f"{method} {PREFIX}{path}" for method, path in VERBS)
    return f"{raw.method} {raw.path} is no admin call; there are: {known}"


def _decoded(body: bytes) -> Any:
    """Return JSON where the body is JSON, else its text (a profile may be YAML)."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise AdminError("the body is not UTF-8; send JSON, or YAML for a profile") from None
    try:
        said = json.loads(text)
    except ValueError:
        return text
    if "\\ud" in text.lower():  # half a character cannot be told again, by any report
        _check_whole(said)
    return said


def _check_whole(said: Any) -> None:
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        half = "the body has half a character: a surrogate cannot stand alone"
        raise AdminError(half) from None


def _account_of(raw: web.BaseRequest, accounts: Accounts, verb: Verb) -> str | None:
    """Return the name of the account of a call, None for all of the port."""
    if accounts.shared:
        return SHARED
    key = bearer_in(raw.headers.get("Authorization"))
    if key is not None:
        refused = refused_key(key)
        if refused is not None:
            raise AdminError(str(refused))
        unknown = unmade(key, accounts.keyring)
        if unknown is not None:
            raise AdminError(f"{unknown.shown} is a vault key that nobody has made on this port")
        return key
    if verb.about == "nobody" or raw.method in READS or raw.query.get(SCOPE) == "port":
        return None
    raise AdminError(
        "which account? Send its key (Authorization: Bearer sk_test_…), or add ?scope=port to "
        "change every account of this port"
    )
