"""From a test's arguments to what is declared; a wrong one is refused by the call's own name.

A mistake here would make the verdict wrong in silence: an amount of 20.00, an outcome "payed".
So every refusal names the call, the argument, and what to write instead.
"""

from difflib import get_close_matches
from typing import Any, Final

from msgspec import json

from fakestripe import profiles
from fakestripe.protocol.declared import Intent, Outcome, Webhook

OUTCOMES: Final = ("paid", "failed")
_CURRENCY: Final = 3


def intent_of(operation: Any, **given: Any) -> Intent:
    """Return the intent; raises ``TypeError`` or ``ValueError`` for what cannot be one."""
    __tracebackhide__ = True
    call = f"fakestripe.intend({operation!r}, …)"
    _check_operation(operation, call)
    amount, currency, count = given["amount"], given["currency"], given["count"]
    if amount is not None and (type(amount) is not int or amount < 1):
        raise TypeError(f"{call}: amount={amount!r}: write minor units, 2000 for 20.00")
    if type(count) is not int or count < 1:
        raise TypeError(f"{call}: count={count!r}: write how many payments, 1 or more")
    if currency is not None and (not isinstance(currency, str) or len(currency) != _CURRENCY):
        raise ValueError(f"{call}: currency={currency!r}: write a three-letter code, such as usd")
    customer, match = given["customer"], given["match"]
    if customer is not None and not isinstance(customer, str):
        raise TypeError(f"{call}: customer={customer!r}: pass the id, such as cus_…")
    return Intent(
        operation=operation,
        amount=amount,
        currency=currency.lower() if currency else None,
        count=count,
        customer=customer,
        match=None if match is None else _match(match, call),
    )


def _match(match: Any, call: str) -> Any:
    """Return the match as the loader of profiles reads it."""
    __tracebackhide__ = True
    if not isinstance(match, dict):
        raise TypeError(f"{call}: match={match!r}: write a mapping, as a rule of a profile has it")
    intent = {"operation": "intended", "match": match}
    try:
        read = profiles.parse(json.encode({"name": "x", "intents": [intent]}).decode(), call)
    except profiles.ProfileError as wrong:
        problem = wrong.problems[0]
        place = problem.path.removeprefix("intents[0].")
        raise ValueError(f"{call}: {place}: {problem.message}") from None
    return read.intents[0].match


def webhooks_of(asked: Any, call: str) -> tuple[Webhook, ...]:
    """Return endpoints as the loader of profiles reads them; raises ``ValueError`` for others.

    What is None is as good as left out.
    """
    __tracebackhide__ = True
    given = asked if isinstance(asked, list) else [asked]
    listed = [_given(each) if isinstance(each, dict) else each for each in given]
    text = json.encode({"name": "x", "settings": {"webhooks": listed}}).decode()
    try:
        return profiles.parse(text, call).settings.webhooks
    except profiles.ProfileError as wrong:
        problem = wrong.problems[0]
        place = problem.path.removeprefix("settings.webhooks")
        place = place if len(given) > 1 else place.removeprefix("[0]").removeprefix(".")
        said = ": ".join(part for part in (call, place, problem.message) if part)
        raise ValueError(said) from None


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value is not None}


def outcome_of(operation: Any, outcome: Any, charge: Any) -> Outcome:
    """Return the outcome; raises ``TypeError`` or ``ValueError`` for what cannot be one."""
    __tracebackhide__ = True
    call = f"fakestripe.outcome({operation!r}, …)"
    _check_operation(operation, call)
    if outcome not in OUTCOMES:
        near = get_close_matches(str(outcome), OUTCOMES, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f'{call}: {outcome!r} is no outcome{hint}: write "paid" or "failed"')
    if charge is not None and not isinstance(charge, str):
        raise TypeError(f"{call}: charge={charge!r}: pass the id, such as ch_…")
    return Outcome(operation=operation, outcome=outcome, charge=charge)


def _check_operation(operation: Any, call: str) -> None:
    __tracebackhide__ = True
    if not isinstance(operation, str) or not operation:
        raise TypeError(f'{call}: the operation is a name, such as "ord_1"')
