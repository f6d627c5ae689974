"""The accounts of one port: every secret key has its own bank, or all keys of a run share one.

What is the port's own is here too: its seed, its profile, who hears of its journal, and what
takes effect on its connections.
"""

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from fakestripe._version import __version__
from fakestripe.bank import Bank
from fakestripe.bank.ids import account_id
from fakestripe.bank.journal import Journal, Sink
from fakestripe.faults.rules import FAULT_FREE, Customers, Profile
from fakestripe.server.account import Account, Mode
from fakestripe.server.edge.reach import OF_APPLICATION, OF_ONE, refuse_edge
from fakestripe.server.guard import OPEN
from fakestripe.server.keyring import Keyring
from fakestripe.server.real_time import Real
from fakestripe.server.webhooks.courier import Courier
from fakestripe.server.webhooks.webhooks import check_target

SHARED = "shared"
NOBODY = "nobody"
OF_SEVERAL: Final = (
    "settings.keys: a key belongs to one account, and this port has many: set the profile with "
    "the Authorization of one, or open a port of your own (POST /_fakestripe/ports)"
)


class Accounts:
    """All accounts of one port.

    ``folders`` are where the profiles of its admin side are looked up first, ``max_hang`` the
    longest hang that it lets them have, ``webhook_hosts`` where webhooks may go beside loopback,
    ``guard`` who may come in.
    """

    def __init__(
        self,
        *,
        shared: bool,
        customers: Customers = "strict",
        mode: Mode = "fixture",
        sink: Sink | None = None,
        seed: int = 0,
    ) -> None:
        self.shared = shared
        self.mode = mode
        self.customers = customers
        self.seed = seed
        self.sink = sink
        self.profile: Profile | None = None
        self.folders: Sequence[Path] = ()
        self.max_hang: float | None = None
        self.webhook_hosts: Collection[str] = ()
        self.guard = OPEN
        self.courier = Courier()
        self._opened = Real.monotonic()
        self._next_arrival: Callable[[], int] = itertools.count(1).__next__
        self.keyring = Keyring()
        self._told: Callable[[], None] | None = None
        self.reads = False
        self.on_reset: Callable[[Account], None] | None = None
        self.on_open: Callable[[Account], None] | None = None
        self.has_edge = True
        self._edge_rests = False
        self._attends: Callable[[Profile], None] | None = None
        self.in_effect = FAULT_FREE

    def elapsed(self) -> float:
        """Return seconds since the port opened."""
        return Real.monotonic() - self._opened

    def __iter__(self) -> Iterator[Account]:
        return iter(self.keyring)

    def named(self, name: str) -> Account:
        """Return the account of a name (an API key, or one of the two fixed names)."""
        found = self.keyring.find(name)
        return self._open(name) if found is None else found

    def known(self, name: str) -> list[Account]:
        """Return the account of a name, where there is one already."""
        found = self.keyring.find(name)
        return [] if found is None else [found]

    def anyone(self) -> Account:
        """Return the account that stands for the port: the shared one, else nobody's."""
        return self.named(SHARED if self.shared else NOBODY)

    def _open(self, name: str) -> Account:
        owner = None if self.shared else account_id(name)
        journal = Journal(self.elapsed, self.heard(), self._next_arrival, owner)
        journal.note("header", self._header())
        bank = Bank(
            account_id(name),
            wall=Real.wall,
            journal=journal,
            seed=self.seed,
        )
        account = Account(bank, self.customers, self.courier, self._taken, self.keyring)
        self.keyring.keep(name, account)
        if self.profile is None:
            account.take(FAULT_FREE)
        else:
            account.use(self.profile)
        if self.on_open is not None:
            self.on_open(account)
        return account

    def _look_at(self, profile: Profile) -> None:
        """Know what a profile costs from now on: ``reading`` only one with a rule there."""
        self.reads = self.reads or any(rule.at == "reading" for rule in profile.rules)

    def _taken(self, profile: Profile) -> None:
        """Know that a profile took effect for an account."""
        self._look_at(profile)
        if self.shared and profile is not self.in_effect:
            self._effect(profile)

    def _effect(self, profile: Profile) -> None:
        """Tell the port itself of a profile: connections are counted anew, windows begin."""
        self.in_effect = profile
        if self._attends is not None and not self._edge_rests:
            self._attends(profile)

    def attend(self, take: Callable[[Profile], None] | None) -> None:
        """Tell the port itself which profile is in effect, and of all to come; None: no more."""
        self._attends = take
        self._effect(self.in_effect)

    def rest_edge(self) -> None:
        """Let rules strike neither the port nor a connection, until ``wake_edge``."""
        if self._attends is not None:
            self._attends(FAULT_FREE)
        self._edge_rests = True

    def wake_edge(self) -> None:
        """Let what is in effect take effect on the port itself, from now on."""
        self._edge_rests = False
        self._effect(self.in_effect)

    def _header(self) -> dict[str, Any]:
        """Return how the run is made; outside ``check`` a profile is set by who names it."""
        return {
            "fakestripe": __version__,
            "mode": self.mode,
            "replicas": 1,
            "seed": self.seed,
            "declared": self.mode != "check",
        }

    def announce(self) -> None:
        """Begin the journal's file, so that one without a request is a journal too."""
        if self.sink is not None:
            self.sink(self.header())

    def header(self) -> dict[str, Any]:
        """Return the first line of a journal, of no account yet."""
        return {"kind": "header", "elapsed_s": self.elapsed(), **self._header()}

    def listen(self, told: Callable[[], None] | None) -> None:
        """Tell somebody of every line of a journal from now on; None: nobody any more."""
        if told != self._told:
            self._told = told
            for account in self:
                account.bank.journal.sink = self.heard()

    def heard(self) -> Sink | None:
        """Return who gets the lines of a journal, and who is told that there is one."""
        told, sink = self._told, self.sink
        if told is None:
            return sink

        def both(line: dict[str, Any]) -> None:
            if sink is not None:
                sink(line)
            told()

        return both

    def further(
        self, name: str, *, shared: bool, customers: Customers | None, seed: int | None
    ) -> "Accounts":
        """Return the accounts of a further port of this server: as here, where nothing is said.

        Its lines in the journal of the server say which port they are of.
        """
        found = Accounts(
            shared=shared,
            customers=self.customers if customers is None else customers,
            mode=self.mode,
            sink=None if self.sink is None else _marked(self.sink, name),
            seed=self.seed if seed is None else seed,
        )
        found.folders, found.max_hang = self.folders, self.max_hang
        found.webhook_hosts, found.guard = self.webhook_hosts, self.guard
        return found

    def use(self, profile: Profile) -> None:
        """Set a profile for every account of the port, those to come included.

        Raises ``ValueError`` as ``check`` does.
        """
        self.check(profile)
        self.profile, before = profile, self.in_effect
        self.in_effect = FAULT_FREE if before is profile else before
        self._look_at(profile)
        for account in self:
            account.use(profile)
        if self.in_effect is not profile:
            self._effect(profile)

    def drop_profile(self) -> None:
        """Go on without faults."""
        self.profile = None
        for account in self:
            account.use(FAULT_FREE)
        self._effect(FAULT_FREE)

    def check(self, profile: Profile, *, shared: bool | None = None) -> None:
        """Raise ``ValueError`` where a profile cannot take effect on this port.

        Its webhooks may go only where they are allowed to, an application has no connections, and
        where accounts are separate (``shared`` for a port that is to be), a key is of one of them.
        """
        if profile.settings.keys and not (self.shared if shared is None else shared):
            raise ValueError(OF_SEVERAL)
        self._check(profile)

    def _check(self, profile: Profile) -> None:
        if not self.has_edge:
            refuse_edge(profile, OF_APPLICATION)
        for webhook in profile.settings.webhooks:
            check_target(webhook.url, self.webhook_hosts)

    def check_one(self, profile: Profile) -> None:
        """Raise ``ValueError`` where a profile cannot be set for one account of this port."""
        if not self.shared:
            refuse_edge(profile, OF_ONE)
        self._check(profile)

    def reset(self, account: Account) -> None:
        """Forget an account: the next request with its key opens it anew."""
        account.webhooks.clear()
        if self.on_reset is not None:
            self.on_reset(account)
        self.keyring.forget(account)
        if self.shared:
            self._effect(self.profile or FAULT_FREE)


def _marked(sink: Sink, name: str) -> Sink:
    """Return a sink that says of every line which port it is of."""
    return lambda line: sink({**line, "port": name})
