"""The admin verbs under ``/_fakestripe/``: health, profile, journal, verdict, intents, …"""

from typing import Any

import msgspec
from aiohttp import web


async def answer(raw: web.Request, accounts: Any, port: Any) -> web.StreamResponse:
    """Answer one admin request."""
    if raw.path == "/_fakestripe/health":
        return web.Response(body=b'{"status": "ok"}', content_type="application/json")
    if raw.path == "/_fakestripe/journal":
        lines = [line for account in accounts for line in account.bank.journal.lines()]
        body = b"\n".join(msgspec.json.encode(line) for line in lines)
        return web.Response(body=body, content_type="application/x-ndjson")
    raise web.HTTPNotFound
