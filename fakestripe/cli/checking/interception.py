"""How ``check`` and ``sweep`` ask for servers that stand in Stripe's place, and who those are.

Clients take the word of an authority of our own for ``api.stripe.com``, so a certificate of the
user's has no place beside it. One authority serves all runs.
"""

from argparse import Namespace
from typing import TYPE_CHECKING, Any, Final

from fakestripe.cli import tls_flags
from fakestripe.cli.flags import Flag
from fakestripe.cli.intercept_flags import host
from fakestripe.cli.usage import UsageError

if TYPE_CHECKING:
    from fakestripe.server.edge.tls import Identity

FLAGS: Final = (
    Flag(
        "--intercept",
        "lead COMMAND here where it calls https://api.stripe.com, by its environment alone",
        kind="switch",
    ),
    Flag(
        "--allow",
        "with --intercept: a host that COMMAND reaches all the same (HOST, HOST:PORT, "
        "*.example.com, *)",
        "HOST",
        host,
        kind="several",
    ),
)


def identity_of(args: Namespace, here: str) -> "Identity | None":
    """Return who the servers are under TLS, None without; raises ``UsageError``."""
    if args.allow and not args.intercept:
        raise UsageError("--allow opens hosts to who is led here: give --intercept too")
    if not args.intercept:
        return tls_flags.identity_of(args, here)
    if args.tls_cert or args.tls_key:
        raise UsageError(
            "--intercept needs certificates of a throw-away authority: leave out --tls-cert and "
            "--tls-key"
        )
    from pathlib import Path

    from fakestripe.server.edge.tls import Identity, TlsError

    try:
        return Identity.made(here, ca_file=Path(args.tls_ca_file) if args.tls_ca_file else None)
    except TlsError as wrong:
        raise UsageError(str(wrong)) from None


def standing(args: Namespace, identity: "Identity | None") -> dict[str, Any]:
    """Return what servers are asked for, as the fields of ``Asked``.

    Ports speak TLS themselves, also to who was not led here, only where that was asked for.
    """
    return {
        "identity": identity,
        "secure": bool(args.tls) if args.intercept else identity is not None,
        "intercept": args.intercept,
        "allow": tuple(args.allow),
    }
