"""Reads one rule: which requests, when, at which point, which faults."""

from typing import Any, Final

from fakestripe.faults.rules import DEFAULTS, MONEY, When
from fakestripe.profiles.place import Place
from fakestripe.profiles.selections import CHOICE, SELECTION
from fakestripe.profiles.sense import check_rule
from fakestripe.profiles.shapes import Shape, items, mapping, one_of
from fakestripe.profiles.strikes import STRIKES
from fakestripe.protocol.points import POINTS


def _rule(place: Place) -> dict[str, Any]:
    given = place.fields(RULE, ["at", "do"], "a mapping such as {at: committed, do: close}")
    struck = given.pop("do")
    given.setdefault("match", DEFAULTS.get(given["at"], MONEY))
    match, when = given["match"], given.get("when", When())
    before = len(place.notes)
    check_rule(given["at"], struck, match, when, place)
    place.stop_if_wrong(before)
    return {**given, "do": tuple(fault for fault, _ in struck)}


RULE: Final = {
    "match": SELECTION.told("Which requests; those that move money if left out."),
    "when": CHOICE.told("Which of them; every one if left out."),
    "at": one_of(POINTS, "point").told("The moment at which it strikes."),
    "do": STRIKES.told("What happens: one fault, or a list in order."),
}
RULES: Final = items(Shape(_rule, mapping(RULE, ["at", "do"]).schema))
