"""Reads who is told of events, and what befalls an event on its way to them."""

from typing import Final

from fakestripe.profiles import tree
from fakestripe.profiles.place import Place
from fakestripe.profiles.problems import listed
from fakestripe.profiles.shapes import (
    BOOLEAN,
    DURATION,
    SOME,
    Shape,
    either,
    items,
    line,
    mapping,
    whole,
)
from fakestripe.protocol.declared import TIMING, Delivery, Webhook

MOST_COPIES: Final = 100
BEFORE_ANSWER: Final = 5.0
"""Seconds that an answer waits for the receiver of its event, where nothing is said."""
OUT_OF_ORDER: Final = 2.0
"""Seconds that an event waits for a later one, where nothing is said."""
GOES_WRONG: Final = ("copies: 2", "late: 5s", *(f"{word}: true" for word in TIMING[1:]))


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


def _bound(longest: float) -> Shape:
    """Return the shape of true, for as long as is usual, or how long at most."""

    def read(place: Place) -> float:
        node = place.node
        if isinstance(node, tree.Scalar) and node.plain and node.text in tree.TRUE | tree.FALSE:
            return longest if place.boolean() else 0.0
        return place.duration()

    return Shape(read, either(BOOLEAN.schema, DURATION.schema))


TYPES: Final = items(line("a type of events such as charge.*"), "a list of types")

WEBHOOK: Final = {
    "url": line("the URL of a webhook").told("Where it is told."),
    "enabled_events": TYPES.told("Of which events, such as charge.*; all if left out."),
    "secret": line("a secret such as whsec_…").told("What signs the events; made if left out."),
    "api_version": line("a version such as 2026-10-28.endive").told(
        "Of which version the events say that they are."
    ),
}

DELIVERY: Final = {
    "copies": whole(most=MOST_COPIES).told("How many copies of an event come at once."),
    "late": DURATION.told("It comes so much later."),
    "before_answer": _bound(BEFORE_ANSWER).told("It comes before the request is answered."),
    "out_of_order": _bound(OUT_OF_ORDER).told("It comes after an event made later."),
    "never": BOOLEAN.told("It never comes."),
    "only": TYPES.told("Which types of events this befalls; all if left out."),
}

HOOK: Final = Shape(_webhook, mapping({**WEBHOOK, **DELIVERY}, ["url"]).schema)
DELIVERIES: Final = Shape(_deliveries, mapping(DELIVERY).under(**SOME).schema)
