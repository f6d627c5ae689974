"""Reads ``settings`` and ``intents``: how the account behaves, what the client sets out to pay."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from fakestripe.faults.rules import MOST_CUSTOMERS, Settings
from fakestripe.profiles import tree
from fakestripe.profiles.place import Place
from fakestripe.profiles.problems import listed
from fakestripe.profiles.selections import MATCH, check_dotted, number
from fakestripe.protocol.declared import TIMING, Delivery, Intent, Webhook

Read = Callable[[Place], Any]

MOST_COPIES: Final = 100
BEFORE_ANSWER: Final = 5.0
"""Seconds that an answer waits for the receiver of its event, where nothing is said."""
OUT_OF_ORDER: Final = 2.0
"""Seconds that an event waits for a later one, where nothing is said."""
GOES_WRONG: Final = ("copies: 2", "late: 5s", *(f"{word}: true" for word in TIMING[1:]))
LAST_SECOND: Final = 253_402_300_799
CURRENCY: Final = 3


def read_settings(place: Place) -> Settings:
    """Read the settings; a clock is two of them."""
    given = place.fields(SETTINGS)
    clock = given.pop("clock", {})
    if "start" in clock:
        given["clock_start"] = clock["start"]
    if "frozen" in clock:
        given["clock_frozen"] = clock["frozen"]
    return Settings(**given)


def read_intents(place: Place) -> tuple[Intent, ...]:
    """Read what the client sets out to pay, each operation once."""
    intents = place.items(_intent)
    seen: set[str] = set()
    for intent in intents:
        if intent.operation in seen:
            raise place.wrong(f"{intent.operation!r} is declared twice: give it a count instead")
        seen.add(intent.operation)
    return intents


def read_selector(place: Place) -> str:
    """Read what names an operation: dotted names of parameters, joined by plus signs."""
    text = place.line("the name of a parameter, such as metadata.order_id")
    for name in text.split("+"):
        check_dotted(place, name.strip())
    return "+".join(name.strip() for name in text.split("+"))


def _intent(place: Place) -> Intent:
    return Intent(**place.fields(INTENT, required=["operation"]))


def _currency(place: Place) -> str:
    code = place.line("a currency such as usd").lower()
    if not (len(code) == CURRENCY and code.isascii() and code.isalpha()):
        raise place.wrong(f"{code!r} is no currency: write three letters such as usd")
    return code


def _start(place: Place) -> float:
    """Read an instant: epoch seconds, or a date with or without a time (UTC)."""
    text = place.line("a date such as 2026-01-31, or epoch seconds")
    if text.isascii() and text.isdigit() and len(text) != len("20260131"):
        return float(place.integer(least=0, most=LAST_SECOND))
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise place.wrong(f"{text!r} is no date such as 2026-01-31T09:00:00Z") from None
    aware = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return aware.timestamp()


def _customers(place: Place) -> str | int:
    """Read which customers there are: a word, or how many people."""
    if isinstance(place.node, tree.Scalar) and place.node.text.isdigit():
        return place.integer(least=1, most=MOST_CUSTOMERS)
    return place.word(["strict", "any"], "choice of customers")


def _webhook(place: Place) -> Webhook:
    given = place.fields({**WEBHOOK, **DELIVERY}, required=["url"])
    told = {name: given[name] for name in given.keys() & WEBHOOK}
    delivery = _checked(Delivery(**{name: given[name] for name in given.keys() & DELIVERY}), place)
    if delivery.plain and "only" in given:
        raise place.at("only").wrong("'only' narrows a fault, and there is none: write late: 5s")
    return Webhook(**told, delivery=delivery)


def _deliveries(place: Place) -> Delivery:
    """Read what befalls the deliveries to every webhook of the account."""
    delivery = _checked(
        Delivery(**place.fields(DELIVERY, (), "a mapping such as {late: 5s}")), place
    )
    if delivery.plain:
        raise place.wrong(f"nothing goes wrong: write {listed(GOES_WRONG)}")
    return delivery


def _checked(delivery: Delivery, place: Place) -> Delivery:
    """Refuse what cannot happen to one event."""
    asked = delivery.timing
    if len(asked) > 1:
        raise place.at(asked[-1]).wrong(f"one event cannot be both {asked[0]} and {asked[-1]}")
    if delivery.never and delivery.copies > 1:
        raise place.at("copies").wrong("an event that never comes has no copies")
    return delivery


def _types(place: Place) -> tuple[str, ...]:
    return place.items(
        lambda each: each.line("a type of events such as charge.*"), "a list of types"
    )


def _bound(longest: float) -> Read:
    """Return what reads true, for as long as is usual, or how long at most."""

    def read(place: Place) -> float:
        node = place.node
        if isinstance(node, tree.Scalar) and node.plain and node.text in tree.TRUE | tree.FALSE:
            return longest if place.boolean() else 0.0
        return place.duration()

    return read


CLOCK: Final[dict[str, Read]] = {"start": _start, "frozen": Place.boolean}

SETTINGS: Final[dict[str, Read]] = {
    "key_retention": Place.duration,
    "cache_write_window": lambda place: place.duration(zero=True),
    "clock": lambda place: place.fields(CLOCK),
    "seed": lambda place: place.integer(least=0),
    "customers": _customers,
    "webhooks": lambda place: place.items(_webhook),
    "deliveries": _deliveries,
}

WEBHOOK: Final[dict[str, Read]] = {
    "url": lambda place: place.line("the URL of a webhook"),
    "enabled_events": _types,
    "secret": lambda place: place.line("a secret such as whsec_…"),
    "api_version": lambda place: place.line("a version such as 2026-10-28.endive"),
}

DELIVERY: Final[dict[str, Read]] = {
    "copies": lambda place: place.integer(least=1, most=MOST_COPIES),
    "late": Place.duration,
    "before_answer": _bound(BEFORE_ANSWER),
    "out_of_order": _bound(OUT_OF_ORDER),
    "never": Place.boolean,
    "only": _types,
}

INTENT: Final[dict[str, Read]] = {
    "operation": lambda place: place.line("the name of an operation"),
    "amount": lambda place: place.integer(wanted="minor units such as 2000"),
    "currency": _currency,
    "count": number,
    "customer": lambda place: place.line("the id of a customer"),
    "match": lambda place: place.fields(MATCH),
}
