"""Performs one effect on a live connection: one ``match``, one arm an effect.

Measured facts that bind it (README, faults): an RST is SO_LINGER(1, 0) on the socket and then
``transport.abort()``; ``abort()`` alone sends FIN. Partial bytes need the write buffer and the
kernel queue emptied before the cut, and a short gap before every RST, else clients see a coin
toss. ``close()`` under TLS would say goodbye first.
"""

import asyncio
from collections.abc import Generator
from contextlib import suppress
from typing import Any, Final

from aiohttp import web

from fakestripe.protocol.effects import (
    Await,
    Barrier,
    Close,
    Cut,
    Drip,
    Effect,
    Hang,
    Misframe,
    Performed,
    Resend,
    Reset,
    Send,
    Wait,
)
from fakestripe.protocol.reply import Reply
from fakestripe.server import kernel
from fakestripe.server.barriers import Barriers
from fakestripe.server.date import http_date
from fakestripe.server.presence import Presence
from fakestripe.server.truncation import bytes_of, ending_of, is_whole

SETTLE: Final = 0.010 if kernel.LINUX else 0.050
"""Seconds before every RST, so that a client has read what was sent before.

Longer where the kernel does not tell when bytes have left.
"""
_DRAIN_ROUNDS: Final = 500


class Line:
    """One exchange's end of a connection; it is also the response that aiohttp asks for."""

    __slots__ = (
        "again",
        "barriers",
        "ended",
        "forgotten",
        "journal",
        "keep_alive",
        "pending",
        "presence",
        "request",
        "transport",
    )

    status = 200
    body_length = 0

    def __init__(self, request: web.BaseRequest, presence: Presence, barriers: Barriers) -> None:
        self.request = request
        self.presence = presence
        self.barriers = barriers
        self.journal: Any = None
        self.transport: Any = request.transport
        self.keep_alive = bool(request.keep_alive)
        self.again = self.ended = self.forgotten = False
        self.pending = 0

    async def prepare(self, request: web.BaseRequest) -> None:
        """Do nothing: the bytes are written by ``perform``."""

    async def write_eof(self, data: bytes = b"") -> None:
        """Do nothing: the bytes are written by ``perform``."""

    @property
    def left(self) -> bool:
        """Whether the client's end of the connection is gone."""
        return self.transport is None or self.transport.is_closing()

    def gone(self) -> bool:
        """Look whether the client has left, also where nothing is read that would tell."""
        if not self.left and not self.transport.is_reading() and kernel.gone(self._socket()):
            self.transport.abort()
        return self.left

    def invite(self) -> None:
        """Ask for the body of a client that waits to be asked (``Expect: 100-continue``)."""
        expects = self.request.headers.get("Expect", "").lower() == "100-continue"
        if expects and not self.left:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def begin(self, steps: Generator[Effect, Performed, None]) -> Effect | None:
        """Perform what takes no time; return the first effect that may, or None at the end."""
        try:
            effect = next(steps)
            if type(effect) is Send:  # what nearly all exchanges consist of
                sent = self._sent(effect.reply)
                while sent is not None:
                    effect = steps.send(sent)
                    sent = self._sent(effect.reply) if type(effect) is Send else None
        except StopIteration:
            return None
        return effect

    async def follow(self, steps: Generator[Effect, Performed, None], effect: Effect) -> None:
        """Perform an effect and what an exchange yields after it, to its end."""
        try:
            while True:
                pending = type(effect) is Send and self.pending
                performed = await (self._drain() if pending else self.perform(effect))
                effect = steps.send(performed)
        except StopIteration:
            return
        finally:
            steps.close()

    def drop(self) -> None:
        """End the connection at once.

        In Python 3.11.2 a TLS transport that was closed twice, as by the loop and by aiohttp when
        the client left, has nothing any more that could be aborted, and raises.
        """
        self.keep_alive = False
        if self.transport is not None:
            with suppress(AttributeError):
                self.transport.abort()

    def forget(self) -> None:
        """End the connection of an exchange that is nobody's any more: no proxy sends it again."""
        self.forgotten = True
        self.drop()

    async def perform(self, effect: Effect) -> Performed:
        """Perform one effect and report what came of it."""
        match effect:
            case Send() | Misframe() | Drip() | Cut():
                return await self._send(effect)
            case Wait(seconds, until_left):
                await self.presence.hold(seconds, self.gone if until_left else None)
                return Performed(left=self.left)
            case Barrier():
                parties = await self.barriers.hold(effect, self.journal)
                return Performed(left=self.left, parties=parties)
            case Await(held):
                for each in held:
                    await each.hold()
                return Performed(left=self.left)
            case Resend():
                self.again = not self.forgotten
                return Performed(left=self.left)
            case Reset() | Close() | Hang():
                return Performed(left=await self._end(effect))

    async def _send(self, effect: Send | Misframe | Drip | Cut) -> Performed:
        match effect:
            case Send(reply):
                return self._sent(reply) or await self._drain()
            case Misframe(reply, length):
                return self._sent(reply, length) or await self._drain()
            case Drip():
                return await self._drip(effect)
            case Cut():
                return await self._cut(effect)

    def _sent(self, reply: Reply, length: int | None = None) -> Performed | None:
        """Hand a reply to the kernel; None where it did not take all of it at once.

        ``length`` is announced in place of the true length of its body.
        """
        transport = self.transport
        if transport is None or transport.is_closing():
            return Performed(left=True)
        data = self._data(reply, len(reply.body) if length is None else length)
        transport.write(data)
        if transport.get_write_buffer_size():
            self.pending = len(data)
            return None
        left = transport.is_closing()
        return Performed(left=left, bytes_sent=len(data), delivered=not left)

    def _data(self, reply: Reply, length: int) -> bytes:
        """Return a reply as it goes over the wire."""
        head = reply.head(
            date=http_date(),
            keep_alive=self.keep_alive,
            framing=f"Content-Length: {length}\r\n",
        )
        return head if self.request.method == "HEAD" else head + reply.body

    async def _drip(self, drip: Drip) -> Performed:
        """Send a reply piece by piece, for as long as the client is there."""
        data, sent = self._data(drip.reply, len(drip.reply.body)), 0
        while sent < len(data):
            if sent:
                await self.presence.hold(drip.every, self.gone)
            if self.left:
                break
            self.transport.write(data[sent : sent + drip.size])
            sent = min(sent + drip.size, len(data))
            await self._drained()
        return Performed(left=self.left, bytes_sent=sent, delivered=not self.left)

    async def _drain(self) -> Performed:
        """Wait until the kernel has taken the rest of a reply, or the client has left."""
        await self._drained()
        sent, self.pending = self.pending, 0
        return Performed(left=self.left, bytes_sent=sent, delivered=not self.left)

    async def _cut(self, cut: Cut) -> Performed:
        if self.left:
            return Performed(left=True)
        data = bytes_of(cut, http_date())
        self.transport.write(data)
        await self._drained()
        whole = not self.left and is_whole(cut)
        left = await self._end(ending_of(cut))
        return Performed(left=left, bytes_sent=len(data), delivered=whole)

    async def _drained(self) -> None:
        """Wait until every byte has left for the peer, or the peer has left."""
        secure, before = self.request.secure, -1
        for _ in range(_DRAIN_ROUNDS):
            if self.left:
                return
            if not self.transport.get_write_buffer_size() and not kernel.unsent(self._socket()):
                sent = kernel.sent(self._socket()) if secure else before
                if sent == before:
                    return
                before = sent if kernel.writable(self._socket()) else -1
            await asyncio.sleep(0.001)

    def _socket(self) -> Any:
        return self.transport.get_extra_info("socket")

    async def _end(self, ending: Reset | Close | Hang) -> bool:
        """End the connection, nothing more is sent on it; return whether the client ended it."""
        self.ended = True
        if isinstance(ending, Hang):
            await self.presence.hold(ending.seconds, self.gone)
        elif isinstance(ending, Reset):
            await asyncio.sleep(SETTLE)
            if not self.left:
                kernel.linger(self._socket())
        left = self.left
        self.drop()
        return left
