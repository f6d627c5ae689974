"""The proxy at the door of a port: what a new connection asks for before aiohttp sees it.

A CONNECT to Stripe is served by us, on that same TCP connection, so that every fault strikes it
as it strikes any other; so is who speaks TLS at once, led here by a name. One to an allowed host
is a tunnel; any other is refused, in the reason phrase too: many clients show nothing else.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final, Literal, TypeAlias

from fakestripe.server import kernel
from fakestripe.server.edge.gate import finished
from fakestripe.server.intercept import connect, tunnel
from fakestripe.server.intercept.connect import BadConnectError
from fakestripe.server.intercept.hosts import STRIPE, HostError, Hosts, Target, target_of

ESTABLISHED: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"
MOST_REFUSED: Final = 256
"""Targets whose refusals are remembered."""

Way: TypeAlias = Literal["port", "tls", "clear"]
"""How a connection is served: as the port does it, under the certificate for Stripe, or bare."""
Outcome: TypeAlias = Way | Literal["again"] | None
"""What came of a CONNECT: a way, a refusal after which another may come, or the end."""

SERVED: Final[dict[Target, Way]] = {Target(STRIPE, 443): "tls", Target(STRIPE, 80): "clear"}


class Proxy:
    """What a port does as a proxy; ``context`` is who it is to those who ask for Stripe."""

    def __init__(self, hosts: Hosts, context: ssl.SSLContext) -> None:
        self.hosts, self.context = hosts, context
        self.refused: dict[str, str] = {}

    async def way(
        self, client: socket.socket, idles: Callable[[], None], asked: str | None = None
    ) -> Way | None:
        """Return how a connection goes on, None where it is over.

        ``idles`` is called where there is no request of it that could be read by now. ``asked`` is
        whom a CONNECT of it asked for that was read already.
        """
        with suppress(OSError):
            found = "again" if asked is None else await self._answered(client, asked)
            if found != "again":
                return found
            while True:
                if not kernel.readable(client):
                    idles()
                asks = await connect.begins(client)
                if asks is None:
                    return None
                if asks != "connect":
                    return "tls" if asks == "tls" else "port"
                idles()
                found = await self._connected(client)
                if found != "again":
                    return found
        return None

    async def _connected(self, client: socket.socket) -> Outcome:
        """Do what a CONNECT asks for; "again" where it was refused and another may come."""
        try:
            asked = await connect.taken(client)
        except BadConnectError as wrong:
            await _end(client, wrong.status, str(wrong))
            return None
        return None if asked is None else await self._answered(client, asked.authority)

    async def _answered(self, client: socket.socket, asked: str) -> Outcome:
        try:
            target = target_of(asked)
        except HostError as wrong:
            await _end(client, HTTPStatus.BAD_REQUEST, str(wrong))
            return None
        way = SERVED.get(target) or await _own(client, target)
        if way is not None:
            await _say(client, ESTABLISHED)
            return way
        refusal = self.hosts.refusal(target)
        if refusal is None:
            await _tunnelled(client, target)
            return None
        self.note(target, refusal)
        await _say(client, _answer(HTTPStatus.FORBIDDEN, refusal))
        return "again"

    def note(self, target: Target, refusal: str) -> None:
        """Remember that a target was refused."""
        if len(self.refused) < MOST_REFUSED:
            self.refused[str(target)] = refusal


async def _own(client: socket.socket, target: Target) -> Way | None:
    """Return "port" for a target that is this very port: some clients tunnel everything."""
    return "port" if await is_own(client.getsockname(), target) else None


async def is_own(place: tuple[str, int], target: Target) -> bool:
    """Return whether a target is the address at which a client has reached us."""
    address, number = place[:2]
    if target.port != number or target.stripes:
        return False
    ours = ipaddress.ip_address(address)
    found = {target.host} if target.address else await _addresses(target.host)
    return any(
        each == ours or (each.is_loopback and ours.is_loopback)
        for each in map(ipaddress.ip_address, found)
    )


async def _addresses(host: str) -> set[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return set()
    return {str(place[0]).partition("%")[0] for *_, place in found}


async def _tunnelled(client: socket.socket, target: Target) -> None:
    try:
        far = await tunnel.reached(target.host, target.port)
    except tunnel.UnreachableError as wrong:
        await _end(client, HTTPStatus.BAD_GATEWAY, f"{target} cannot be reached: {wrong}")
        return
    try:
        await _say(client, ESTABLISHED)
    except BaseException:
        far.close()
        raise
    await tunnel.carry(client, far)


async def _end(client: socket.socket, status: int, said: str) -> None:
    """Say why there is nothing, as the last thing on a connection."""
    await _say(client, _answer(status, said, "Connection: close\r\n"))
    await finished(client)


async def _say(client: socket.socket, data: bytes) -> None:
    await asyncio.get_running_loop().sock_sendall(client, data)


def _answer(status: int, said: str, more: str = "") -> bytes:
    reason = said.encode("ascii", "replace").decode()
    body = f"{said}\n".encode()
    return (
        f"HTTP/1.1 {int(status)} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n{more}\r\n"
    ).encode() + body
