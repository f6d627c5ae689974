"""One account at the door: a bank, and the profile that is set for it.

Everything that people declare (a profile, intents, outcomes, a move of the clock) goes through
here, so that it takes effect and stands in the journal, both or neither.
"""

from collections.abc import Callable, Iterable
from typing import Final, Literal, Protocol, TypeAlias

from msgspec import to_builtins

from fakestripe.bank import Bank
from fakestripe.bank.keys import Holder
from fakestripe.faults.line import deliveries_name, line_of
from fakestripe.faults.rules import FAULT_FREE, Customers, Profile
from fakestripe.protocol.declared import Intent, Outcome, Webhook
from fakestripe.protocol.further_key import FurtherKey, shown
from fakestripe.protocol.headers import mask
from fakestripe.resources.customers import Customer
from fakestripe.server.webhooks.courier import Courier
from fakestripe.server.webhooks.endpoint import Endpoint
from fakestripe.server.webhooks.webhooks import Webhooks

Mode: TypeAlias = Literal["serve", "fixture", "check"]


LATEST: Final = 253_402_300_799
"""The last second of the year 9999."""


class Claims(Protocol):
    """Who knows whose the keys of a port are."""

    def check(self, account: "Account", rules: FurtherKey) -> None:
        """Raise ``Wrong`` where another account has claimed the key."""

    def claim(self, account: "Account", rules: FurtherKey) -> tuple[str, Holder | None]:
        """Return the whole key, made where none is given, and what it may do."""


class Account:
    """One bank with the profile that is set for it."""

    __slots__ = ("_claims", "_connected", "_customers", "_taken", "bank", "profile", "webhooks")

    def __init__(
        self,
        bank: Bank,
        customers: Customers,
        courier: Courier | None = None,
        taken: Callable[[Profile], None] | None = None,
        claims: Claims | None = None,
    ) -> None:
        self.bank = bank
        self.webhooks = Webhooks(bank, courier or Courier())
        self._customers = customers
        self._taken = taken
        self._claims = claims
        self._connected: dict[str, Account] = {}
        self.profile = FAULT_FREE

    def connected(self, name: str) -> "Account":
        """Return the account that this one acts for under a name; its own name is itself."""
        if name == self.bank.account:
            return self
        found = self._connected.get(name)
        if found is None:
            found = self._connected[name] = Account(
                self.bank.connected(name), self._customers, taken=self._taken
            )
            found.take(self.profile)
            if self.bank.ledger.events.listener is not None:
                self.webhooks.listen(found.bank)
        return found

    @property
    def banks(self) -> list[Bank]:
        """Its own bank, and those of the accounts that it acts for."""
        return [self.bank, *(account.bank for account in self._connected.values())]

    def take(self, profile: Profile) -> None:
        """Behave as a profile says; whoever acts for this account declares it."""
        settings, bank = profile.settings, self.bank
        bank.idempotency.retention = settings.key_retention
        bank.idempotency.write_window = settings.cache_write_window
        asked = profile.settings.customers
        customers = self._customers if asked is None else asked
        bank.ledger.customers = "any" if customers == "any" else "strict"
        self.profile = profile
        if self._taken is not None:
            self._taken(profile)
        if isinstance(customers, int):
            self.settle(customers)

    def use(self, profile: Profile) -> None:
        """Set a profile: its rules from the next arrival on, its settings and intents now.

        Raises ``Wrong`` where one of its keys is another account's; then nothing has changed.
        """
        settings, bank = profile.settings, self.bank
        self._check_keys(settings.keys)
        bank.fired.clear()
        bank.matched.clear()
        bank.near.clear()
        if settings.seed is not None and not bank.journal.attempts:
            bank.reseed(settings.seed)
        if settings.clock_start is not None or settings.clock_frozen:
            start = bank.clock.now() if settings.clock_start is None else settings.clock_start
            bank.clock.set(start, frozen=settings.clock_frozen)
        for account in (self, *self._connected.values()):
            account.take(profile)
        if settings.webhooks:
            self._listen()
        self.webhooks.follow(settings.webhooks, settings.deliveries, deliveries_name(profile))
        self._declare(profile)

    def _check_keys(self, keys: Iterable[FurtherKey]) -> None:
        for rules in keys:
            if self._claims is not None:
                self._claims.check(self, rules)

    def _declare(self, profile: Profile) -> None:
        """Declare what a profile does: keys, what names an operation, itself, intents."""
        journal = self.bank.journal
        for rules in profile.settings.keys:
            self.key(rules)
        if profile.operation is not None:
            self.select(profile.operation)
        journal.profiles += 1
        journal.note("profile", line_of(profile))
        for intent in profile.intents:
            self.intend(intent)

    def key(self, rules: FurtherKey) -> str:
        """Make a further key, or change the rules of one; return it, whole for once.

        Raises ``Wrong`` where it is another account's.
        """
        if self._claims is None:
            raise ValueError("an account that another acts for has the keys of that one")
        key, holder = self._claims.claim(self, rules)
        told = mask(key) if holder is None else holder.shown
        account = self.bank.account
        self.bank.journal.note("key", {"account": account, "key": told, **shown(rules)})
        return key

    def webhook(self, asked: Webhook) -> Endpoint:
        """Tell somebody of events from now on."""
        self._listen()
        return self.webhooks.add(asked)

    def _listen(self) -> None:
        for bank in self.banks:
            self.webhooks.listen(bank)

    def settle(self, count: int) -> list[Customer]:
        """Return so many people as customers of this account; Faker is loaded for the first."""
        from fakestripe.server import residents  # noqa: PLC0415

        return residents.settle(self.bank, count)

    def select(self, selector: str | None) -> None:
        """Set the selector that names operations."""
        self.bank.place()
        self.bank.operations.configure(selector=selector)
        self.bank.journal.note("header", {"selector": selector})

    def intend(self, intent: Intent) -> None:
        """Declare what the client sets out to pay."""
        self.bank.place()
        self.bank.operations.declare(intent)
        self.bank.journal.intents.append(intent)
        self.bank.journal.note("intent", to_builtins(intent))

    def believe(self, outcome: Outcome) -> None:
        """Report what the client believes of an operation."""
        self.bank.journal.outcomes.append(outcome)
        self.bank.journal.note("outcome", to_builtins(outcome))

    def advance(self, seconds: float, by: str) -> None:
        """Move the account's clock; raises ``ValueError`` beyond what a date can say."""
        self._check_moment(self.bank.clock.now() + seconds)
        self.bank.clock.advance(seconds)
        self.bank.journal.note("clock", {"advance": seconds, "by": by})

    def set_clock(self, now: float, by: str) -> None:
        """Set the account's clock to an instant; raises ``ValueError`` as ``advance`` does."""
        self._check_moment(now)
        self.bank.clock.set(now)
        self.bank.journal.note("clock", {"now": now, "by": by})

    @staticmethod
    def _check_moment(now: float) -> None:
        if not 0 <= now <= LATEST:
            raise ValueError(
                f"the clock cannot be at {now:g}: write seconds since 1970, up to the year 9999"
            )
