"""Whose a request is: found by its key, refused where nobody can be found, on a path of its own.

What no account can be found for (no key, a live key, a publishable one, a vault key that nobody
made) is journalled under the account that stands for the port. A restricted key that nobody made
is as good as a secret one.
"""

from fakestripe.protocol import refusals
from fakestripe.protocol.further_key import kind_of
from fakestripe.protocol.headers import bearer, mask, refused_account, refused_key
from fakestripe.protocol.request import Request
from fakestripe.server.accounts import SHARED, Accounts
from fakestripe.server.keyring import Guest, Keyring, Refusal
from fakestripe.server.log import warn


def guest_of(request: Request, accounts: Accounts) -> Guest:
    """Return whose a request is, its further key, and why it is refused, if it is."""
    found = _of_key(request, accounts)
    name = request.header("stripe-account")
    if name is None or found[2] is not None:
        return found
    account, holder, _ = found
    refused = refused_account(name, bearer(request) or "")
    return (account, holder, refused) if refused else (account.connected(name), holder, None)


def _of_key(request: Request, accounts: Accounts) -> Guest:
    digest, keyring = hash(request.header("authorization")), accounts.keyring  # as of a key
    known = keyring.welcome.get(digest)
    if known is not None:
        return known
    if accounts.shared:
        accounts.anyone()  # where a reset has forgotten it, it begins anew with its profile's keys
    key = bearer(request)
    refused: Refusal | None = refused_key(key)
    if refused is None and key is not None:
        refused = unmade(key, keyring)
    if refused is not None or key is None:
        warn("key_refused", method=request.method, path=request.path, key=mask(key or ""))
        return accounts.anyone(), None, refused
    account = accounts.named(SHARED if accounts.shared else key)
    found = keyring.welcome[digest] = account, keyring.holder(key), None
    return found


def unmade(key: str, keyring: Keyring) -> refusals.ProxyRefusal | None:
    """Return the refusal of a vault key that nobody has made: without its rules it is nothing."""
    if kind_of(key) != "vault" or keyring.holder(key) is not None:
        return None
    return refusals.unknown_key(mask(key))
