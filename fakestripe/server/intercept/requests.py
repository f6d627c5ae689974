"""The requests of a port that is also a proxy: those in absolute form, and a late CONNECT.

A client that was told of an HTTP proxy asks it for whole URLs. Those of Stripe and of this port
are served; nothing is fetched for anybody. A CONNECT on a connection that was used before goes
back to the door, with its socket.
"""

import os
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from aiohttp import web

from fakestripe.server.intercept.hosts import STRIPE, HostError, Target, opening, target_of
from fakestripe.server.intercept.proxy import Proxy, is_own

Handle: TypeAlias = Callable[[web.BaseRequest], Awaitable[Any]]
Returns: TypeAlias = Callable[[socket.socket, str], None]

BAD_REQUEST: Final = 400
FORBIDDEN: Final = 403
DEFAULT: Final = {"http": 80, "https": 443}


class Requests:
    """What stands before a port's own handler; ``returns`` gives a connection back to the door."""

    def __init__(self, handle: Handle, proxy: Proxy) -> None:
        self._handle, self._proxy = handle, proxy
        self.returns: Returns | None = None

    async def handle(self, raw: web.BaseRequest) -> Any:
        """Answer one request."""
        if raw.method == "CONNECT":
            return self._connect(raw)
        if raw.raw_path.startswith("/"):
            return await self._handle(raw)
        refused = await self._refused(raw)
        return await self._handle(raw) if refused is None else refused

    async def _refused(self, raw: web.BaseRequest) -> web.Response | None:
        """Return the refusal of a whole URL; None where it is one of ours."""
        parts = urlsplit(raw.raw_path)
        if parts.scheme not in DEFAULT:
            return None
        try:
            target = target_of(parts.netloc.rpartition("@")[2], DEFAULT[parts.scheme])
        except HostError as wrong:
            return _said(BAD_REQUEST, str(wrong))
        place = None if raw.transport is None else raw.transport.get_extra_info("sockname")
        if target.host == STRIPE or place is None or await is_own(place, target):
            return None
        said = self._refusal(target)
        self._proxy.note(target, said)
        return _said(FORBIDDEN, said)

    def _refusal(self, target: Target) -> str:
        refusal = self._proxy.hosts.refusal(target)
        if target.stripes and refusal is not None:
            return refusal
        return (
            f"fakestripe fetches nothing: {target} was asked for in the clear, and only CONNECT "
            f"is tunnelled (--allow {opening(target)}); add {target.host} to NO_PROXY, or unset "
            "HTTP_PROXY"
        )

    def _connect(self, raw: web.BaseRequest) -> Any:
        if raw.secure or self.returns is None:
            said = "a CONNECT comes in the clear: HTTPS_PROXY is an http:// URL"
            return _said(BAD_REQUEST, said)
        if getattr(raw.protocol, "_message_tail", b"") or raw.content.total_bytes:
            return _said(BAD_REQUEST, "wait for the answer to CONNECT before sending more")
        if raw.transport is not None:
            kept = _kept(raw.transport)
            self.returns(kept, raw.raw_path)
        return Nothing()


class Nothing:
    """An answer of no bytes on a connection that aiohttp has let go of."""

    keep_alive = False
    status = 200
    body_length = 0

    async def prepare(self, request: web.BaseRequest) -> None:
        """Do nothing."""

    async def write_eof(self, data: bytes = b"") -> None:
        """Do nothing."""


def _kept(transport: Any) -> socket.socket:
    """Return a connection itself, and end only the transport that had it."""
    descriptor = os.dup(transport.get_extra_info("socket").fileno())
    transport.abort()
    return socket.socket(fileno=descriptor)


def _said(status: int, said: str) -> web.Response:
    reason = said.encode("ascii", "replace").decode()
    answer = web.Response(status=status, reason=reason, text=f"{said}\n")
    if status == BAD_REQUEST:
        answer.force_close()
    return answer
