"""The admin verbs about further ports of the same server.

Opening a port touches no account, so it needs no key. One that was opened with a key is that
key's: it is listed and closed with it, or with ``?scope=port``.
"""

from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct, convert

from fakestripe import profiles
from fakestripe.bank.ids import account_id
from fakestripe.faults.rules import MOST_CUSTOMERS, Customers
from fakestripe.server.accounts import SHARED, Accounts
from fakestripe.server.admin.call import CONFLICT, NOT_FOUND, AdminError, Call
from fakestripe.server.admin.profile_verbs import profile_of
from fakestripe.server.ports import Further, PortError, Ports

HIGHEST: Final = 65535
EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104  # told apart, not bound


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What the body of ``POST ports`` may say."""

    profile: str | dict[str, Any] | None = None
    customers: Customers | None = None
    port: int = 0
    seed: int | None = None
    shared: bool = True


async def post_ports(call: Call) -> Any:
    """Open a further port: ``{"profile": …, "port": 0}`` and more, or nothing at all."""
    ports, asked = _ports(call), _asked(call.body)
    profile = _profile(asked.profile, ports.main)
    if profile is not None:
        ports.main.check(profile, shared=asked.shared)

    def make(name: str) -> Accounts:
        return ports.main.further(
            name, shared=asked.shared, customers=asked.customers, seed=asked.seed
        )

    try:
        opened = await ports.open(make, asked.port, _owner(call))
    except PortError as refused:
        raise AdminError(str(refused), refused.status) from None
    if profile is not None:
        opened.accounts.use(profile)
    if asked.shared:
        opened.accounts.named(SHARED)
    return _shown(opened, call)


def get_ports(call: Call) -> Any:
    """Return the further ports: those of the key, or without one all of them."""
    owner = _owner(call)
    return [_shown(each, call) for each in _ports(call) if owner is None or each.owner == owner]


async def delete_port(call: Call) -> Any:
    """Close a further port; what it serves ends."""
    ports, number = _ports(call), int(call.argument[:6])
    if any(each.number == number and each.accounts is call.accounts for each in ports):
        raise AdminError(f"port {number} cannot close itself: ask the server's own", CONFLICT)
    try:
        closed = await ports.close(number, _owner(call), anybody=call.for_port)
    except PortError as refused:
        raise AdminError(str(refused), refused.status) from None
    return {**_shown(closed, call), "closed": True}


def _ports(call: Call) -> Ports:
    if call.port.ports is None:
        said = "an application has no further ports: use fakestripe serve, or the fixture"
        raise AdminError(said, NOT_FOUND)
    return call.port.ports


def _owner(call: Call) -> str | None:
    """Return the account of the key that a call came with; a port of one's own has no keys."""
    if call.key is None or call.accounts.shared:
        return None
    known = call.accounts.known(call.key)  # by a further key too
    return known[0].bank.account if known else account_id(call.key)


def _shown(further: Further, call: Call) -> dict[str, Any]:
    return {"port": further.number, "url": _reached(further.url, call.host), "id": further.id}


def _reached(url: str, host: str | None) -> str:
    """Return a URL that the caller can use: by a name, where the port is bound everywhere.

    The name is the one by which the call reached us, such as that of a container.
    """
    parts = urlsplit(url)
    if parts.hostname not in EVERYWHERE or not host:
        return url
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}:{parts.port}"


def _asked(body: Any) -> Asked:
    asked = convert({} if body in (None, "") else body, Asked)
    if not 0 <= asked.port <= HIGHEST:
        raise ValueError(f"port={asked.port}: write a number from 0 to {HIGHEST}")
    if asked.seed is not None and asked.seed < 0:
        raise ValueError(f"seed={asked.seed}: write 0 or more")
    if isinstance(asked.customers, int) and not 1 <= asked.customers <= MOST_CUSTOMERS:
        raise ValueError(f"customers={asked.customers}: ask for 1 to {MOST_CUSTOMERS}")
    return asked


def _profile(asked: Any, accounts: Accounts) -> profiles.Profile | None:
    """Return the profile that a body asks for: a name, its text, or itself."""
    if asked is None:
        return None
    is_name = isinstance(asked, str) and not set(asked) & set(":\n{")
    return profile_of({"name": asked} if is_name else asked, accounts)
