"""A fault in the words of a profile, for the journal, the timeline and ``profiles show``.

A table from the kind of a fault to what is told of its arguments; one that is not in it is told by
its word alone.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from fakestripe.faults import kinds
from fakestripe.protocol.duration import word

Words: TypeAlias = tuple[str, ...]


def shown(fault: kinds.Fault) -> str:
    """Return a fault in the words of a profile."""
    tell = TOLD.get(type(fault))
    return " ".join((kinds.tag(fault), *(tell(fault) if tell else ())))


def _ending(fault: kinds.Reset | kinds.Close) -> Words:
    return _after(fault.body)


def _hang(fault: kinds.Hang) -> Words:
    return (*_for(fault.seconds), *_after(fault.body))


def _wait(fault: kinds.Wait) -> Words:
    return ("until the client has left",) if fault.until_left else (word(fault.seconds),)


def _reply(fault: kinds.Reply) -> Words:
    if fault.stripe is None:
        return (str(fault.status),)
    return (fault.stripe, "recorded") if fault.record == "substitute" else (fault.stripe,)


def _truncate(fault: kinds.Truncate) -> Words:
    where, amount = ("body", fault.body) if fault.head is None else ("head", fault.head)
    return where, _share(amount or 0), "then", fault.then


def _window(fault: kinds.Refuse | kinds.Blackhole) -> Words:
    begins = ("after", word(fault.after)) if fault.after else ()
    return ("for", word(fault.seconds), *begins)


def _after(amount: float | None) -> Words:
    """Return after how much of the request's body: a bare number would be taken for seconds."""
    if amount is None:
        return ()
    unit = "of" if isinstance(amount, float) else "bytes of"
    return ("after", _share(amount), unit, "the body")


def _for(seconds: float | None) -> Words:
    return () if seconds is None else (word(seconds),)


def _share(amount: float) -> str:
    """Return a fraction as a percentage, a number of bytes as it is."""
    return f"{amount:.0%}" if isinstance(amount, float) else str(amount)


TOLD: Final[dict[type[Any], Callable[[Any], Words]]] = {
    kinds.Refuse: _window,
    kinds.Blackhole: _window,
    kinds.Reset: _ending,
    kinds.Close: _ending,
    kinds.Hang: _hang,
    kinds.Wait: _wait,
    kinds.Reply: _reply,
    kinds.Truncate: _truncate,
    kinds.Drip: lambda fault: (f"{fault.size} bytes every", word(fault.every)),
    kinds.Garble: lambda fault: (_share(fault.body),),
    kinds.ContentLength: lambda fault: (_share(fault.says),),
    kinds.Barrier: lambda fault: (str(fault.parties),),
    kinds.AdvanceClock: lambda fault: (word(fault.seconds),),
}
