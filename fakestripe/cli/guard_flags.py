"""The flags of the admin side: the token that it asks for, and the names that it answers by."""

import re
from argparse import ArgumentTypeError, Namespace
from typing import TYPE_CHECKING, Final

from fakestripe.cli.flags import Flag

if TYPE_CHECKING:
    from fakestripe.server.guard import Guard

_NAME: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?", re.ASCII)
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=-]{8,200}", re.ASCII)


def token(text: str) -> str:
    """Read a token that a header and a cookie can carry."""
    if not _TOKEN.fullmatch(text):
        raise ArgumentTypeError("a token is 8 to 200 letters, digits and ._~+/=-")
    return text


def name(text: str) -> str:
    """Read a name as a ``Host`` has it, without its port."""
    if not _NAME.fullmatch(text):
        raise ArgumentTypeError(f"{text!r} is no name such as stripe.example.com")
    return text


TOKEN: Final = Flag(
    "--admin-token", "what admin calls must carry as Fakestripe-Admin-Token", "TOKEN", token
)
FLAGS: Final = (
    TOKEN,
    Flag(
        "--admin-host",
        "a further name that admin calls may reach it by; several are several flags",
        "NAME",
        name,
        kind="several",
    ),
)


def guard_of(args: Namespace) -> "Guard":
    """Return who may come in."""
    from fakestripe.server.guard import Guard

    hosts = frozenset(name.lower().rstrip(".") for name in (*args.admin_host, args.host))
    return Guard(args.admin_token, hosts)
