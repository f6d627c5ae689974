"""One request of the model on the wire, both ends of it: the real exchange, and its client."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from calls import Answer, Call

from fakestripe.exchange import Exchange
from fakestripe.faults import plan
from fakestripe.protocol.effects import (
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
from fakestripe.protocol.request import Request

if TYPE_CHECKING:
    from world import World

TRIP = 0.0005


class Line:
    """One request on the wire, both ends of it."""

    def __init__(self, world: "World", call: Call, done: Callable[[Answer], None]) -> None:
        self.world, self.call, self._done = world, call, done
        self.left = self.over = self.hanging = False
        self.exchange: Exchange | None = None
        self.again = self.waiting = False

    def send(self) -> None:
        """Send it; the client gives up after its timeout."""
        self.world.later(TRIP, self._arrive)
        self.world.later(self.call.timeout, self._give_up)

    def _tell(self, answer: Answer) -> None:
        if not self.over:
            self.over = True
            self.world.later(TRIP, lambda: self._done(answer))

    def _give_up(self) -> None:
        if self.over:
            return
        self.over = self.left = True
        if self.exchange is not None:
            self.exchange.client_left()
        self._done(Answer("timeout"))
        if self.hanging:
            self.hanging = False
            self._step(Performed(left=True))

    def _arrive(self, *, resent: bool = False) -> None:
        call, world = self.call, self.world
        number = (None if resent else call.connection) or world.next_connection()
        count = world.use(number)
        if count == 1 and call.payment and not resent and world.is_lost(number):
            self._tell(Answer("reset"))
            return
        body = urlencode(call.params)
        request = Request(
            method=call.method,
            path=call.path,
            query=body if call.method == "GET" else "",
            headers={
                "authorization": f"Bearer {call.account}",
                "user-agent": call.agent,
                **({} if call.key is None else {"idempotency-key": call.key}),
            },
            body=body.encode() if call.method == "POST" else b"",
            connection=number,
            request_on_connection=count,
            digest=f"{call.path} {call.key} {body} {call.agent}",
            resent=resent,
        )
        bank = world.bank(call.account)
        self.exchange = Exchange(request, bank, world.profile, holder=world.holder(bank))
        if call.payment is not None:
            world.payment_of[self.exchange.attempt.arrival] = call.payment
        rule = plan.reading(world.profile, request, self.exchange.attempt, self.exchange.bank)
        if rule is None:
            self._steps = self.exchange.run()
        else:
            self._steps = self.exchange.broken_off(rule, whole=rule.do[0].body is None)
        self._step(None)

    def _step(self, performed: Performed | None) -> None:
        try:
            effect = self._steps.send(performed)
        except StopIteration:
            if self.again:
                self.again = False
                self._arrive(resent=True)
            return
        if isinstance(effect, Send | Drip | Misframe | Cut):
            self._send(effect)
        else:
            self._hold(effect)

    def _hold(self, effect: Effect) -> None:
        """Take time, or end the connection."""
        match effect:
            case Wait(until_left=True):
                self.waiting = True
                self._hang(effect.seconds)
            case Wait(seconds):
                self._after(seconds)
            case Resend():
                self.again = True
                self._step(Performed(left=self.left))
            case Barrier():
                self.world.meet(
                    effect, lambda came: self._step(Performed(left=self.left, parties=came))
                )
            case Hang(seconds):
                self._hang(seconds)
            case Reset() | Close():
                self._tell(Answer("reset" if isinstance(effect, Reset) else "closed"))
                self._step(Performed(left=self.left))

    def _send(self, effect: Effect) -> None:
        match effect:
            case Send(reply) | Drip(reply):
                self._deliver(reply.status, reply.body)
            case Misframe(reply, length) if length > len(reply.body) and not self.left:
                self._step(Performed(bytes_sent=1, delivered=True))
            case Misframe(reply, length):
                self._deliver(reply.status, reply.body[:length])
            case Cut():
                self._cut(effect)

    def _after(self, seconds: float) -> None:
        self.world.later(seconds, lambda: self._step(Performed(left=self.left)))

    def _hang(self, seconds: float | None) -> None:
        if self.left:
            self._step(Performed(left=True))
            return
        self.hanging = True
        if seconds is not None:
            self.world.later(seconds, self._hung_up)

    def _hung_up(self) -> None:
        if self.hanging:
            self.hanging = False
            if not self.waiting:
                self._tell(Answer("closed"))
            self._step(Performed(left=self.left))

    def _deliver(self, status: int, body: bytes) -> None:
        if self.left:
            self._step(Performed(left=True))
            return
        try:
            value = json.loads(body)
        except ValueError:
            value = {}
        self._tell(Answer("answer", status, value))
        self._step(Performed(bytes_sent=len(body) + 1, delivered=True))

    def _cut(self, cut: Cut) -> None:
        if self.left:
            self._step(Performed(left=True))
            return
        if cut.then == "hang":
            self._step(Performed(bytes_sent=100))
            return
        self._tell(Answer("cut"))
        self._step(Performed(bytes_sent=100, left=False))
