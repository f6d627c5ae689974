"""Deterministic ids of Stripe's form (stripe-facts 4.3): counters written in base 62.

Every id ends in seven characters of one counter per account, started at a point taken from the
seed, so that ids look like Stripe's, are the same for the same seed and sort by age. All objects
of one payment share their first seventeen characters.
"""

import hashlib
from collections.abc import Iterator
from typing import Final
from uuid import UUID

_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
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


def _counted(start: int, width: int) -> Iterator[str]:
    """Yield the numbers after ``start`` in base 62: only two digits change as a rule."""
    high, low = divmod(start + 1, len(_PAIRS))
    while True:
        prefix = base62(high, width - 2)
        for pair in _PAIRS[low:]:
            yield prefix + pair
        high, low = high + 1, 0


class Ids:
    """The ids of one account."""

    __slots__ = (
        "_account",
        "_families",
        "_family",
        "_first",
        "_first_event",
        "_requests",
        "_seed",
        "_served",
        "_tails",
    )

    def __init__(self, account: str, seed: int) -> None:
        self._account = account[-10:]
        self._seed = f"{seed}:{account}"
        mark = int.from_bytes(self._hash("start", 6), "big")
        self._families = _counted(62**4 + mark % 62**4, 5)
        self._tails = _counted(62**6 + mark % (30 * 62**6), _TAIL)
        self._requests = _counted(62**13 + mark * 62**4, 14)
        self._family = self._first = next(self._families)
        self._first_event = 62**6 + mark % (29 * 62**6)
        self._served = 0

    def connected(self, account: str) -> "Ids":
        """Return the ids of an account that this one acts for: all of both sort by age."""
        ids = Ids(account, 0)
        ids._families, ids._tails, ids._requests = self._families, self._tails, self._requests
        return ids

    def _hash(self, purpose: str, size: int) -> bytes:
        return hashlib.blake2b(f"{self._seed}:{purpose}".encode(), digest_size=size).digest()

    def family(self) -> str:
        """Return the seventeen characters that all objects of one payment share."""
        self._family = next(self._families)
        return f"3{self._family}{self._account}1"

    def of_payment(self, prefix: str, family: str) -> str:
        """Return an id of the payment family: ``ch_ pi_ re_ txn_ evt_``."""
        return f"{prefix}_{family}{next(self._tails)}"

    def of_account(self, prefix: str) -> str:
        """Return an id of the account level: ``card_ pm_ tok_ src_``."""
        return f"{prefix}_1{self._family}{self._account}0{next(self._tails)}"

    def short(self, prefix: str) -> str:
        """Return a fourteen-character id: ``cus_``."""
        return f"{prefix}_{self._account[:7]}{next(self._tails)}"

    def event(self, place: int, family: str | None) -> str:
        """Return the id of the event at a place of the log: always the same, counted nowhere.

        One about a payment shares its family.
        """
        head = family or f"1{self._first}{self._account}0"
        return f"evt_{head}{base62(self._first_event + place, _TAIL)}"

    def secret(self, object_id: str) -> str:
        """Return the client secret of an object, always the same one."""
        number = int.from_bytes(self._hash(f"secret:{object_id}", 20), "big")
        return f"{object_id}_secret_{base62(number, 25)}"

    def request(self) -> str:
        """Return a new ``req_`` id."""
        return f"req_{next(self._requests)}"

    def server_key(self) -> str:
        """Return the version-4 UUID that a keyless POST is answered with (stripe-facts 0.2)."""
        self._served += 1
        return str(UUID(bytes=self._hash(f"key:{self._served}", 16), version=4))


def family_of(object_id: str) -> str:
    """Return the payment family of a ``ch_ pi_ re_ txn_`` id."""
    return object_id.partition("_")[2][:17]
