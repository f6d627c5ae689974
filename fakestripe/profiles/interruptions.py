"""What the faults of connections and of time take, as shapes: endings, silences, windows.

What an argument means at some points only is said in ``sense``.
"""

from typing import Final

from fakestripe.faults import kinds
from fakestripe.faults.kinds import Fault
from fakestripe.profiles import tree
from fakestripe.profiles.place import Place
from fakestripe.profiles.shapes import (
    DURATION,
    DURATION_OR_NONE,
    PART,
    SOME,
    Shape,
    either,
    mapping,
    one_of,
    some,
    whole,
)

PATIENCE: Final = 30.0
"""Seconds for which a wait until the client has left holds, where it does not say so."""
CLIENT_LEFT: Final = "client_left"

PART_OF_BODY: Final = {
    "body": PART.told("Once so much of the request's body has come: bytes, or a percentage.")
}


def _after_part(fault: type[kinds.Reset | kinds.Close]) -> Shape:
    """Return the shape of an ending after so much of the body."""

    def read(place: Place) -> Fault:
        if not isinstance(place.node, tree.Mapping):
            name = kinds.tag(fault())
            raise place.wrong(f"{name} takes nothing, or {{body: 50%}} at reading")
        return fault(**some(place, mapping(PART_OF_BODY)))

    return Shape(read, mapping(PART_OF_BODY).under(**SOME).schema)


HANG: Final = {**PART_OF_BODY, "for": DURATION.told("How long; else until the client leaves.")}


def _hang(place: Place) -> kinds.Hang:
    if not isinstance(place.node, tree.Mapping):
        return kinds.Hang(place.duration())
    given = some(place, mapping(HANG))
    return kinds.Hang(given.get("for"), given.get("body"))


SILENCE: Final = Shape(_hang, either(DURATION.schema, mapping(HANG).under(**SOME).schema))

WAIT: Final = {
    "until": one_of([CLIENT_LEFT], "moment").told("Go on as soon as the client has left."),
    "for": DURATION.told("How long at most: 30s if left out."),
}


def _wait(place: Place) -> kinds.Wait:
    if isinstance(place.node, tree.Scalar) and place.node.text == CLIENT_LEFT:
        raise place.wrong("write {until: client_left}")
    if not isinstance(place.node, tree.Mapping):
        return kinds.Wait(place.duration())
    given = place.fields(WAIT)
    if "until" not in given:
        raise place.wrong("'until' is missing: {until: client_left}, or a duration alone")
    return kinds.Wait(given.get("for", PATIENCE), until_left=True)


DELAY: Final = Shape(_wait, either(DURATION.schema, mapping(WAIT, ["until"]).schema))

WINDOW: Final = {
    "for": DURATION.told("How long."),
    "after": DURATION_OR_NONE.told("So long after the profile takes effect; at once if left out."),
}


def _window(fault: type[kinds.Refuse | kinds.Blackhole]) -> Shape:
    """Return the shape of a window in time: a duration, or ``for`` and ``after``."""

    def read(place: Place) -> Fault:
        if not isinstance(place.node, tree.Mapping):
            return fault(place.duration())
        given = place.fields(WINDOW, ["for"])
        return fault(given["for"], given.get("after", 0.0))

    return Shape(read, either(DURATION.schema, mapping(WINDOW, ["for"]).schema))


BARRIER: Final = {
    "parties": whole(least=2).told("How many requests meet."),
    "timeout": DURATION.told("How long they wait for each other: 5s if left out."),
    "by": one_of(["any", "operation"], "way to meet").told(
        "Requests of any operation meet, or those of one."
    ),
}
MEETING: Final = mapping(BARRIER, ["parties"], "a mapping such as {parties: 3}")

REFUSAL: Final = _window(kinds.Refuse)
BLACKHOLE: Final = _window(kinds.Blackhole)
RESET: Final = _after_part(kinds.Reset)
CLOSE: Final = _after_part(kinds.Close)
GATHERING: Final = Shape(lambda place: kinds.Barrier(**MEETING(place)), MEETING.schema)
MOVE: Final = Shape(lambda place: kinds.AdvanceClock(DURATION(place)), DURATION.schema)
