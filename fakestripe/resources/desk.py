"""What a handler works with: the ledger, the time, and the object that the path names."""

from msgspec import Struct

from fakestripe.bank.ledger import Ledger


class Desk(Struct, frozen=True, gc=False):
    """The account as one request finds it; ``name`` is the id in the path, "" without one.

    ``part`` is the second id: ``/v1/charges/{name}/refunds/{part}``.
    """

    ledger: Ledger
    now: float
    name: str = ""
    part: str = ""

    @property
    def second(self) -> int:
        """The time as Stripe's objects carry it."""
        return int(self.now)
