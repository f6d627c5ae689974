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
from fakestripe.profiles.narrow import EXECUTED, NARROW, UNKNOWN
from fakestripe.profiles.place import Place
from fakestripe.profiles.problems import listed
from fakestripe.protocol.points import ORDER

Struck: TypeAlias = tuple[tuple[Fault, Place], ...]

KEY_FAULTS: Final = (kinds.ForgetKey, kinds.ExpireKey, kinds.LoseRecord)
FORGETTING: Final = (*KEY_FAULTS, kinds.AdvanceClock)


def check_rule(at: str, struck: Struck, match: Match, when: When, place: Place) -> None:
    """Note everything about a rule that makes no sense."""
    for fault, where in struck:
        if at not in LEGAL[tag(fault)]:
            points = listed(sorted(LEGAL[tag(fault)], key=ORDER.__getitem__))
            where.wrong(f"{tag(fault)} cannot strike at {at}; it can at {points}")
        else:
            for message in _alone(at, fault, match):
                where.wrong(message)
    for fault, where in struck[:-1]:
        if tag(fault) in FINAL:
            why = "it ends the exchange" if at != "listen" else "each window is a rule of its own"
            where.wrong(f"nothing can follow {tag(fault)}: {why}")
    for path, message in _selection(at, match, when):
        _below(place, path).wrong(message)


def _below(place: Place, path: str) -> Place:
    for name in path.split("."):
        place = place.at(name)
    return place


def _alone(at: str, fault: Fault, match: Match) -> Iterator[str]:
    """Yield why a legal fault does nothing here."""
    for narrow in NARROW:
        if narrow.fault == tag(fault) and at not in narrow.points and narrow.meant(fault):
            yield narrow.told
    if isinstance(fault, KEY_FAULTS) and match.idempotency_key == "absent":
        yield f"{tag(fault)} needs a key, and the match is about requests without one"
    if isinstance(fault, kinds.Barrier) and fault.by == "operation" and not _posts(match):
        yield "by: operation is for attempts of an operation: only a POST is one"
    if at == "reading" and getattr(fault, "body", None) and not _posts(match):
        yield f"a {match.method} has no body to read a part of"


def _selection(at: str, match: Match, when: When) -> Iterator[tuple[str, str]]:
    """Yield the field and the reason why no request can meet a selection."""
    if at in UNKNOWN:
        yield from _unknown(at, match, when)
    elif not _posts(match):
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
    known = UNKNOWN[at]
    for field, given, legal in (("match", match, known.match), ("when", when, known.when)):
        hint = f"select by {listed(legal)}" if legal else f"leave {field} out"
        for name in _given(given):
            if name not in legal and name != "any":
                told = f"{name} cannot be known at {at}: {known.why}; {hint}"
                yield f"{field}.{name}", told


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
