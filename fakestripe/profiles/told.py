"""A profile told to people who look at one: its situation in a line, and its meaning in sentences.

Which requests, when, what is true then, what happens on the wire, and which words a correct
client may get for it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from fakestripe.faults.rules import Profile, Rule, Settings, Word
from fakestripe.profiles.happening import MOMENTS, happens, length, outcome
from fakestripe.profiles.whom import whom
from fakestripe.protocol.declared import Delivery, Intent, Webhook
from fakestripe.protocol.further_key import FurtherKey, dollars
from fakestripe.protocol.headers import mask

EXPECTED: Final[dict[Word, str]] = {
    "clean": "charged once, and told so",
    "unpaid": "nothing charged, and an honest failure",
    "orphan": "charged, and taken for a failure: the official libraries give up here",
    "duplicate": "charged twice, because the server itself forgot the key",
    "inconclusive": "nothing proven",
    "undercharged": "charged too little",
    "cap_exceeded": "stopped by a spend cap",
}
"""The words that a profile may expect, by what has come of a payment then."""


def situation(profile: Profile) -> str:
    """Return the first sentence of the opening comment: the situation in one line."""
    text = " ".join(profile.about.split())
    first = text.partition(". ")[0]
    return first if not first or first.endswith(".") else f"{first}."


def explained(profile: Profile) -> tuple[str, ...]:
    """Return what a profile means, in paragraphs: its rules, its scene, what it expects."""
    scene = " ".join([*_settings(profile.settings), *_payments(profile)])
    rules = [in_words(rule) for rule in profile.rules]
    return (*rules, *([scene] if scene else []), _expected(profile))


def in_words(rule: Rule) -> str:
    """Return a rule in sentences."""
    told = happens(rule.do)
    if rule.at == "listen":
        return f"{told[0].upper()}{told[1:]} (at listen)."
    if rule.at == "accept":
        return f"On {whom(rule)}, before anything is read of it (at accept), {told}."
    sentence = f"On {whom(rule)}, {MOMENTS[rule.at]} (at {rule.at}), {told}."
    after = outcome(rule)
    return sentence if after is None else f"{sentence} {after}"


def _expected(profile: Profile) -> str:
    words = [f"{word} ({EXPECTED[word]})" for word in profile.expect]
    return f"A correct client gets: {', or '.join(words)}."


def _settings(settings: Settings) -> Iterator[str]:
    plain = Settings()
    if settings.key_retention != plain.key_retention:
        yield f"A key is kept for {length(settings.key_retention)}."
    if settings.cache_write_window:
        yield f"A stored key stays invisible for {length(settings.cache_write_window)}."
    if settings.clock_start is not None:
        yield f"The account's clock starts at {_instant(settings.clock_start)}."
    if settings.clock_frozen:
        yield "The account's clock stands still until somebody moves it."
    if settings.seed is not None:
        yield f"Ids and people are made from the seed {settings.seed}."
    yield from _customers(settings)
    yield from map(_key, settings.keys)
    yield from map(_webhook, settings.webhooks)
    if settings.deliveries is not None:
        yield f"On its way to a webhook, {_delivery(settings.deliveries)}."


def _customers(settings: Settings) -> Iterator[str]:
    match settings.customers:
        case "any":
            yield "Any customer is there."
        case "strict":
            yield "Only customers that were created are there."
        case int(count):
            people = "1 person is" if count == 1 else f"{count} people are"
            yield f"{people} there as customers."


def _key(rules: FurtherKey) -> str:
    told = mask(rules.key or "")
    if rules.kind == "secret":
        return f"{told} is a second secret key of the account."
    if rules.permissions is not None:
        may = ", ".join(f"{right} {word}" for word, right in rules.permissions.items())
        return f"{told} is a restricted key: {may or 'it may do nothing'}."
    cap = "any sum" if rules.cap is None else f"{dollars(rules.cap)} USD"
    where = "anywhere" if rules.endpoints is None else f"at {', '.join(rules.endpoints)}"
    end = "" if rules.expires_at is None else f", until {_instant(rules.expires_at)}"
    back = "; a refund gives back of it" if rules.refunds_give_back else ""
    return f"{told} is a vault key, good for {cap} a day, {where}{end}{back}."


def _webhook(webhook: Webhook) -> str:
    types = ", ".join(webhook.enabled_events)
    wrong = "" if webhook.delivery.plain else f"; on its way, {_delivery(webhook.delivery)}"
    return f"Events ({types}) are told to {webhook.url}{wrong}."


def _delivery(delivery: Delivery) -> str:
    """Return what befalls an event on its way."""
    told = {
        "copies": f"comes {delivery.copies} times at once" if delivery.copies > 1 else "",
        "late": f"comes {length(delivery.late)} late",
        "before_answer": "comes before its request is answered, which waits for the receiver "
        f"{length(delivery.before_answer)} at most",
        "out_of_order": "comes after one that was made later, held for "
        f"{length(delivery.out_of_order)} at most",
        "never": "never comes",
    }
    event = "an event" if delivery.only == ("*",) else f"an event ({', '.join(delivery.only)})"
    wrong = [told[name] for name in ("copies", *delivery.timing)]
    return f"{event} {' and '.join(filter(None, wrong))}"


def _payments(profile: Profile) -> Iterator[str]:
    if profile.operation is not None:
        yield f"An operation is named by {profile.operation}."
    for intent in profile.intents:
        yield f"The client sets out to make {_intent(intent)}."


def _intent(intent: Intent) -> str:
    times = "one payment" if intent.count == 1 else f"{intent.count} payments"
    amount = "" if intent.amount is None else f" of {intent.amount}"
    currency = "" if intent.currency is None else f" {intent.currency}"
    whose = "" if intent.customer is None else f" by {intent.customer}"
    return f"{times}{amount}{currency}{whose} named {intent.operation}"


def _instant(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
