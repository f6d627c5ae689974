"""Who may come in by which name: pages of other origins may not, and a token may be asked for.

A browser lets any page send requests to any server, loopback included, and a name that resolves
to loopback makes a page of its own origin. So a request that a foreign page sends is refused
before anything is done or journalled, and the admin side answers only by names that no stranger
can own: addresses, names without a dot, names of reserved zones, and those that were given.
A service that calls by its SDK sends none of the marks of a browser and meets none of this.
"""

from collections.abc import Mapping
from hmac import compare_digest
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

KNOWN: Final = frozenset({"api.stripe.com"})
"""Names with a dot that are ours: a client may know no other host than Stripe's."""
FOREIGN: Final = frozenset({"cross-site", "same-site"})
"""What ``Sec-Fetch-Site`` says of a page of another origin."""
RESERVED: Final = (".localhost", ".internal", ".test", ".svc", ".svc.cluster.local")
"""Zones in which the public DNS has no names."""
TOKEN: Final = "Fakestripe-Admin-Token"  # noqa: S105  # the name of a header
COOKIE: Final = "fakestripe-admin-token"
PAGE: Final = "/_fakestripe/"
"""Where a link from elsewhere may lead; what is asked for anywhere else leaves a trace."""
SAID: Final = "a page of another origin may neither read nor change anything here"


class Guard(Struct, frozen=True):
    """``token`` is asked for on the admin side, where set; ``hosts`` are more names of ours."""

    token: str | None = None
    hosts: frozenset[str] = frozenset()

    def foreign(self, headers: Mapping[str, str], path: str) -> str | None:
        """Return why a request of a browser is refused; None for any other, and for our pages."""
        origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site")
        if origin is None and site is None and "Mozilla" not in headers.get("User-Agent", ""):
            return None
        host = headers.get("Host", "")
        if origin is None:
            foreign = site in FOREIGN and not (path == PAGE and _follows_a_link(headers))
        else:
            foreign = site in FOREIGN or origin.partition("://")[2] != host
        return SAID if foreign else self.stranger(host)

    def stranger(self, host: str) -> str | None:
        """Return why a ``Host`` is not answered by the admin side, or None."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return "this server does not answer by a name that is none"
        if "." not in name or name in KNOWN or name in self.hosts or name.endswith(RESERVED):
            return None
        try:
            ip_address(name)
        except ValueError:
            return f"this server does not answer by the name {name}: add --admin-host {name}"
        return None

    def lacks(self, headers: Mapping[str, str], cookie: str | None) -> bool:
        """Return whether a call does not carry the token that is asked for."""
        if self.token is None:
            return False
        given = headers.get(TOKEN) or cookie or ""
        return not compare_digest(given.encode(errors="replace"), self.token.encode())


def _follows_a_link(headers: Mapping[str, str]) -> bool:
    """Return whether a person comes here by a link: what she sees no page can read."""
    kinds = headers.get("Sec-Fetch-Mode"), headers.get("Sec-Fetch-Dest")
    return kinds == ("navigate", "document")


OPEN: Final = Guard()
