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
    if isinstance(fault, kinds.Barrier) and fault.by == "operation" and not _posts(match):
        yield "by: operation is for attempts of an operation: only a POST is one"


def _selection(at: str, match: Match, when: When) -> Iterator[tuple[str, str]]:
    """Yield the field and the reason why no request can meet a selection."""
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


def _posts(match: Match) -> bool:
    return match.method is None or fnmatchcase("POST", match.method)


def can_forget(profile: rules.Profile) -> bool:
    """Return whether the server, by this profile, may forget a key that it knew."""
    return profile.settings.cache_write_window > 0 or any(
        isinstance(fault, FORGETTING) for rule in profile.rules for fault in rule.do
    )
