"""Of every rule that never fired, the arrival that came nearest, and what it lacked.

What was nearest is in the journal; here it becomes a sentence. It blames nobody: the rule may be
wrong, or the client.
"""

from typing import Final

from fakestripe.verdict.finding import NearMiss
from fakestripe.verdict.records import Difference, Near, Records

FARTHEST_FIRST: Final = ("match", "when", "shadowed", "unreached", "unnoticed")
QUOTED: Final = ("params.", "headers.", "idempotency_key", "path")
"""The fields whose values a caller writes."""
WORDS: Final = ("present", "absent")
"""What a rule may want of a key beside its value."""


def near_misses(records: Records, unfired: tuple[str, ...]) -> tuple[NearMiss, ...]:
    """Return the nearest arrival of each rule that never fired; none where nobody was near."""
    found = (_near_miss(name, records) for name in unfired)
    return tuple(miss for miss in found if miss is not None)


def best(misses: list[NearMiss]) -> tuple[NearMiss, ...]:
    """Return the nearest of each rule, of several accounts with the same profile."""
    nearest: dict[str, NearMiss] = {}
    for miss in misses:
        known = nearest.get(miss.rule)
        if known is None or _nearness(miss) > _nearness(known):
            nearest[miss.rule] = miss
    return tuple(nearest.values())


def _nearness(miss: NearMiss) -> tuple[int, int]:
    return FARTHEST_FIRST.index(miss.stage), -len(miss.differs)


def _near_miss(name: str, records: Records) -> NearMiss | None:
    near = records.near.get(name) or _idle(name, records) or _connections(name, records)
    if near is None:
        return None
    return NearMiss(
        rule=name,
        stage=near.stage,
        arrival=near.arrival,
        method=near.method or None,
        path=near.path or None,
        differs=near.differs,
        closest=f"arrival {near.arrival}, {near.method} {near.path}: {_what(near)}",
    )


def _idle(name: str, records: Records) -> Near | None:
    """Return the reset of an idle connection that nobody used again: it bit nobody."""
    for each in records.attempts:
        if name in each.rules:
            why = f"no other request came on connection {each.connection} afterwards"
            return Near(name, "unnoticed", each.arrival, each.method, each.path, "sent", why=why)
    return None


def _connections(name: str, records: Records) -> Near | None:
    """Return the last connection, of a rule that is for another one."""
    rule = records.declared[name]
    if rule.at != "accept" or rule.nth is None or not records.attempts:
        return None
    last = max(records.attempts, key=lambda each: each.connection)
    wants = " or ".join(str(each) for each in rule.nth)
    differs = (Difference("connection", str(last.connection), wants),)
    return Near(name, "when", last.arrival, last.method, last.path, rule.at, differs)


def _what(near: Near) -> str:
    if near.stage == "shadowed":
        return f"it matched, but rule {near.why} struck it first"
    if near.stage == "unnoticed":
        return f"it was struck, but {near.why}"
    if near.stage == "unreached":
        return f"it matched, but never reached {near.at} ({near.why})"
    return "; ".join(_differing(each) for each in near.differs)


def _differing(each: Difference) -> str:
    if each.field == "moves":
        return "it moves no money"
    quoted = each.field.startswith(QUOTED)
    was = "absent" if each.was is None else repr(each.was) if quoted else each.was
    wants = repr(each.wants) if quoted and each.wants not in WORDS else each.wants
    return f"{each.field} was {was}, the rule wants {wants}"
