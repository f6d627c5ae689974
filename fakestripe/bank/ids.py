"""Deterministic ids of Stripe's form (stripe-facts 4.3): counters written in base 62.

Every id ends in seven characters of one counter per account, spread by a stride and started
at an offset taken from the seed, so that ids look like Stripe's, are the same for the same seed
and sort by age. All objects of one payment share their first seventeen characters.
"""

import hashlib
from typing import Final
from uuid import UUID

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_STRIDE: Final = 100_003
_TAIL: Final = 7


_PAIRS: Final = tuple(high + low for high in _DIGITS for low in _DIGITS)


def base62(number: int, width: int) -> str:
    """Return ``number`` in base 62, the last ``width`` digits, zero-padded."""
    text = ""
    for _ in range((width + 1) // 2):
        number, pair = divmod(number, 3844)
        text = _PAIRS[pair] + text
    return text[-width:]


def account_id(name: str) -> str:
    """Return ``acct_`` and sixteen characters made from a name that is not kept."""
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=12).digest()
    return "acct_1" + base62(int.from_bytes(digest, "big"), 15)


class Ids:
    """The ids of one account."""

    __slots__ = ("_account", "_count", "_families", "_requests", "_seed", "_start")

    def __init__(self, account: str, seed: int) -> None:
        self._account = account[-10:]
        self._seed = f"{seed}:{account}"
        mark = int.from_bytes(self._hash("start", 6), "big")
        self._start = 62**6 + mark % (30 * 62**6)
        self._count = 0
        self._families = mark % 62**4
        self._requests = 0

    def _hash(self, purpose: str, size: int) -> bytes:
        return hashlib.blake2b(f"{self._seed}:{purpose}".encode(), digest_size=size).digest()

    def _tail(self) -> str:
        self._count += 1
        return base62(self._start + self._count * _STRIDE, _TAIL)

    def family(self) -> str:
        """Return the seventeen characters that all objects of one payment share."""
        self._families += 1
        return f"3{base62(62**4 + self._families, 5)}{self._account}1"

    def of_payment(self, prefix: str, family: str) -> str:
        """Return an id of the payment family: ``ch_ pi_ re_ txn_ evt_``."""
        return f"{prefix}_{family}{self._tail()}"

    def of_account(self, prefix: str) -> str:
        """Return an id of the account level: ``card_ pm_ tok_ src_``."""
        tail = self._tail()
        return f"{prefix}_1{base62(62**4 + self._families, 5)}{self._account}0{tail}"

    def short(self, prefix: str) -> str:
        """Return a fourteen-character id: ``cus_``."""
        return f"{prefix}_{base62(62**6 + self._families, 7)}{self._tail()}"

    def request(self) -> str:
        """Return a new ``req_`` id."""
        self._requests += 1
        return f"req_{self._account[:7]}{base62(self._start + self._requests * _STRIDE, _TAIL)}"

    def server_key(self) -> str:
        """Return the version-4 UUID that a keyless POST is answered with (stripe-facts 0.2)."""
        return str(UUID(bytes=self._hash(f"key:{self._requests}", 16), version=4))


def family_of(object_id: str) -> str:
    """Return the payment family of a ``ch_ pi_ re_ txn_`` id."""
    return object_id.partition("_")[2][:17]
