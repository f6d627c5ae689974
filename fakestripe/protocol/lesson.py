"""What two fault-free runs teach: which parameters tell payments apart, and how many there are.

An identity is a kind of payment: the step and those parameters whose values were the same in
both runs. A name is a parameter that was not, yet differed in every payment of its identity.
The bank groups arrivals by it, the verdict counts by it; it travels in the journal's header.
"""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""Parameters by dotted name, sorted."""


class Identity(Struct, frozen=True, kw_only=True):
    """One kind of payment: ``count`` live charges of ``amount`` were made of it.

    ``shape`` is the method and the path with ids replaced, ``parameters`` the stable ones, ids
    made in the run standing for the request that made them. ``refunds`` counts its live refunds.
    """

    shape: str
    parameters: Pairs
    count: int
    amount: int | None = None
    currency: str | None = None
    names: tuple[str, ...] = ()
    refunds: int = 0


class Lesson(Struct, frozen=True, kw_only=True):
    """All identities, the keys seen in both runs, and what makes the lesson doubtful.

    ``volatile`` holds per shape the parameters that are no part of an identity; ``named`` the
    live charges per operation where a selector names them; ``replayed`` says that the fault-free
    runs had replays, so that one payment cannot be told from two, and ``refused`` that a key came
    again with other parameters, which may have been a payment that nobody missed.
    """

    identities: tuple[Identity, ...] = ()
    volatile: dict[str, tuple[str, ...]] = {}
    keys: tuple[str, ...] = ()
    named: dict[str, int] = {}
    replayed: bool = False
    refused: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """The payments that the client sets out to make, in all."""
        return sum(identity.count for identity in self.identities)

    @property
    def total(self) -> dict[str, int]:
        """The money of all payments by currency, in minor units."""
        sums: dict[str, int] = {}
        for identity in self.identities:
            if identity.currency is not None and identity.amount is not None:
                money = identity.amount * identity.count
                sums[identity.currency] = sums.get(identity.currency, 0) + money
        return sums


def stable(flat: Mapping[str, str], volatile: tuple[str, ...], makers: Mapping[str, str]) -> Pairs:
    """Return the parameters that belong to an identity, ids standing for their makers."""
    return tuple(
        sorted(
            (name, makers.get(value, value))
            for name, value in flat.items()
            if name not in volatile
        )
    )


def maker(shape: str, pairs: Pairs) -> str:
    """Return what stands for the ids that a request made."""
    return f"<{shape} {'&'.join(f'{name}={value}' for name, value in pairs)}>"
