"""API key to account: every secret key has its own bank, or all keys of a run share one.

No key is kept: an account is found by a digest of it. What no account can be found for (no key,
a live key, a publishable one) is refused, and journalled under a bank of nobody's.
"""

import itertools
from collections.abc import Callable, Iterator

from fakestripe.bank import Bank
from fakestripe.bank.ids import account_id
from fakestripe.bank.journal import Journal, Sink
from fakestripe.faults.rules import FAULT_FREE, Profile
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.headers import bearer, refused_key
from fakestripe.protocol.request import Request
from fakestripe.server.real_time import Real

SHARED = "shared"
NOBODY = "nobody"


class Account:
    """One bank with the profile that is set for it."""

    __slots__ = ("bank", "profile")

    def __init__(self, bank: Bank, profile: Profile) -> None:
        self.bank = bank
        self.profile = profile


class Accounts:
    """All accounts of one port."""

    def __init__(
        self, *, shared: bool, customers: str, sink: Sink | None = None, seed: int = 0
    ) -> None:
        self.shared = shared
        self.customers = customers
        self.seed = seed
        self.sink = sink
        self.profile = FAULT_FREE
        self._opened = Real.monotonic()
        self._next_arrival: Callable[[], int] = itertools.count(1).__next__
        self._accounts: dict[str, Account] = {}

    def elapsed(self) -> float:
        """Return seconds since the port opened."""
        return Real.monotonic() - self._opened

    def __iter__(self) -> Iterator[Account]:
        return iter(list(self._accounts.values()))

    def named(self, name: str) -> Account:
        """Return the account of a name (an API key, or one of the two fixed names)."""
        account = account_id(name)
        found = self._accounts.get(account)
        if found is None:
            journal = Journal(self.elapsed, self.sink, self._next_arrival)
            bank = Bank(
                account,
                wall=Real.wall,
                journal=journal,
                seed=self.seed,
                customers=self.customers,
            )
            found = self._accounts[account] = Account(bank, self.profile)
        return found

    def of(self, request: Request) -> tuple[Account, StripeError | None]:
        """Return the account of a request, and why its key is refused, if it is."""
        key = bearer(request)
        refused = refused_key(key)
        if self.shared:
            return self.named(SHARED), refused
        if refused is not None or key is None:
            return self.named(NOBODY), refused
        return self.named(key), None
