"""How the command line asks for TLS, and the client of a server whose certificate nobody checks.

A throw-away authority by ``--tls``, or the user's own files; each half of a pair alone is refused.
"""

from argparse import Namespace
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fakestripe.cli.flags import Flag
from fakestripe.cli.usage import UsageError

if TYPE_CHECKING:
    from fakestripe.server.edge.tls import Identity

FLAGS: Final = (
    Flag(
        "--tls",
        "serve HTTPS, by a throw-away authority whose certificate is written",
        kind="switch",
    ),
    Flag("--tls-ca-file", "where to write its certificate; default: a temporary file", "FILE"),
    Flag("--tls-cert", "serve HTTPS with this certificate (PEM, chain included)", "FILE"),
    Flag("--tls-key", "the key of --tls-cert (PEM, no password)", "FILE"),
)


def secure(args: Namespace) -> bool:
    """Return whether the port itself speaks TLS: by its flag, or by files of nobody else."""
    files = args.tls_cert or args.tls_key or args.tls_ca_file
    return bool(args.tls or (files and not elsewhere(args)))


def elsewhere(args: Namespace) -> bool:
    """Return whether TLS is spoken beside the port: at a second one, or within tunnels."""
    return bool(getattr(args, "intercept", False)) or (
        getattr(args, "https_port", None) is not None
    )


def identity_of(args: Namespace, host: str) -> "Identity | None":
    """Return who the server is under TLS, None without; raises ``UsageError``."""
    certificate, key, ca_file = args.tls_cert, args.tls_key, args.tls_ca_file
    if not (secure(args) or certificate or key or elsewhere(args)):
        return None
    if bool(certificate) != bool(key):
        raise UsageError("--tls-cert and --tls-key are a pair: give both, or --tls alone")
    if certificate and ca_file:
        raise UsageError(
            "--tls-ca-file is where the certificate of a throw-away authority goes; "
            "with --tls-cert there is none"
        )
    from fakestripe.server.edge.tls import Identity, TlsError

    try:
        if certificate:
            return Identity.given(Path(certificate), Path(key))
        return Identity.made(host, ca_file=Path(ca_file) if ca_file else None)
    except TlsError as wrong:
        raise UsageError(str(wrong)) from None


def connection_to(scheme: str, host: str, port: int | None, patience: float) -> HTTPConnection:
    """Return a connection to a server of ours, whoever signed its certificate."""
    if scheme == "http":
        return HTTPConnection(host, port, timeout=patience)
    import ssl
    from http.client import HTTPSConnection

    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return HTTPSConnection(host, port, timeout=patience, context=context)
