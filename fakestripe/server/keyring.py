"""The API keys of one port: whose each is, and what a further key may do.

A key is known by a digest that is of no use to who reads it; none is kept. Whoever comes with a
secret key that nobody knows begins an account; further keys are claimed by the account that they
are made for, and no two accounts claim one. A new key depends on nothing but its account and its
number, so that a run can be repeated.
"""

import itertools
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, TypeAlias

from fakestripe.bank.keys import Holder
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.further_key import PREFIXES, FurtherKey, Kind, Wrong
from fakestripe.protocol.headers import mask
from fakestripe.protocol.refusals import ProxyRefusal
from fakestripe.server.account import Account

Refusal: TypeAlias = StripeError | ProxyRefusal
Guest: TypeAlias = tuple[Account, Holder | None, Refusal | None]
"""Whose a request is, by which further key it came, and why it is refused, if it is."""
BEGINNINGS: Final[dict[Kind, str]] = {kind: text for text, kind in PREFIXES.items()}
LENGTH: Final = 24


class Keyring:
    """The accounts of one port by the digest of each of their keys, and the further keys."""

    __slots__ = ("_accounts", "_holders", "welcome")

    def __init__(self) -> None:
        self._accounts: dict[int, Account] = {}
        self._holders: dict[int, Holder] = {}
        self.welcome: dict[int, Guest] = {}
        """By the digest of an ``Authorization`` header: those whom nothing has to be asked."""

    def __iter__(self) -> Iterator[Account]:
        return iter(list(dict.fromkeys(self._accounts.values())))

    def find(self, name: str) -> Account | None:
        """Return the account of a key, or of one of the port's own names; None for a new one."""
        return self._accounts.get(hash(name))

    def keep(self, name: str, account: Account) -> None:
        """Know whose a key is from now on."""
        self._accounts[hash(name)] = account

    def holder(self, key: str) -> Holder | None:
        """Return what a further key may do; None for one that stands for its account."""
        return self._holders.get(hash(key))

    def check(self, account: Account, rules: FurtherKey) -> None:
        """Raise ``Wrong`` where another account has claimed the key."""
        owner = None if rules.key is None else self.find(rules.key)
        if rules.key is not None and owner not in (None, account):
            said = f"{mask(rules.key)} is a key of another account on this port: choose another"
            raise Wrong("key", said)

    def claim(self, account: Account, rules: FurtherKey) -> tuple[str, Holder | None]:
        """Make a key for an account, or change what one of its keys may do.

        Return the whole key, and what it may do: None for a second secret key, which may do all.
        Raises ``Wrong`` as ``check`` does.
        """
        self.check(account, rules)
        key = rules.key or self._new(account, rules.kind)
        self.keep(key, account)
        self.welcome.clear()
        if rules.kind == "secret":
            return key, None
        keys, known = account.bank.keys, self.holder(key)
        holder = keys.add(rules, mask(key)) if known is None else keys.change(known, rules)
        self._holders[hash(key)] = holder
        return key, holder

    def _new(self, account: Account, kind: Kind) -> str:
        """Return the first key of an account that is not there yet."""
        bank = account.bank
        for number in itertools.count(1):  # told behind
            text = f"{bank.account} {bank.seed} {kind} {number}"
            key = BEGINNINGS[kind] + sha256(text.encode()).hexdigest()[:LENGTH]
            if self.find(key) is None:
                break
        return key

    def forget(self, account: Account) -> None:
        """Forget an account with all its keys."""
        self.welcome.clear()
        for digest, known in list(self._accounts.items()):
            if known is account:
                del self._accounts[digest]
                self._holders.pop(digest, None)
