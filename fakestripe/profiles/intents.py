"""Reads ``intents`` and ``operation``: what the client sets out to pay, and what names it."""

from typing import Final

from fakestripe.profiles.place import Place
from fakestripe.profiles.selections import DOTTED, MATCH, check_dotted
from fakestripe.profiles.shapes import NUMBER, Shape, items, line, mapping, whole
from fakestripe.protocol.declared import Intent

CURRENCY: Final = 3


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


INTENT: Final = {
    "operation": line("the name of an operation").told("Its name: ord_17."),
    "amount": whole(wanted="minor units such as 2000").told("Minor units, such as 2000."),
    "currency": Shape(_currency, {"type": "string", "pattern": "^[A-Za-z]{3}$"}).told(
        "Three letters, such as usd."
    ),
    "count": NUMBER.told("How many payments: 1 if left out."),
    "customer": line("the id of a customer").told("Whose payment it is."),
    "match": mapping(MATCH).told("By which requests it is known, where none carries its name."),
}

PAYMENT: Final = Shape(_intent, mapping(INTENT, ["operation"]).schema)
INTENTS: Final = Shape(read_intents, items(PAYMENT).schema)
SELECTOR: Final = Shape(
    read_selector,
    {
        "type": "string",
        "pattern": rf"^\s*{DOTTED.pattern}\s*(\+\s*{DOTTED.pattern}\s*)*$",
    },
)
