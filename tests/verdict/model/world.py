"""A world without sockets: clients, a network and the real exchange, on a clock of its own.

The truth is known here: every request says which payment it is for, and every client what it
believes in the end. The verdict is not told either.
"""

import heapq
import itertools
from collections.abc import Callable
from typing import Any

from calls import Program, Sleep
from line import Line

from fakestripe.bank import Bank
from fakestripe.bank.ids import account_id
from fakestripe.bank.journal import Journal
from fakestripe.bank.keys import Holder
from fakestripe.faults import plan
from fakestripe.faults.line import line_of
from fakestripe.faults.rules import Profile
from fakestripe.protocol.effects import Barrier
from fakestripe.protocol.further_key import FurtherKey

NOON = 1_700_000_000.0


class World:
    """One run: accounts under one profile, programs, and what is true of them.

    With a ``cap`` (cents a day) every request comes in by a vault key of its account.
    """

    def __init__(self, profile: Profile, run: int = 0, cap: int | None = None) -> None:
        self.now = 0.0
        self.start = NOON + 1234.567 * run
        self.profile = profile
        self.cap = cap
        self.banks: dict[str, Bank] = {}
        self.payment_of: dict[int, str] = {}
        self.exits: list[int | None] = []
        self.fired: dict[str, int] = {}
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._arrivals = itertools.count(1)
        self._connections = itertools.count(1)
        self._used: dict[int, int] = {}
        self._accepted = 0
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

    def holder(self, bank: Bank) -> Holder | None:
        """Return the vault key of an account, if there is a cap."""
        if self.cap is None:
            return None
        if not bank.keys.holders:
            bank.keys.add(FurtherKey("vault", cap=self.cap), "vk_test_*******cap1")
        return bank.keys.holders[0]

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

    def is_lost(self, connection: int) -> bool:
        """Whether a rule strikes a new connection, before anything of it is read.

        Only connections for a payment are counted: what a client asks before is not lost here.
        """
        self._accepted += 1
        rule = plan.accepted(self.profile, self._accepted, self.fired)
        if rule is None:
            return False
        self.fired[rule.name] = self.fired.get(rule.name, 0) + 1
        struck = {"rule": rule.name, "connection": connection, "faults": ["reset"]}
        for bank in self.banks.values():
            bank.journal.note("connection", struck)
        return True

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
