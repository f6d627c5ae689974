"""Whom a proxy request is for: fakestripe in Stripe's place, another host, or nobody.

Nothing ever goes to a name under stripe.com, whatever is allowed and however it is written. An
address does not tell whose it is: no pattern matches one, it has to be allowed literally.
"""

import ipaddress
import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

STRIPE: Final = "api.stripe.com"
"""The host in whose place fakestripe answers."""
PORTS: Final = (443, 80)
"""Where it answers, under TLS and in the clear, and what a host without a port is allowed at."""
HIGHEST: Final = 65535

_LABEL: Final = r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?"
_NAME: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*", re.ASCII)
_NUMERIC: Final = re.compile(r"(.*\.)?(\d+|0x[0-9a-f]*)", re.ASCII)
"""What the system's look-up takes for an IPv4 address, however odd it is written."""
_LONGEST: Final = 253


class HostError(ValueError):
    """A text that names no host, or one that cannot be allowed: it says what to write."""


class Target(Struct, frozen=True):
    """A host as it is compared: lower case, no dot at the end, addresses in their short form."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def address(self) -> bool:
        """Whether it is an address, and not a name."""
        return _address(self.host) is not None

    @property
    def stripes(self) -> bool:
        """Whether it is a name of Stripe's."""
        return is_stripes(self.host)


class Pattern(Struct, frozen=True):
    """What ``--allow`` opens: a name, an address, all names under one (``*.``), or all (``*``)."""

    name: str
    ports: tuple[int, ...] = PORTS

    def matches(self, target: Target) -> bool:
        """Return whether it opens a target; a star never stands for an address."""
        if target.port not in self.ports:
            return False
        if not self.name.startswith("*"):
            return target.host == self.name
        return not target.address and target.host.endswith(self.name[1:])


class Hosts(Struct, frozen=True):
    """The hosts that a proxy tunnels to."""

    allowed: tuple[Pattern, ...] = ()

    @classmethod
    def allowing(cls, texts: Iterable[str]) -> "Hosts":
        """Return the hosts of ``--allow``; raises ``HostError``."""
        return cls(tuple(pattern_of(text) for text in texts))

    def refusal(self, target: Target) -> str | None:
        """Return why there is no tunnel to a target, with what opens it; None where there is."""
        if target.stripes:
            return (
                f"fakestripe never opens a tunnel to {target}: of stripe.com it answers "
                f"{STRIPE}, at 443 and 80, in Stripe's place, and nothing else is reached"
            )
        if any(pattern.matches(target) for pattern in self.allowed):
            return None
        return f"fakestripe opens no tunnel to {target}: --allow {opening(target)} opens it"


def opening(target: Target) -> str:
    """Return the value of ``--allow`` that opens a target."""
    return Target(target.host, target.port).host if _plain(target) else str(target)


def is_stripes(host: str) -> bool:
    """Return whether a name in lower case is under stripe.com."""
    return f".{host}".endswith(".stripe.com")


def target_of(text: str, port: int | None = None) -> Target:
    """Return what ``HOST:PORT`` names; ``port`` is meant where it names none.

    Raises ``HostError``: only ASCII is a name here, so that none turns into another on its way.
    """
    host, number = _split(text)
    if number is None:
        if port is None:
            raise HostError(f"{shown(text)} has no port: write HOST:PORT")
        return Target(_canonical(host, text), port)
    return Target(_canonical(host, text), number)


def pattern_of(text: str) -> Pattern:
    """Return what a value of ``--allow`` opens; raises ``HostError``."""
    host, number = _split(text.strip())
    star = "*" if host == "*" else "*." if host.startswith("*.") else ""
    name = star + _canonical(host.removeprefix(star), text) if host != "*" else "*"
    if is_stripes(name.removeprefix("*.")):
        raise HostError(f"{shown(text)}: nothing ever tunnels to stripe.com")
    return Pattern(name, PORTS if number is None else (number,))


def shown(text: str) -> str:
    """Return a text that a stranger wrote as it may be shown: short, and on one line."""
    return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _plain(target: Target) -> bool:
    return target.port in PORTS and ":" not in target.host


def _split(text: str) -> tuple[str, int | None]:
    """Return host and port of a text, the brackets of an IPv6 address taken off."""
    found = re.fullmatch(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::(\d{1,5}))?", text, re.ASCII)
    if found is None or (found[2] is not None and not 0 < int(found[2]) <= HIGHEST):
        raise HostError(f"{shown(text)} is not HOST:PORT")
    return found[1], None if found[2] is None else int(found[2])


def _canonical(host: str, text: str) -> str:
    if host.startswith("["):
        return _six(host[1:-1], text)
    name = host.lower().rstrip(".") if host.isascii() else ""
    if _NUMERIC.fullmatch(name):
        address = _address(name)
        if address is None:
            raise HostError(f"{shown(text)}: write the address as four decimal numbers")
        return address
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise HostError(f"{shown(text)} names no host")
    return name


def _six(host: str, text: str) -> str:
    try:
        return str(ipaddress.IPv6Address(host))
    except ValueError:
        raise HostError(f"{shown(text)} names no host") from None


def _address(host: str) -> str | None:
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None
