"""Who may call the admin side: only by a name that is ours, and with the token, if one is set.

Health is told to everybody. A browser is asked for the token by a form, and keeps it in a cookie
that no script can read and no other site can use.
"""

from typing import Any, Final
from urllib.parse import parse_qs

from aiohttp import web

from fakestripe.server.admin.call import AdminError, Call, Text
from fakestripe.server.guard import COOKIE, TOKEN, Guard

PREFIX: Final = "/_fakestripe/"
PUBLIC: Final = ("health", "ca.pem", "ca.p12", "env")
FREE: Final = frozenset(
    {
        *((method, f"{PREFIX}{name}") for method in ("GET", "HEAD") for name in PUBLIC),
        ("POST", PREFIX),
    }
)
"""What needs no token: to give it, whether the server lives, and how clients find and trust it."""
UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
SEE_OTHER: Final = 303
POLICY: Final = "default-src 'none'; form-action 'self'; frame-ancestors 'none'"
FORM: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>fakestripe</title>
<form method="post" action="/_fakestripe/">
<p><label>The admin token of this server <input name="token" type="password" required autofocus>
</label> <button>Enter</button></p>
</form>
"""


def check(raw: web.BaseRequest, guard: Guard) -> None:
    """Refuse a call by a strange name (403), or without the token (401)."""
    strange = guard.stranger(raw.headers.get("Host", ""))
    if strange is not None:
        raise AdminError(strange, FORBIDDEN)
    if (raw.method, raw.path) not in FREE and guard.lacks(raw.headers, raw.cookies.get(COOKIE)):
        raise AdminError(f"this server asks for its admin token: send it as {TOKEN}", UNAUTHORIZED)


def asked_by_browser(raw: web.BaseRequest, refused: AdminError) -> web.Response | None:
    """Return the form that asks for the token, where a person came to the page without it."""
    if refused.status != UNAUTHORIZED or raw.path != PREFIX:
        return None
    if "text/html" not in raw.headers.get("Accept", ""):
        return None
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
    return web.Response(text=FORM, content_type="text/html", status=UNAUTHORIZED, headers=headers)


def enter(call: Call) -> Any:
    """Take the token from the form, and give the cookie that stands for it."""
    said = call.body if isinstance(call.body, str) else ""
    given = "".join(parse_qs(said).get("token", []))
    guard = call.accounts.guard
    if guard.token is None or guard.lacks({}, given):
        raise AdminError("that is not the admin token of this server", UNAUTHORIZED)
    cookie = f"{COOKIE}={given}; Path={PREFIX}; HttpOnly; SameSite=Strict"
    return Text("", status=SEE_OTHER, headers={"Set-Cookie": cookie, "Location": PREFIX})
