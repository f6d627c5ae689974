"""Who the server is under TLS: a throw-away authority's word, or certificate files of the user.

Nothing here is loaded unless TLS is asked for: trustme and its cryptography cost a start-up. The
authority lives as long as the server; its key is never written, its certificate is, because
clients must be told to trust it.
"""

import os
import ssl
import sys
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Final, NoReturn, Self

NAMES: Final = ("localhost", "127.0.0.1", "::1", "api.stripe.com")
"""The names that a throw-away certificate is always good for."""

EVERYWHERE: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  # what a host may be, not a bind
INSTALL: Final = "TLS needs trustme, which is not installed: pip install 'fakestripe[tls]'"


class TlsError(ValueError):
    """Why there can be no TLS, and the remedy."""


class Identity:
    """What a server shows its clients, and by what they can trust it, if we made it."""

    def __init__(
        self, context: ssl.SSLContext, ca_file: str | None = None, ca_pem: bytes | None = None
    ) -> None:
        context.set_alpn_protocols(["http/1.1"])
        self.context, self.ca_file, self.ca_pem = context, ca_file, ca_pem
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @classmethod
    def made(cls, *hosts: str, ca_file: Path | None = None) -> Self:
        """Return the identity of a throw-away authority, good for ``hosts`` beside ``NAMES``.

        Its certificate goes to ``ca_file``, or to a folder that ``close`` removes; where there is
        nowhere to write, as in a read-only container, to no file. Raises ``TlsError`` where
        trustme is missing or ``ca_file`` cannot be written.
        """
        try:
            import trustme  # noqa: PLC0415  # an extra, and a tenth of a second
        except ImportError:
            raise TlsError(INSTALL) from None
        authority = trustme.CA()
        names = dict.fromkeys((*NAMES, *(host for host in hosts if host not in EVERYWHERE)))
        context = _context()
        _show(context, authority.issue_cert(*names).private_key_and_cert_chain_pem.bytes())
        folder, pem = None, authority.cert_pem.bytes()
        if ca_file is None:
            folder = _folder()
            ca_file = None if folder is None else Path(folder.name) / "ca.pem"
        try:
            if ca_file is not None:
                ca_file.write_bytes(pem)
        except OSError as failure:
            raise TlsError(f"{ca_file}: {failure.strerror}") from None
        identity = cls(context, None if ca_file is None else str(ca_file.absolute()), pem)
        identity._folder = folder
        return identity

    @classmethod
    def given(cls, certificate: Path, key: Path) -> Self:
        """Return the identity that two PEM files give; raises ``TlsError`` where they do not."""
        for path in (certificate, key):
            try:
                path.read_bytes()
            except OSError as failure:
                raise TlsError(f"{path}: {failure.strerror}") from None
        context = _context()
        try:
            context.load_cert_chain(certificate, key, password=_locked)
        except TlsError:
            raise TlsError(f"{key} is locked with a password: give a key without one") from None
        except ssl.SSLError as wrong:
            raise TlsError(_mismatch(certificate, key, wrong)) from None
        return cls(context)

    @cached_property
    def bundle_file(self) -> str | None:
        """The authority and the public ones, for clients that call others too; None without."""
        from fakestripe.server.intercept import trust  # noqa: PLC0415  # only if asked

        return self._written("bundle.pem", trust.bundle)

    @cached_property
    def store_file(self) -> str | None:
        """The same as a trust store of the JVM (PKCS #12)."""
        from fakestripe.server.intercept import trust  # noqa: PLC0415  # only if asked

        return self._written("trust.p12", trust.store)

    def _written(self, name: str, made: Callable[[bytes], bytes]) -> str | None:
        """Return a file of ours that holds what is made of the authority's certificate."""
        if self.ca_pem is None:
            return None
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="fakestripe-")
        path = Path(self._folder.name) / name
        path.write_bytes(made(self.ca_pem))
        return str(path)

    def close(self) -> None:
        """Remove what was written, unless a file was asked for; safe to call twice."""
        if self._folder is not None:
            self._folder.cleanup()


def _context() -> ssl.SSLContext:
    return ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)


def _folder() -> "tempfile.TemporaryDirectory[str] | None":
    """Return a folder of our own, None where nothing can be written."""
    try:
        return tempfile.TemporaryDirectory(prefix="fakestripe-")
    except OSError:
        return None


def _show(context: ssl.SSLContext, pem: bytes) -> None:
    """Load a key with its certificates, which OpenSSL reads from files alone.

    On Linux the file is in memory: the key is never written, and a read-only system will do.
    """
    if sys.platform == "linux":
        with os.fdopen(os.memfd_create("fakestripe"), "wb") as file:
            file.write(pem)
            file.flush()
            context.load_cert_chain(f"/proc/self/fd/{file.fileno()}")
        return
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(pem)
        file.flush()
        context.load_cert_chain(file.name)


def _locked() -> NoReturn:
    """Stand where OpenSSL would ask the terminal for a password."""
    raise TlsError


def _mismatch(certificate: Path, key: Path, wrong: ssl.SSLError) -> str:
    if wrong.reason == "KEY_VALUES_MISMATCH":
        return f"{key} is not the key of the certificate in {certificate}"
    why = f": {wrong.reason}" if wrong.reason else ""
    return f"{certificate} and {key} are no certificate and its key, in PEM{why}"
