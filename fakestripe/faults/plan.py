"""Which rule an arrival meets: tried in file order, at most one per arrival.

The choice is made at ``received`` from facts of the request and of its operation; a rule is used
up only when its point is reached. Counting lives in the bank: ``matched`` counts the arrivals a
rule matched, ``fired`` those it struck. Nothing here is left to chance.
"""

from fnmatch import fnmatchcase
from typing import Final

from fakestripe.bank import Bank
from fakestripe.bank.ids import account_id
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
    rules = tuple(rule for rule in profile.rules if rule.at not in EARLY)
    return _met(rules, request, attempt, bank)


def _met(rules: tuple[Rule, ...], request: Request, attempt: Attempt, bank: Bank) -> Rule | None:
    chosen: Rule | None = None
    for rule in rules:
        if not matches(rule.match, request, attempt):
            continue
        nth = bank.matched[rule.name] = bank.matched.get(rule.name, 0) + 1
        if strikes(rule, attempt, nth, bank) and chosen is None:
            chosen = rule
    return chosen


def reading(profile: Profile, request: Request, attempt: Attempt, bank: Bank) -> Rule | None:
    """Return the rule that an arrival meets while its body is still on the way, or None."""
    rules = tuple(rule for rule in profile.rules if rule.at == "reading")
    return _met(rules, request, attempt, bank)


def accepted(profile: Profile, nth: int, bank: Bank) -> Rule | None:
    """Return the rule that the ``nth`` connection of a port meets, or None."""
    for rule in profile.rules:
        used = rule.when.times is not None and bank.fired.get(rule.name, 0) >= rule.when.times
        if rule.at == "accept" and not used and nth in (rule.when.nth or (nth,)):
            return rule
    return None


def matches(match: Match, request: Request, attempt: Attempt) -> bool:
    """Return whether a request is one that the match is about."""
    if match.any:
        return True
    if match.moves is not None and not attempt.moves:
        return False
    return (
        _like(match.method, request.method)
        and _like(match.path, request.path)
        and _account_fits(match.account, attempt.account)
        and _key_fits(match.idempotency_key, attempt.idempotency_key)
        and all(_like(glob, request.header(name.lower())) for name, glob in match.headers.items())
        and _params_fit(match, attempt)
    )


def _like(glob: str | None, value: str | None) -> bool:
    return glob is None or (value is not None and fnmatchcase(value, glob))


def _account_fits(wanted: str | None, account: str) -> bool:
    """Compare with the account that is meant by its id, or by an API key of it."""
    if wanted is not None and wanted.startswith(("sk_test_", "rk_test_", "vk_test_")):
        return account == account_id(wanted)
    return _like(wanted, account)


def _key_fits(wanted: str | None, key: str | None) -> bool:
    if wanted in ("present", "absent"):
        return (key is not None) == (wanted == "present")
    return _like(wanted, key)


def _params_fit(match: Match, attempt: Attempt) -> bool:
    if not match.params:
        return True
    given = dict(form.flatten(attempt.parameters))
    return all(_like(glob, given.get(name)) for name, glob in match.params.items())


def strikes(rule: Rule, attempt: Attempt, nth: int, bank: Bank) -> bool:
    """Return whether a rule strikes this matching arrival, the ``nth`` of its matches."""
    when = rule.when
    return (
        (when.operation is None or when.operation == _number(attempt, bank))
        and (when.attempt is None or attempt.attempt in when.attempt)
        and (when.nth is None or nth in when.nth)
        and (when.times is None or bank.fired.get(rule.name, 0) < when.times)
        and _on_its_connection(when, attempt)
    )


def _on_its_connection(when: When, attempt: Attempt) -> bool:
    reused = attempt.request_on_connection > 1
    return (
        when.connection is None or (when.connection == "reused") == reused
    ) and when.request_on_connection in (None, attempt.request_on_connection)


def _number(attempt: Attempt, bank: Bank) -> int | None:
    """Return the place of an operation: as it was declared, else in order of arrival."""
    declared = [intent.operation for intent in bank.journal.intents]
    if attempt.operation in declared:
        return declared.index(attempt.operation) + 1
    return bank.operations.number(attempt.operation)


def still_fires(rule: Rule, bank: Bank) -> bool:
    """Use the rule up at its point; False where its ``times`` ran out meanwhile."""
    fired = bank.fired.get(rule.name, 0)
    if rule.when.times is not None and fired >= rule.when.times:
        return False
    bank.fired[rule.name] = fired + 1
    return True
