"""The admin verbs by which a client comes to trust this server, and to be led to it.

They tell what is public, and so they need neither key nor token: the authority's certificate, a
trust store with it, and a script that another container sources.
"""

import asyncio
from typing import Any, Final

from fakestripe.server.admin.call import NOT_FOUND, AdminError, Call, Text
from fakestripe.server.edge.ways import Reached

PEM: Final = "application/x-pem-file"
PKCS12: Final = "application/x-pkcs12"
NOWHERE: Final = (
    "an authority of its own is what serve --intercept, --https-port or --tls gives this server; "
    "it has none"
)
EVERYONE: Final = "all"


def ca_pem(call: Call) -> Any:
    """Return the certificate of the throw-away authority."""
    return Text(_authority(call), PEM)


async def ca_p12(call: Call) -> Any:
    """Return a trust store of the JVM: the public authorities of this machine, and ours."""
    from fakestripe.server.intercept import trust  # noqa: PLC0415  # only if asked

    return Text(await asyncio.to_thread(trust.store, _authority(call)), PKCS12)


def env(call: Call) -> Any:
    """Return the script that leads the programs of whoever sources it here."""
    from fakestripe.server.intercept import script  # noqa: PLC0415  # only if asked
    from fakestripe.server.intercept.variables import NAMES  # noqa: PLC0415

    client = call.query.get("for", EVERYONE)
    if client not in (*NAMES, EVERYONE):
        raise ValueError(f"for={client}: there are {', '.join((*NAMES, EVERYONE))}")
    authority = _authority(call)
    return Text(script.script(_asked(call, client), authority))


def _asked(call: Call, client: str) -> Any:
    """Return what a script is to lead to; by the name by which the call itself came here."""
    from fakestripe.server.intercept.hosts import Target, target_of  # noqa: PLC0415
    from fakestripe.server.intercept.script import Asked  # noqa: PLC0415

    reached = _reached(call)
    default = 443 if call.secure else 80
    came = target_of(call.netloc, default)
    if came.stripes:
        raise ValueError(f"ask by the server's own name: {came.host} is what it leads here")
    if reached.secure_number is None:
        raise AdminError(NOWHERE, NOT_FOUND)
    ways, second = reached.ways, reached.secure_number != reached.number
    by_second = call.secure and not ways.secure
    at = Target(came.host, reached.number if by_second else came.port)
    place = Target(came.host, reached.secure_number) if second else at
    scheme = "https" if ways.secure else "http"
    return Asked(
        client=client,
        url=f"{scheme}://{at}/_fakestripe/",
        place=str(place),
        host=came.host,
        proxy=None if ways.hosts is None else f"http://{at}",
    )


def _reached(call: Call) -> Reached:
    if call.port.reached is None:
        raise AdminError(NOWHERE, NOT_FOUND)
    return call.port.reached


def _authority(call: Call) -> bytes:
    identity = _reached(call).ways.identity
    if identity is None:
        raise AdminError(NOWHERE, NOT_FOUND)
    if identity.ca_pem is None:
        raise AdminError("the certificate is one of your own (--tls-cert): trust it", NOT_FOUND)
    return identity.ca_pem
