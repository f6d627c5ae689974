"""What makes a client trust the throw-away authority without distrusting everybody else.

Most variables and the JVM's trust store name the only authorities there are: a client that also
calls others needs the public ones beside ours. They are those of this machine, as far as it has
any. Cryptography is loaded for the JVM's store alone.
"""

import re
import ssl
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

PASSWORD: Final = "changeit"  # noqa: S105  # of every JVM's own store; nothing in it is secret
BUNDLES: Final = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""Where systems keep the public authorities: Debian and Alpine, Red Hat, SUSE, BSD and macOS."""
NAME: Final = b"fakestripe"
ROUNDS: Final = 10_000
_PEM: Final = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?", re.DOTALL)


def bundle(ours: bytes) -> bytes:
    """Return the public authorities of this machine and ours, as one text of PEM."""
    return b"".join((*public(), ours))


def public() -> Iterator[bytes]:
    """Yield the public authorities of this machine in PEM, each once; none where it has none."""
    paths = ssl.get_default_verify_paths()
    for path in (paths.cafile, *BUNDLES):
        found = dict.fromkeys(_PEM.findall(_read(path)))
        if found:
            yield from (each if each.endswith(b"\n") else each + b"\n" for each in found)
            return


def store(ours: bytes) -> bytes:
    """Return a trust store that every JVM reads (PKCS #12), with the public authorities and ours.

    A JVM takes a certificate for trusted only with an attribute of its own; two of one name would
    be one. It is locked as old ones can unlock it: there is nothing in it to keep secret.
    """
    from cryptography import x509  # noqa: PLC0415  # only if asked
    from cryptography.hazmat.primitives.hashes import SHA1  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        PrivateFormat,
        pkcs12,
    )

    authorities = [(NAME, x509.load_pem_x509_certificate(ours))]
    with warnings.catch_warnings(action="ignore"):  # some of the old ones break a rule
        for number, pem in enumerate(public(), 1):
            with suppress(ValueError):  # one that our cryptography does not read
                found = x509.load_pem_x509_certificate(pem)
                authorities.append((b"public-%d" % number, found))
    lock = (
        PrivateFormat.PKCS12.encryption_builder()
        .kdf_rounds(ROUNDS)
        .key_cert_algorithm(pkcs12.PBES.PBESv1SHA1And3KeyTripleDESCBC)
        .hmac_hash(SHA1())  # noqa: S303  # what a JVM of 2014 knows
        .build(PASSWORD.encode())
    )
    certificates = [pkcs12.PKCS12Certificate(each, name) for name, each in authorities]
    return pkcs12.serialize_java_truststore(certificates, lock)


def _read(path: str | None) -> bytes:
    try:
        return b"" if path is None else Path(path).read_bytes()
    except OSError:
        return b""
