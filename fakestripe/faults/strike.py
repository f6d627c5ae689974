"""From a fault to what happens: effects for the wire, substitutes for the reply.

One small function per kind of fault; the exchange calls ``effects`` at a point and goes on with
what comes back.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec import structs

from fakestripe.faults import kinds, rules
from fakestripe.protocol.effects import (
    Barrier,
    Close,
    Cut,
    Drip,
    Effect,
    Hang,
    Misframe,
    Resend,
    Reset,
    Send,
    Wait,
    part,
)
from fakestripe.protocol.errors import StripeError, canned
from fakestripe.protocol.reply import REASONS, Reply

Sending: TypeAlias = Send | Cut | Drip | Misframe

GATEWAY_STATUSES: Final = frozenset({500, 502, 503, 504})
"""Answered with a gateway's page where a profile gives neither a body nor headers."""

GATEWAY: Final = (
    "<html>\r\n<head><title>{status} {reason}</title></head>\r\n<body>\r\n"
    "<center><h1>{status} {reason}</h1></center>\r\n<hr><center>nginx</center>\r\n"
    "</body>\r\n</html>\r\n"
)


def effect_of(fault: kinds.Fault, rule: rules.Rule, operation: str | None) -> Effect | None:
    """Return what a fault of the wire does; None for one that changes memory or the reply."""
    if isinstance(fault, kinds.Barrier):
        name = rule.name if fault.by == "any" else f"{rule.name}:{operation}"
        return Barrier(name, fault.parties, fault.timeout, rule.name)
    make = EFFECTS.get(type(fault))
    return None if make is None else make(fault)


EFFECTS: Final[dict[type[Any], Callable[[Any], Effect]]] = {
    kinds.Wait: lambda fault: Wait(fault.seconds, fault.until_left),
    kinds.Hang: lambda fault: Hang(fault.seconds),
    kinds.Reset: lambda _: Reset(),
    kinds.Close: lambda _: Close(),
    kinds.Resend: lambda _: Resend(),
}
"""Faults of the wire that need no more than their own arguments."""


def sent(fault: kinds.Fault, reply: Reply, another: Callable[[Reply], Reply]) -> Sending:
    """Return how a reply is sent under a fault; ``another`` gives it another charge's body."""
    size = len(reply.body)
    match fault:
        case kinds.Truncate():
            return cut(fault, reply)
        case kinds.Drip(pieces, every):
            return Drip(reply, pieces, every)
        case kinds.Garble(body):
            broken = reply.body[: part(body, size)]
            return Send(structs.replace(reply, body=broken, altered=len(broken) < size))
        case kinds.ContentLength(says):
            length = int(size * says) if isinstance(says, float) else says
            return Misframe(structs.replace(reply, altered=length != size), length)
        case kinds.Swap():
            return Send(another(reply))
        case _:
            return Send(reply)


def cut(fault: kinds.Truncate, reply: Reply) -> Cut:
    """Return the truncation of a reply; fractions of the body are made bytes."""
    body = 0 if fault.body is None else part(fault.body, len(reply.body))
    return Cut(
        reply,
        head=fault.head,
        body=body,
        framing=fault.framing,
        then=fault.then,
        hang=fault.hang,
    )


def substitute(fault: kinds.Reply) -> Reply | StripeError:
    """Return what is answered in place of the truth: an error of Stripe's, or raw bytes."""
    headers = tuple(fault.headers.items())
    if fault.stripe is not None:
        error = canned(fault.stripe)
        error.headers = (*error.headers, *headers)
        return error
    status = fault.status or 200
    if status in GATEWAY_STATUSES and not (fault.body or headers):
        return gateway_page(status)
    body = fault.body.encode()
    return Reply(status=status, body=body, headers=headers, altered=True, origin="edge")


def gateway_page(status: int) -> Reply:
    """Return the HTML page of a gateway."""
    page = GATEWAY.format(status=status, reason=REASONS.get(status, "Error"))
    return Reply(
        status=status,
        body=page.encode(),
        headers=(("Content-Type", "text/html"),),
        altered=True,
        origin="edge",
    )
