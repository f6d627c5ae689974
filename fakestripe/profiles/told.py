"""A profile in words, for people who look at one: which requests, when, and what happens."""

from collections.abc import Iterator

from fakestripe.faults import wording
from fakestripe.faults.rules import Match, Profile, Rule, When
from fakestripe.protocol.points import POINTS


def situation(profile: Profile) -> str:
    """Return the first sentence of the opening comment: the situation in one line."""
    text = " ".join(profile.about.split())
    first = text.partition(". ")[0]
    return first if not first or first.endswith(".") else f"{first}."


def in_words(rule: Rule) -> tuple[str, str, str]:
    """Return a rule in words: which requests, where they are struck, and with what."""
    who = ", ".join([_request(rule.match), *_when(rule.when)])
    faults = ", then ".join(wording.shown(fault) for fault in rule.do)
    return who, f"{rule.at}: {POINTS[rule.at]}", faults


def _request(match: Match) -> str:
    if match.any:
        return "every request"
    kind = "requests that move money" if match.moves else "requests"
    told = [f"{name} {value}" for name, value in _conditions(match)]
    return f"{kind} with {', '.join(told)}" if told else kind


def _conditions(match: Match) -> Iterator[tuple[str, str]]:
    for name in ("method", "path", "account"):
        value = getattr(match, name)
        if value is not None:
            yield name, value
    if match.idempotency_key is not None:
        yield "idempotency key", match.idempotency_key
    yield from match.params.items()
    yield from match.headers.items()


def _when(when: When) -> Iterator[str]:
    if when.attempt is not None:
        yield f"attempt {_numbers(when.attempt)} of each operation"
    if when.operation is not None:
        yield f"operation {when.operation} alone"
    if when.nth is not None:
        yield f"match {_numbers(when.nth)}"
    if when.times is not None:
        yield f"at most {when.times} times"
    if when.connection is not None:
        yield f"on a {when.connection} connection"
    if when.request_on_connection is not None:
        yield f"request {when.request_on_connection} on its connection"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " and ".join(map(str, numbers))
