"""The admin verbs about profiles, and how a body names one: by its name, or by its text.

No file of the server is read because a caller names its path.
"""

from typing import Any

from msgspec import json

from fakestripe import profiles
from fakestripe.bank.ids import account_id
from fakestripe.faults.limits import capped
from fakestripe.profiles.library import is_path
from fakestripe.server.accounts import Accounts
from fakestripe.server.admin.call import Call
from fakestripe.server.log import tell


def put_profile(call: Call) -> Any:
    """Set a profile: YAML or JSON text, or ``{"name": "commit-then-timeout"}``."""
    profile = profile_of(call.body, call.accounts)
    if call.for_port:
        call.accounts.use(profile)
    else:
        call.accounts.check_one(profile)
        for account in call.chosen:
            account.use(profile)
    tell("profile_set", profile=profile.name, account=call.account and account_id(call.account))
    return {"name": profile.name, "rules": len(profile.rules), "expect": list(profile.expect)}


def profile_of(body: Any, accounts: Accounts) -> profiles.Profile:
    """Return the profile that a body names or is, its hangs no longer than the port allows."""
    if isinstance(body, dict) and set(body) == {"name"}:
        found = named(str(body["name"]), accounts)
    else:
        text = body if isinstance(body, str) else json.encode(body).decode()
        found = profiles.parse(text, "profile")
    return found if accounts.max_hang is None else capped(found, accounts.max_hang)


def named(name: str, accounts: Accounts) -> profiles.Profile:
    """Return the profile of a name; raises ``ValueError`` for a path."""
    if is_path(name):
        raise ValueError(f"{name} is a path: send a profile's name, or its text")
    return profiles.load_profile(name, roots=accounts.folders)


def get_profile(call: Call) -> Any:
    """Return which profile is set, and which of its rules have fired."""
    return [
        {
            "account": account.bank.account,
            "name": account.profile.name,
            "fired": dict(account.bank.fired),
        }
        for account in call.chosen
    ]


def delete_profile(call: Call) -> Any:
    """Go on without faults."""
    if call.for_port or call.accounts.shared:
        call.accounts.drop_profile()
    else:
        for account in call.chosen:
            account.use(profiles.FAULT_FREE)
    tell("profile_dropped", account=call.account and account_id(call.account))
    return {"name": profiles.FAULT_FREE.name}
