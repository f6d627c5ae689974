"""How the ports of a server are reached, and how one of them is, once it listens.

Values only: the front makes them true, the admin side tells of them.
"""

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from fakestripe.server.edge.tls import Identity
    from fakestripe.server.intercept.hosts import Hosts


class Ways(Struct, frozen=True):
    """Where the ports of a server are bound, and who they are under TLS.

    ``secure``: a port itself speaks TLS. ``hosts``: it is an HTTP proxy too, and to whom else than
    Stripe it opens tunnels; None where it is none.
    """

    host: str
    identity: "Identity | None" = None
    secure: bool = False
    hosts: "Hosts | None" = None


class Reached(Struct, frozen=True):
    """The numbers by which one port is reached; ``https_number`` is of its second door."""

    ways: Ways
    number: int
    https_number: int | None = None

    @property
    def secure_number(self) -> int | None:
        """The number at which it answers under TLS, None where it does not."""
        if self.ways.secure or self.ways.hosts is not None:
            return self.number
        return self.https_number
