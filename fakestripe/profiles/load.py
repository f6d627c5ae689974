"""Text to ``Profile``: every problem at once, each with its place; never a traceback.

JSON is read as the YAML it is. What a rule's fields say alone is read by their own files; what
they say together is checked in ``sense``.
"""

from collections.abc import Callable
from itertools import takewhile
from typing import Any, Final, get_args

from fakestripe.faults.kinds import LEGAL
from fakestripe.faults.rules import DEFAULTS, MONEY, Profile, Rule, When, Word
from fakestripe.profiles import tree
from fakestripe.profiles.place import Place, Wrong
from fakestripe.profiles.problems import Problem, ProfileError, nearest, quoted
from fakestripe.profiles.selections import read_match, read_when
from fakestripe.profiles.sense import can_forget, check_rule
from fakestripe.profiles.settings import read_intents, read_selector, read_settings
from fakestripe.profiles.strikes import read_do
from fakestripe.protocol.points import ORDER, POINTS, Point

LONGEST_TEXT: Final = 1_000_000
STRUCK: Final = frozenset[Point]().union(*LEGAL.values())
NEVER: Final = frozenset({"overcharged", "missing"})


def parse(text: str, source: str) -> Profile:
    """Return the profile of a text; ``source`` names it in messages.

    Raises ``ProfileError`` with every problem found.
    """
    root = _root(text, source)
    notes: list[Problem] = []
    try:
        profile = _profile(Place(root, "", source, notes), text, source)
    except Wrong:
        raise ProfileError(*notes) from None
    return profile


def _root(text: str, source: str) -> tree.Node:
    if len(text) > LONGEST_TEXT:
        raise ProfileError(Problem(source, "too long for a profile: more than 1,000,000 letters"))
    try:
        root = tree.grow(text)
    except tree.Unreadable as problem:
        mark = problem.mark
        raise ProfileError(Problem(source, str(problem), mark.line, mark.column)) from None
    if root is None or (isinstance(root, tree.Scalar) and root.plain and not root.text):
        raise ProfileError(Problem(source, "empty: a profile has a name and rules", 1, 1))
    return root


def _profile(place: Place, text: str, source: str) -> Profile:
    given = place.fields(PROFILE, ["name"], "a mapping with name and rules")
    name = given["name"]
    rules = tuple(_named(rule, name, i) for i, rule in enumerate(given.pop("rules", ())))
    profile = Profile(**given, rules=rules, about=opening(text), source=source)
    if not (rules or "settings" in given or "intents" in given):
        raise place.wrong("'rules' is missing: a profile says what goes wrong, and when")
    if "duplicate" in profile.expect and not can_forget(profile):
        raise place.at("expect").wrong(
            "duplicate can be expected only where the profile makes the server forget a key: "
            "forget_key, expire_key, lose_record, advance_clock or cache_write_window"
        )
    return profile


def _named(fields: dict[str, Any], name: str, index: int) -> Rule:
    return Rule(name=f"{name}#{index}", **fields)


def opening(text: str) -> str:
    """Return the comment that a text opens with, without its marks."""
    comments = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return "\n".join(line[1:].strip() for line in comments).strip()


def _rule(place: Place) -> dict[str, Any]:
    given = place.fields(RULE, ["at", "do"], "a mapping such as {at: committed, do: close}")
    struck = given.pop("do")
    given.setdefault("match", DEFAULTS.get(given["at"], MONEY))
    match, when = given["match"], given.get("when", When())
    before = len(place.notes)
    check_rule(given["at"], struck, match, when, place)
    place.stop_if_wrong(before)
    return {**given, "do": tuple(fault for fault, _ in struck)}


def _point(place: Place) -> str:
    """Read a point; one at which nothing can strike is refused with its fault."""
    text = place.text("a point such as committed")
    if text not in POINTS:
        raise place.wrong(nearest(text, sorted(STRUCK, key=ORDER.__getitem__), "point"))
    return text


def _name(place: Place) -> str:
    name = place.line("a name")
    if not all(letter.isalnum() or letter in "-_." for letter in name):
        raise place.wrong(f"{quoted(name)} is no name: use letters, digits, dots and hyphens")
    return name


def _expected(place: Place) -> str:
    word = place.word(get_args(Word), "verdict")
    if word in NEVER:
        raise place.wrong(f"{word} can never be expected: no fault excuses it")
    return word


PROFILE: Final[dict[str, Callable[[Place], Any]]] = {
    "name": _name,
    "rules": lambda place: place.items(_rule),
    "expect": lambda place: place.items(_expected, "a list such as [clean]"),
    "settings": read_settings,
    "operation": read_selector,
    "intents": read_intents,
}

RULE: Final[dict[str, Callable[[Place], Any]]] = {
    "match": read_match,
    "when": read_when,
    "at": _point,
    "do": read_do,
}
