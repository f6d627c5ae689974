"""Which rule an arrival meets: tried in file order, at most one per arrival.

The choice is made at ``received`` from facts of the request and of its operation; a rule is used
up only when its point is reached. Counting lives in the bank: ``matched`` counts the arrivals a
rule matched, ``fired`` those it struck. Nothing here is left to chance.
"""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Final

from fakestripe.bank import Bank
from fakestripe.bank.ids import account_id
from fakestripe.faults import near
from fakestripe.faults.kinds import Resend
from fakestripe.faults.near import Difference, alternatives
from fakestripe.faults.rules import Match, Profile, Rule, When
from fakestripe.protocol import form
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.request import Request

EARLY: Final = frozenset({"listen", "accept", "reading"})
"""The points before ``received``: their rules are chosen apart, from what is known there."""


def decide(profile: Profile, request: Request, attempt: Attempt, bank: Bank) -> Rule | None:
    """Return the rule that this arrival meets, or None.

    Every rule that matches counts the arrival, whichever strikes it.
    """
    if profile.only is not None and attempt.operation not in profile.only:
        return None
    chosen: Rule | None = None
    for rule in profile.rules:
        if rule.at in EARLY:
            _missed(rule, request, attempt, bank)
            continue
        if not near.fits(rule, of_match(rule.match, request, attempt), "match", attempt, bank):
            continue
        nth = bank.matched[rule.name] = bank.matched.get(rule.name, 0) + 1
        if not near.fits(rule, of_when(rule, attempt, nth, bank), "when", attempt, bank):
            continue
        if request.resent and any(isinstance(fault, Resend) for fault in rule.do):
            continue  # once more, not for ever
        if chosen is None:
            chosen = rule
        else:
            near.shadowed(rule, chosen, attempt, bank)
    return chosen


def _missed(rule: Rule, request: Request, attempt: Attempt, bank: Bank) -> None:
    """Say how near an arrival came to a rule at ``reading``, which it would have met before."""
    if rule.at != "reading" or rule.name in bank.fired:
        return
    if near.fits(rule, of_match(rule.match, request, attempt), "match", attempt, bank):
        nth = bank.matched.get(rule.name, 0)
        near.fits(rule, of_when(rule, attempt, nth, bank), "when", attempt, bank)


def reading(profile: Profile, request: Request, attempt: Attempt, bank: Bank) -> Rule | None:
    """Return the rule that an arrival meets while its body is still on the way, or None."""
    chosen: Rule | None = None
    for rule in profile.rules:
        if rule.at != "reading" or not matches(rule.match, request, attempt):
            continue
        nth = bank.matched[rule.name] = bank.matched.get(rule.name, 0) + 1
        if chosen is None and strikes(rule, attempt, nth, bank):
            chosen = rule
    return chosen


def accepted(profile: Profile, nth: int, fired: Mapping[str, int]) -> Rule | None:
    """Return the rule that the ``nth`` connection of a port meets, or None."""
    for rule in profile.rules:
        used = rule.when.times is not None and fired.get(rule.name, 0) >= rule.when.times
        if rule.at == "accept" and not used and nth in (rule.when.nth or (nth,)):
            return rule
    return None


def matches(match: Match, request: Request, attempt: Attempt) -> bool:
    """Return whether a request is one that the match is about."""
    return next(of_match(match, request, attempt), None) is None


def of_match(match: Match, request: Request, attempt: Attempt) -> Iterator[Difference]:
    """Return what of a request is not as the match wants it, what is found fastest first."""
    if match.any:
        return
    if match.moves is not None and not attempt.moves:
        yield Difference("moves", "nothing", match.moves)
    yield from _of_request(match, request, attempt)
    for name, glob in match.headers.items():
        header = request.header(name.lower())
        if not _like(glob, header):
            yield Difference(f"headers.{name}", header, glob)
    if match.params:
        yield from _of_params(match.params, attempt)


def _of_request(match: Match, request: Request, attempt: Attempt) -> Iterator[Difference]:
    if match.method is not None and not _like(match.method, request.method):
        yield Difference("method", request.method, match.method)
    if match.path is not None and not _like(match.path, request.path):
        yield Difference("path", request.path, match.path)
    if match.account is not None and not _account_fits(match.account, attempt.account):
        yield Difference("account", attempt.account, match.account)
    key = attempt.idempotency_key
    if match.idempotency_key is not None and not _key_fits(match.idempotency_key, key):
        yield Difference("idempotency_key", key, match.idempotency_key)


def _of_params(wanted: dict[str, str], attempt: Attempt) -> Iterator[Difference]:
    given = dict(form.flatten(attempt.parameters))
    for name, glob in wanted.items():
        if not _like(glob, given.get(name)):
            yield Difference(f"params.{name}", given.get(name), glob)


def _like(glob: str, value: str | None) -> bool:
    return value is not None and fnmatchcase(value, glob)


def _account_fits(wanted: str, account: str) -> bool:
    """Compare with the account that is meant by its id, or by an API key of it."""
    if wanted.startswith(("sk_test_", "rk_test_", "vk_test_")):
        return account == account_id(wanted)
    return _like(wanted, account)


def _key_fits(wanted: str, key: str | None) -> bool:
    if wanted in ("present", "absent"):
        return (key is not None) == (wanted == "present")
    return _like(wanted, key)


def strikes(rule: Rule, attempt: Attempt, nth: int, bank: Bank) -> bool:
    """Return whether a rule strikes this matching arrival, the ``nth`` of its matches."""
    return next(of_when(rule, attempt, nth, bank), None) is None


def of_when(rule: Rule, attempt: Attempt, nth: int, bank: Bank) -> Iterator[Difference]:
    """Return what of a matching arrival, the ``nth``, is not as the rule's ``when`` wants it."""
    when, fired = rule.when, bank.fired.get(rule.name, 0)
    if when.operation is not None:
        number = _number(attempt, bank)
        if number != when.operation:
            was = None if number is None else str(number)
            yield Difference("when.operation", was, str(when.operation))
    if when.attempt is not None and attempt.attempt not in when.attempt:
        yield Difference("when.attempt", str(attempt.attempt), alternatives(when.attempt))
    if when.nth is not None and nth not in when.nth:
        yield Difference("when.nth", str(nth), alternatives(when.nth))
    if when.times is not None and fired >= when.times:
        yield Difference("when.times", str(fired + 1), str(when.times))
    yield from _of_connection(when, attempt)


def _of_connection(when: When, attempt: Attempt) -> Iterator[Difference]:
    on_it = attempt.request_on_connection
    if when.connection is not None and (when.connection == "reused") != (on_it > 1):
        yield Difference("when.connection", "reused" if on_it > 1 else "fresh", when.connection)
    if when.request_on_connection not in (None, on_it):
        yield Difference("when.request_on_connection", str(on_it), str(when.request_on_connection))


def _number(attempt: Attempt, bank: Bank) -> int | None:
    """Return the place of an operation: as it was declared, else in order of arrival."""
    declared = [intent.operation for intent in bank.journal.intents]
    if attempt.operation in declared:
        return declared.index(attempt.operation) + 1
    return bank.operations.number(attempt.operation)


def still_fires(rule: Rule, bank: Bank) -> bool:
    """Use the rule up at its point; False where its ``times`` ran out meanwhile."""
    if used_up(rule, bank):
        return False
    bank.fired[rule.name] = bank.fired.get(rule.name, 0) + 1
    return True


def used_up(rule: Rule, bank: Bank) -> bool:
    """Return whether a rule has struck as often as its ``times`` allow."""
    return rule.when.times is not None and bank.fired.get(rule.name, 0) >= rule.when.times
