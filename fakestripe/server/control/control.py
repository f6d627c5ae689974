"""What a test holds of one port: declare, move the clock, read, judge; callable from any thread.

Every deed happens between requests, in the loop that serves them. Bad arguments are refused here,
in words that name the call and the remedy, before anything is declared. Whether a test fails is
decided in ``closing``, never here.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from msgspec import json

from fakestripe.faults.rules import MOST_CUSTOMERS, Customers, Profile
from fakestripe.profiles import ProfileError, load_profile
from fakestripe.server.account import Account
from fakestripe.server.accounts import SHARED
from fakestripe.server.app import Port
from fakestripe.server.control.arrivals import Arrivals
from fakestripe.server.control.clock import Clock
from fakestripe.server.control.closing import Ended, shortfall, told, unmet
from fakestripe.server.control.further_keys import FurtherKeys
from fakestripe.server.control.home import Home, settle, settled
from fakestripe.server.declaring import intent_of, outcome_of, webhooks_of
from fakestripe.server.webhooks.endpoint import Endpoint
from fakestripe.server.webhooks.webhooks import ANY, check_target
from fakestripe.verdict import Verdict, judge, records_of

API_KEY: Final = "sk_test_fakestripe"

T = TypeVar("T")
Source: TypeAlias = str | Path | Profile


class Control:
    """One port in the hands of a test; all its keys are one account.

    ``asked``, ``looked`` and ``restarted`` note what the test did (see ``closing``).
    ``replay`` is the command that runs the test again; ``pass_over`` is told why a client could
    not meet a profile, and may raise.
    """

    def __init__(self, port: Port, home: Home) -> None:
        self.api_key = API_KEY
        self.clock = Clock(self.within)
        self.asked = self.looked = self.restarted = False
        self.replay: str | None = None
        self.pass_over: Callable[[str], None] | None = None
        self.load: Callable[[Source], Profile] = loaded
        arrivals = Arrivals(home, port)
        self.wait, self.waited = arrivals.wait, arrivals.waited
        self.key = FurtherKeys(self.within).key
        self._port, self._home = port, home

    def __repr__(self) -> str:
        return f"<fakestripe, profile {self.profile.name if self.profile else None}>"

    @property
    def url(self) -> str:
        """The base URL for the client: what it calls ``api_base`` or ``base_url``."""
        return self._home.url

    @property
    def ca_file(self) -> str | None:
        """Under TLS the file by which a client trusts the server (PEM), else None."""
        return self._home.ca_file

    @property
    def profile(self) -> Profile | None:
        """The profile in use, if any."""
        return self._port.accounts.profile

    def use(self, profile: Source) -> None:
        """Set a profile: a name, a path (with ``/`` or ``.yaml`` in it), or a ``Profile``."""
        __tracebackhide__ = True
        try:
            found = self.load(profile)
        except ProfileError as wrong:
            raise wrong.with_traceback(None) from None
        self._home.call(lambda: self._port.accounts.use(found))

    def intend(  # noqa: PLR0913  # the fields of an intent
        self,
        operation: str,
        amount: int | None = None,
        *,
        currency: str | None = None,
        count: int = 1,
        customer: str | None = None,
        match: dict[str, Any] | None = None,
    ) -> None:
        """Declare ``count`` payments of ``amount`` (minor units) that the client sets out to make.

        A request belongs to them where one of its parameters has the value ``operation``, or
        where ``match`` (as in a profile) fits.
        """
        __tracebackhide__ = True
        intent = intent_of(
            operation,
            amount=amount,
            currency=currency,
            count=count,
            customer=customer,
            match=match,
        )
        self.within(lambda account: account.intend(intent))

    def outcome(
        self, operation: str, outcome: Literal["paid", "failed"], charge: str | None = None
    ) -> None:
        """Report what the client believes of an operation, and by which charge."""
        __tracebackhide__ = True
        believed = outcome_of(operation, outcome, charge)
        self.within(lambda account: account.believe(believed))

    @contextmanager
    def paying(
        self, operation: str, amount: int | None = None, *, currency: str | None = None
    ) -> Iterator[None]:
        """Declare one payment; leaving reports it paid, an exception failed (and is raised)."""
        __tracebackhide__ = True
        self.intend(operation, amount, currency=currency)
        try:
            yield
        except BaseException:
            self.outcome(operation, "failed")
            raise
        self.outcome(operation, "paid")

    @property
    def charges(self) -> list[dict[str, Any]]:
        """The charges of the ledger as Stripe shows them, oldest first, declined ones included."""
        self.looked = True
        return self.within(_charges)

    def webhook(  # noqa: PLR0913  # the fields of an endpoint
        self,
        url: str,
        enabled_events: Sequence[str] = ("*",),
        *,
        secret: str | None = None,
        api_version: str | None = None,
        copies: int = 1,
        late: str | None = None,
        before_answer: bool | str = False,
        out_of_order: bool | str = False,
        never: bool = False,
        only: Sequence[str] | None = None,
        anywhere: bool = False,
    ) -> Endpoint:
        """Tell a URL of events from now on; ``.secret`` is what its signatures are checked with.

        Only loopback addresses, unless ``anywhere``. Events say that they are of ``api_version``:
        name that of your SDK, where it refuses others. How they come may go wrong: ``copies=2``
        at once, ``late="5s"``, ``before_answer=True``, ``out_of_order=True`` or ``never=True``,
        and ``only=["charge.*"]`` those of some types.
        """
        __tracebackhide__ = True
        check_target(url, (ANY,) if anywhere else ())
        asked = {
            "url": url,
            "enabled_events": enabled_events,
            "secret": secret,
            "api_version": api_version,
            "copies": copies,
            "late": late,
            "before_answer": before_answer,
            "out_of_order": out_of_order,
            "never": never,
            "only": only,
        }
        [webhook] = webhooks_of(asked, f"fakestripe.webhook({url!r}, …)")
        return self.within(lambda account: account.webhook(webhook))

    def customers(self, count: int) -> list[dict[str, Any]]:
        """Return so many customers that are believable people, the same every time, with cards.

        Those that are not there yet are made, without a request and without an event.
        """
        __tracebackhide__ = True
        if not 1 <= count <= MOST_CUSTOMERS:
            raise ValueError(f"customers({count}): ask for 1 to {MOST_CUSTOMERS}")
        return self.within(lambda account: _shown(account.settle(count)))

    @property
    def journal(self) -> list[dict[str, Any]]:
        """The lines of the journal so far: attempts, intents, outcomes, profiles."""
        self.looked = True
        return self.within(lambda account: list(account.bank.lines()))

    def verdict(self) -> Verdict:
        """Judge what happened so far, once nothing that runs can move money any more."""
        __tracebackhide__ = True
        return self._asked().verdict

    def assert_clean(self) -> None:
        """Fail unless the verdict is clean, or a word that the profile expects, without hazard."""
        __tracebackhide__ = True
        lacking = shortfall(self._asked())
        if lacking is not None:
            raise AssertionError(lacking)

    def _asked(self) -> Ended:
        __tracebackhide__ = True
        self.asked = self.looked = True
        return self.excuse(self.ended())

    def excuse(self, ended: Ended) -> Ended:
        """Pass the test over where its client could not meet a profile of the whole library."""
        __tracebackhide__ = True
        lacking = unmet(ended) if self.pass_over else None
        if self.pass_over is not None and lacking is not None:
            self.pass_over(lacking)
        return ended

    def explained(self) -> str | None:
        """Return the verdict for the report of a failed test, None where nothing arrived."""
        ended = self.ended()
        return told(ended) if ended.records.attempts else None

    def ended(self) -> Ended:
        """Return what is known so far, without noting that the test asked."""
        settle(self._home, self._port)
        return self.within(self._ended)

    def _ended(self, account: Account) -> Ended:
        journal = account.bank.journal
        account.bank.place()
        records = records_of(journal)
        return Ended(
            records=records,
            verdict=judge(records),
            bugs=tuple(journal.bugs),
            asked=self.asked,
            looked=self.looked,
            restarted=self.restarted,
            replay=self.replay,
        )

    def reset(self) -> None:
        """Forget charges, keys of every kind, journal, intents and clock, not the profile."""
        self.begin(self.profile)
        self.restarted = True

    def begin(self, profile: Profile | None, customers: Customers | None = None) -> None:
        """Start over, as for another test; exchanges under way are let go."""
        self.asked = self.looked = self.restarted = False
        self._home.call(lambda: self._begin(profile, customers))

    def _begin(self, profile: Profile | None, customers: Customers | None) -> None:
        accounts = self._port.accounts
        accounts.customers = customers or accounts.customers
        accounts.profile = profile
        accounts.reset(accounts.named(SHARED))
        self._port.wake_all()

    def within(self, work: Callable[[Account], T]) -> T:
        """Run ``work`` on the account, between requests."""
        return self._home.call(lambda: work(self._port.accounts.named(SHARED)))

    async def settled(self) -> None:
        """Wait as ``verdict`` does, for a test that runs in the serving loop."""
        await settled(self._home, self._port)


def loaded(source: Source) -> Profile:
    """Return the profile of a name or path, or the one given."""
    return source if isinstance(source, Profile) else load_profile(source)


def _charges(account: Account) -> list[dict[str, Any]]:
    found = [bank.ledger.collection("charge") for bank in account.banks]
    charges = [each for collection in found for each in collection.at(collection.places(None))]
    return _shown(charges)


def _shown(objects: Sequence[Any]) -> list[dict[str, Any]]:
    """Return objects as Stripe shows them."""
    return [json.decode(json.encode(each)) for each in objects]
