"""Which requests a rule is about, in words: ``the first attempt of each operation that …``."""

from collections.abc import Iterator
from typing import Final

from fakestripe.faults.rules import Match, Rule, When

ORDINALS: Final = (
    *("zeroth", "first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)


def whom(rule: Rule) -> str:
    """Return which requests a rule strikes, and when."""
    if rule.at == "accept":
        chosen = _connection(rule.when)
    elif rule.when.attempt or rule.when.operation:
        chosen = f"{_attempt(rule.when)} {_operation(rule)}"
    else:
        chosen = f"{_nth(rule.when)} {_request(rule.match)}"
    return "".join([chosen, *_where(rule.when)])


def ordinal(number: int) -> str:
    """Return the word of a place in a row."""
    if number < len(ORDINALS):
        return ORDINALS[number]
    last = number % 10 if number // 10 % 10 != 1 else 0
    return f"{number}{('th', 'st', 'nd', 'rd')[last if last < 4 else 0]}"  # noqa: PLR2004


def _connection(when: When) -> str:
    if when.nth is None:
        return "every connection"
    noun = "connections" if len(when.nth) > 1 else "connection"
    return f"the {_ordinals(when.nth)} {noun} since the profile took effect"


def _attempt(when: When) -> str:
    if when.attempt is None:
        return "every attempt of"
    return f"the {_ordinals(when.attempt)} attempt{'s' if len(when.attempt) > 1 else ''} of"


def _operation(rule: Rule) -> str:
    which = "each" if rule.when.operation is None else f"the {ordinal(rule.when.operation)}"
    if rule.match.moves is not None:
        more = _conditions(rule.match)
        return f"{which} operation that moves money{more and ', in a request' + more}"
    if rule.match.any:
        return f"{which} operation"
    return f"{which} operation, where it is a {_request(rule.match)}"


def _nth(when: When) -> str:
    return "every" if when.nth is None else f"the {_ordinals(when.nth)}"


def _request(match: Match) -> str:
    noun = "request" if match.method is None else f"{match.method} request"
    moves = " that moves money" if match.moves is not None else ""
    return f"{noun}{moves}{_conditions(match)}"


def _conditions(match: Match) -> str:
    """Return what else must hold of a request."""
    path = "" if match.path is None else f" to {match.path}"
    return path + " and".join(_facts(match))


def _facts(match: Match) -> Iterator[str]:
    for name, value in match.params.items():
        yield f" whose {name} {_fits(value)}"
    for name, value in match.headers.items():
        yield f" whose header {name} {_fits(value)}"
    if match.idempotency_key is not None:
        yield _key(match.idempotency_key)
    if match.account is not None:
        yield f" of account {match.account}"


def _key(wanted: str) -> str:
    known = {"present": " with an idempotency key", "absent": " without an idempotency key"}
    return known.get(wanted, f" whose idempotency key {_fits(wanted)}")


def _fits(value: str) -> str:
    return f"is like {value}" if set(value) & set("*?[") else f"is {value}"


def _where(when: When) -> Iterator[str]:
    if when.connection is not None:
        kind = "new" if when.connection == "fresh" else "kept"
        yield f", on a {kind} connection"
    if when.request_on_connection is not None:
        yield f", as the {ordinal(when.request_on_connection)} request of its connection"
    if when.times is not None:
        yield ", once" if when.times == 1 else f", {when.times} times at most"


def _ordinals(numbers: tuple[int, ...]) -> str:
    *most, last = map(ordinal, numbers)
    return f"{', '.join(most)} and {last}" if most else last
