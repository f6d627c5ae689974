"""Where a port listens: every address of its host, all of them on one number.

Sockets are bound here and do not listen yet. A number that is taken is told with its address.
"""

import errno
import socket
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

ABSENT: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""What an address of a family says that this machine has not: another one of the host will do."""


class Address(Struct, frozen=True):
    """Where a socket is bound, or is to be."""

    family: int
    place: tuple[Any, ...]


def all_bound(host: str, number: int) -> list[socket.socket]:
    """Return sockets bound to every address of a host; raises ``OSError`` where one is taken."""
    found: list[socket.socket] = []
    absent: OSError | None = None
    for address in _addresses(host, number):
        try:
            found.append(bound(_same_port(address, found)))
        except OSError as failure:
            if failure.errno in ABSENT:
                absent = failure
                continue
            for each in found:
                each.close()
            raise
    if absent is not None and not found:
        raise absent
    return found


def bound(address: Address) -> socket.socket:
    """Return a socket that has an address, and does not listen yet."""
    found = socket.socket(address.family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if address.family == socket.AF_INET6:
            found.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        found.settimeout(0)
        found.bind(address.place)
    except OSError as failure:
        found.close()
        host, number = address.place[:2]
        said = f"{host}:{number}: {(failure.strerror or str(failure)).lower()}"
        raise OSError(failure.errno, said) from None
    return found


def address_of(sock: socket.socket) -> Address:
    """Return where a socket is bound."""
    return Address(sock.family, sock.getsockname())


def _addresses(host: str, number: int) -> list[Address]:
    """Return every address of a host; an empty one is every interface."""
    found = socket.getaddrinfo(
        host or None, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return list(dict.fromkeys(Address(family, place) for family, _, _, _, place in found))


def _same_port(address: Address, before: Sequence[socket.socket]) -> Address:
    """Return an address with the port that the first one got."""
    if not before:
        return address
    host, _, *more = address.place
    return Address(address.family, (host, before[0].getsockname()[1], *more))
