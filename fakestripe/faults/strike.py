"""From a fault to what happens: effects for the wire, substitutes for the reply.

One small function per kind of fault; the exchange calls ``effects`` at a point and goes on with
what comes back.
"""

from typing import Final

from fakestripe.faults import kinds, rules
from fakestripe.protocol import duration
from fakestripe.protocol.effects import Barrier, Close, Cut, Effect, Hang, Reset, Wait, part
from fakestripe.protocol.errors import StripeError, canned
from fakestripe.protocol.reply import REASONS, Reply

GATEWAY_STATUSES: Final = frozenset({500, 502, 503, 504})
"""Answered with a gateway's page where a profile gives neither a body nor headers."""

GATEWAY: Final = (
    "<html>\r\n<head><title>{status} {reason}</title></head>\r\n<body>\r\n"
    "<center><h1>{status} {reason}</h1></center>\r\n<hr><center>nginx</center>\r\n"
    "</body>\r\n</html>\r\n"
)


def effect_of(fault: kinds.Fault, rule: rules.Rule, operation: str | None) -> Effect | None:
    """Return what a fault of the wire does; None for one that changes memory or the reply."""
    match fault:
        case kinds.Wait(seconds):
            return Wait(seconds)
        case kinds.Barrier(parties, timeout, by):
            name = rule.name if by == "any" else f"{rule.name}:{operation}"
            return Barrier(name, parties, timeout)
        case kinds.Hang(seconds):
            return Hang(seconds)
        case kinds.Reset():
            return Reset()
        case kinds.Close():
            return Close()
        case _:
            return None


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


def shown(fault: kinds.Fault) -> str:
    """Return a fault in the words of a profile, for the journal and the timeline."""
    told = (kinds.tag(fault), *_told(fault))
    return " ".join(told)


def _told(fault: kinds.Fault) -> tuple[str, ...]:
    match fault:
        case kinds.Hang(float(seconds)) | kinds.Wait(seconds) | kinds.AdvanceClock(seconds):
            return (duration.word(seconds),)
        case kinds.Reply(stripe=str(name), record=record):
            return (name, "recorded") if record == "substitute" else (name,)
        case kinds.Reply(status=status):
            return (str(status),)
        case kinds.Barrier(parties=parties):
            return (str(parties),)
        case kinds.Truncate(then=then):
            return (*_part(fault), "then", then)
        case _:
            return ()


def _part(fault: kinds.Truncate) -> tuple[str, str]:
    where = "body" if fault.head is None else "head"
    amount = fault.body if fault.head is None else fault.head
    shown = f"{amount:.0%}" if isinstance(amount, float) else str(amount or 0)
    return where, shown
