"""Everything that is remembered, per Stripe account, and the one place where money moves.

``Bank.commit`` writes ledger, idempotency record and events together, with nothing in between
that could be interrupted: no other code moves money.
"""

from collections.abc import Callable, Iterator
from typing import Any

from fakestripe.bank.change import Change, Write
from fakestripe.bank.clock import Clock
from fakestripe.bank.idempotency import Answer, Claim, Idempotency
from fakestripe.bank.ids import Ids, account_id
from fakestripe.bank.journal import Journal
from fakestripe.bank.keys import Hold, Keys
from fakestripe.bank.ledger import Ledger
from fakestripe.bank.operations import Operations

DAY = 86_400.0


class Bank:
    """One account: clock, ids, ledger, idempotency records, operations, journal."""

    def __init__(
        self,
        account: str,
        *,
        wall: Callable[[], float],
        journal: Journal,
        seed: int = 0,
        customers: str = "strict",
    ) -> None:
        self.account = account
        self.connected_as: str | None = None
        self.clock = Clock(wall)
        self.seed = seed
        self.ids = Ids(account, seed)
        self.ledger = Ledger(self.ids, customers=customers)
        self.idempotency = Idempotency(DAY)
        self.operations = Operations()
        self.keys = Keys()
        self.journal = journal
        self.fired: dict[str, int] = {}
        self.matched: dict[str, int] = {}
        self.near: dict[str, int] = {}

    def connected(self, name: str) -> "Bank":
        """Return the bank of an account that this one acts for (``Stripe-Account``).

        It has objects, keys and ids of its own; time, journal and faults are those of the run.
        """
        bank = Bank(name, wall=self.clock.now, journal=self.journal, seed=self.seed)
        bank.connected_as = name
        bank.ids = bank.ledger.ids = self.ids.connected(account_id(name))
        bank.clock, bank.operations, bank.keys = self.clock, self.operations, self.keys
        bank.fired, bank.matched, bank.near = self.fired, self.matched, self.near
        self.journal.note("connected", {"connected": name})
        return bank

    def reseed(self, seed: int) -> None:
        """Make all ids from now on of another seed; only for a bank that has made none."""
        self.seed = seed
        self.ids = self.ledger.ids = Ids(self.account, seed)

    def place(self) -> None:
        """Say of every arrival so far which operation it belongs to.

        The rules read the past, so they may be applied late: where no fault asks for it, nobody
        pays for it before the journal is read.
        """
        attempts, operations = self.journal.attempts, self.operations
        for attempt in attempts[operations.placed :]:
            operations.place(attempt)
        operations.placed = len(attempts)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Return the journal, every attempt placed."""
        self.place()
        return self.journal.lines()

    def populate(self, writes: tuple[Write, ...]) -> None:
        """Write what is there before anybody asks: it moves nothing, and nothing tells of it."""
        self.ledger.write(writes)

    def commit(
        self, change: Change, claim: Claim, answer: Answer, hold: Hold | None = None
    ) -> None:
        """Write the change, settle its key and its hold, and note what it tells, together."""
        record, now = claim.record, self.clock.now()
        self.ledger.write(change.writes)
        self.idempotency.settle(record, answer, now)
        if hold is not None or self.keys.spent:
            self.keys.follow(change.moved, hold)
        self.ledger.events.add(change.events, now, record.request_id, record.key or None)
