"""How the command line asks for a proxy in Stripe's place, and what else that may tunnel to."""

from argparse import ArgumentTypeError, Namespace
from typing import Final

from fakestripe.cli.flags import Flag
from fakestripe.cli.usage import UsageError


def host(text: str) -> str:
    """Read a host that may be tunnelled to; nothing of stripe.com ever is."""
    from fakestripe.server.intercept.hosts import HostError, pattern_of

    try:
        pattern_of(text)
    except HostError as wrong:
        raise ArgumentTypeError(str(wrong)) from None
    return text


def check(args: Namespace) -> None:
    """Refuse hosts that are opened to nobody."""
    if args.allow and not args.intercept:
        raise UsageError("--allow opens hosts to clients of the proxy: give --intercept too")


FLAGS: Final = (
    Flag(
        "--intercept",
        "be an HTTP proxy too, for which api.stripe.com is this server",
        kind="switch",
    ),
    Flag(
        "--allow",
        "other host that the proxy tunnels to (HOST, HOST:PORT, *.example.com, *; without a port "
        "443 and 80); several are several flags",
        "HOST",
        host,
        kind="several",
    ),
)
