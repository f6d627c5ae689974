"""A world without sockets: clients, a network and the real exchange, on a clock of its own.

The truth is known here: every request says which payment it is for, and every client what it
believes in the end. The verdict is not told either.
"""

import heapq
import itertools
import json
from collections.abc import Callable, Generator
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct

from fakestripe.bank import Bank
from fakestripe.bank.ids import account_id
from fakestripe.bank.journal import Journal
from fakestripe.exchange import Exchange
from fakestripe.faults.line import line_of
from fakestripe.faults.rules import Profile
from fakestripe.protocol.effects import (
    Barrier,
    Close,
    Cut,
    Hang,
    Performed,
    Reset,
    Send,
    Wait,
)
from fakestripe.protocol.request import Request

NOON = 1_700_000_000.0
TRIP = 0.0005


class Sleep(Struct):
    """Let a client wait."""

    seconds: float


class Call(Struct, kw_only=True):
    """A request as a client makes it, for a payment that only the truth knows."""

    method: str = "POST"
    path: str = "/v1/charges"
    params: dict[str, str] = {}
    key: str | None = None
    timeout: float = 2.0
    agent: str = "model"
    account: str = "sk_test_a"
    connection: int | None = None
    payment: str | None = None


class Answer(Struct):
    """What a client sees: an answer, or how the connection ended."""

    kind: str
    status: int = 0
    body: dict[str, Any] = {}


Program = Generator[Sleep | Call, Answer, int]


class World:
    """One run: accounts under one profile, programs, and what is true of them."""

    def __init__(self, profile: Profile, run: int = 0) -> None:
        self.now = 0.0
        self.start = NOON + 1234.567 * run
        self.profile = profile
        self.banks: dict[str, Bank] = {}
        self.payment_of: dict[int, str] = {}
        self.exits: list[int | None] = []
        self.fired: dict[str, int] = {}
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._arrivals = itertools.count(1)
        self._connections = itertools.count(1)
        self._used: dict[int, int] = {}
        self._barriers: dict[str, list[Callable[[int], None]]] = {}
        self.bank("sk_test_a").journal.note("profile", line_of(profile))

    @property
    def epoch(self) -> float:
        """The time that clients see."""
        return self.start + self.now

    def bank(self, key: str) -> Bank:
        """Return the account of a key."""
        found = self.banks.get(key)
        if found is None:
            journal = Journal(lambda: self.now, None, lambda: next(self._arrivals))
            found = self.banks[key] = Bank(
                account_id(key),
                wall=lambda: self.start + self.now,
                journal=journal,
                customers="any",
            )
            found.reseed(int(self.start))
            found.idempotency.retention = self.profile.settings.key_retention
            found.idempotency.write_window = self.profile.settings.cache_write_window
            found.fired = self.fired
        return found

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Do something after a while."""
        heapq.heappush(self._events, (self.now + seconds, next(self._order), do))

    def spawn(self, program: Program, delay: float = 0.0) -> None:
        """Start a program whose exit status counts."""
        place = len(self.exits)
        self.exits.append(None)

        def ended(status: int) -> None:
            self.exits[place] = status

        self.later(delay, lambda: self._go_on(program, None, ended))

    def run(self, until: float = 1e7) -> None:
        """Let everything happen; what is not over by then hangs."""
        while self._events and self._events[0][0] <= until:
            self.now, _, do = heapq.heappop(self._events)
            do()

    def _go_on(self, program: Program, answer: Any, ended: Callable[[int], None]) -> None:
        try:
            wanted = program.send(answer)
        except StopIteration as end:
            ended(end.value or 0)
            return
        if isinstance(wanted, Sleep):
            self.later(wanted.seconds, lambda: self._go_on(program, None, ended))
        elif isinstance(wanted, list):
            self._fork(wanted, lambda results: self._go_on(program, results, ended))
        else:
            Line(self, wanted, lambda seen: self._go_on(program, seen, ended)).send()

    def _fork(self, programs: list[Program], done: Callable[[list[int]], None]) -> None:
        """Run programs at once and go on when all have ended."""
        results: dict[int, int] = {}

        def ended(place: int, status: int) -> None:
            results[place] = status
            if len(results) == len(programs):
                done([results[n] for n in range(len(programs))])

        for place, program in enumerate(programs):
            self.later(
                place * 1e-4,
                lambda p=program, n=place: self._go_on(p, None, lambda s: ended(n, s)),
            )

    def next_connection(self) -> int:
        """Return the number of a new connection."""
        return next(self._connections)

    def use(self, connection: int) -> int:
        """Return the how-manieth request this is on a connection."""
        self._used[connection] = self._used.get(connection, 0) + 1
        return self._used[connection]

    def meet(self, barrier: Barrier, go_on: Callable[[int], None]) -> None:
        """Hold an arrival until the parties are there, or the time is up."""
        waiting = self._barriers.setdefault(barrier.name, [])
        waiting.append(go_on)
        if len(waiting) >= barrier.parties:
            self._let_go(barrier.name)
        else:
            self.later(barrier.timeout, lambda: go_on in waiting and self._let_go(barrier.name))

    def _let_go(self, name: str) -> None:
        waiting = self._barriers.pop(name, [])
        party = list(waiting)
        waiting.clear()
        for go_on in party:
            self.later(0, lambda g=go_on: g(len(party)))


class Line:
    """One request on the wire, both ends of it."""

    def __init__(self, world: World, call: Call, done: Callable[[Answer], None]) -> None:
        self.world, self.call, self._done = world, call, done
        self.left = self.over = self.hanging = False
        self.exchange: Exchange | None = None

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

    def _arrive(self) -> None:
        call, world = self.call, self.world
        number = call.connection or world.next_connection()
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
            request_on_connection=world.use(number),
            digest=f"{call.path} {call.key} {body} {call.agent}",
        )
        self.exchange = Exchange(request, world.bank(call.account), world.profile)
        if call.payment is not None:
            world.payment_of[self.exchange.attempt.arrival] = call.payment
        self._steps = self.exchange.run()
        self._step(None)

    def _step(self, performed: Performed | None) -> None:
        try:
            effect = self._steps.send(performed)
        except StopIteration:
            return
        match effect:
            case Wait(seconds):
                self._after(seconds)
            case Barrier():
                self.world.meet(
                    effect, lambda came: self._step(Performed(left=self.left, parties=came))
                )
            case Hang(seconds):
                self._hang(seconds)
            case Reset() | Close():
                self._tell(Answer("reset" if isinstance(effect, Reset) else "closed"))
                self._step(Performed(left=self.left))
            case Send(reply):
                self._deliver(reply.status, reply.body)
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
