"""What each field says alone may be legal, and the rule still make no sense: refused here.

A fault at a point where it cannot strike, a selection that no request can meet, a fault after
one that ended the exchange. What is refused here would never fire, or not do what it says.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

from fakestripe.faults import kinds, rules
from fakestripe.faults.kinds import FINAL, LEGAL, Fault, tag
from fakestripe.faults.rules import Match, When
from fakestripe.profiles.place import Place
from fakestripe.profiles.problems import listed
from fakestripe.protocol.points import ORDER

Struck: TypeAlias = tuple[tuple[Fault, Place], ...]

UNKNOWN: Final[dict[str, tuple[frozenset[str], frozenset[str], str]]] = {
    "listen": (frozenset({"any"}), frozenset(), "the kernel answers, and nothing is counted"),
    "accept": (
        frozenset({"any"}),
        frozenset({"nth", "times"}),
        "nothing has been read, only connections are counted",
    ),
    "reading": (
        frozenset({"any", "method", "path", "headers", "idempotency_key", "account"}),
        frozenset({"nth", "times", "connection", "request_on_connection"}),
        "the parameters have not been read",
    ),
}
"""Of the points before ``received``: what ``match`` and ``when`` may name, and why no more."""
EXECUTED: Final = frozenset({"claimed", "committed"})
KEY_FAULTS: Final = (kinds.ForgetKey, kinds.ExpireKey, kinds.LoseRecord)
FORGETTING: Final = (*KEY_FAULTS, kinds.AdvanceClock)


def check_rule(at: str, struck: Struck, match: Match, when: When, place: Place) -> None:
    """Note everything about a rule that makes no sense."""
    for fault, where in struck:
        if at not in LEGAL[tag(fault)]:
            points = listed(sorted(LEGAL[tag(fault)], key=ORDER.__getitem__))
            where.wrong(f"{tag(fault)} cannot strike at {at}; it can at {points}")
    for fault, where in struck[:-1]:
        if tag(fault) in FINAL:
            where.wrong(f"nothing can follow {tag(fault)}: it ends the exchange")
    for fault, where in struck:
        for message in _alone(at, fault, match):
            where.wrong(message)
    for field, message in _selection(at, match, when):
        place.at(field).wrong(message)


def _alone(at: str, fault: Fault, match: Match) -> Iterator[str]:
    """Yield why a legal fault does nothing here."""
    if isinstance(fault, kinds.Reply) and fault.record == "substitute" and at == "received":
        yield "record: substitute needs a claimed key: at claimed or committed"
    if isinstance(fault, KEY_FAULTS) and match.idempotency_key == "absent":
        yield f"{tag(fault)} needs a key, and the match is about requests without one"
    match fault:
        case kinds.Reset(body=part) | kinds.Close(body=part) | kinds.Hang(body=part):
            if part is not None and at != "reading":
                yield f"{tag(fault)} after a part of the body is for at: reading"
    if isinstance(fault, kinds.Wait) and fault.until_left and at == "accept":
        yield "a client that has left sends nothing: wait for a time at accept"
    if isinstance(fault, kinds.Barrier) and fault.by == "operation" and not _posts(match):
        yield "by: operation is for attempts of an operation: only a POST is one"


def _selection(at: str, match: Match, when: When) -> Iterator[tuple[str, str]]:
    """Yield the field and the reason why no request can meet a selection."""
    if at in UNKNOWN:
        yield from _unknown(at, match, when)
        return
    if not _posts(match):
        method = match.method
        if at in EXECUTED:
            yield "match", f"a {method} never reaches {at}: only a POST executes"
        if match.moves is not None:
            yield "match", f"a {method} moves no money: every payment is a POST"
        if when.attempt is not None or when.operation is not None:
            yield "when", f"a {method} is no attempt of an operation: only a POST is"
    if when.connection == "fresh" and when.request_on_connection not in (None, 1):
        yield "when", "request_on_connection is 1 on a fresh connection"
    if when.connection == "reused" and when.request_on_connection == 1:
        yield "when", "request_on_connection is 2 or more on a reused connection"


def _unknown(at: str, match: Match, when: When) -> Iterator[tuple[str, str]]:
    """Yield what is selected by, and cannot be known so early."""
    in_match, in_when, told = UNKNOWN[at]
    for name in _given(match):
        if name not in in_match:
            yield "match", f"{name} cannot be known at {at}: {told}"
    for name in _given(when):
        if name not in in_when:
            yield "when", f"{name} cannot be known at {at}: {told}"


def _given(selection: Match | When) -> list[str]:
    """Return the fields of a selection that are not left at what they are by themselves."""
    plain = type(selection)()
    names = selection.__struct_fields__
    return [name for name in names if getattr(selection, name) != getattr(plain, name)]


def _posts(match: Match) -> bool:
    return match.method is None or fnmatchcase("POST", match.method)


def can_forget(profile: rules.Profile) -> bool:
    """Return whether the server, by this profile, may forget a key that it knew."""
    return profile.settings.cache_write_window > 0 or any(
        isinstance(fault, FORGETTING) for rule in profile.rules for fault in rule.do
    )
