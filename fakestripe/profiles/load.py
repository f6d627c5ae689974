"""Text to ``Profile``: every problem at once, each with its place; never a traceback.

JSON is read as the YAML it is. What a rule's fields say alone is read by their own files; what
they say together is checked in ``sense``.
"""

from itertools import takewhile
from typing import Any, Final, get_args

from fakestripe.faults.rules import Profile, Rule, Word
from fakestripe.profiles import tree
from fakestripe.profiles.intents import INTENTS, SELECTOR
from fakestripe.profiles.place import Place, Wrong
from fakestripe.profiles.problems import Problem, ProfileError, quoted
from fakestripe.profiles.rule import RULES
from fakestripe.profiles.sense import can_forget
from fakestripe.profiles.settings import BEHAVIOUR
from fakestripe.profiles.shapes import Shape, items

LONGEST_TEXT: Final = 1_000_000
MODELINE: Final = "# yaml-language-server:"
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
    """Return the comment that a text opens with, without its marks and what is for editors."""
    comments = takewhile(lambda line: line.startswith("#"), text.splitlines())
    told = (line for line in comments if not line.startswith(MODELINE))
    return "\n".join(line[1:].strip() for line in told).strip()


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


NAME: Final = Shape(_name, {"type": "string", "pattern": r"^[\w.-]+$"})
VERDICT: Final = Shape(_expected, {"enum": [w for w in get_args(Word) if w not in NEVER]})

PROFILE: Final = {
    "name": NAME.told("The name of the file, without its ending."),
    "rules": RULES.told("Tried in this order; at most one of them strikes a request."),
    "expect": items(VERDICT, "a list such as [clean]").told(
        "The words that a correct client may get; clean alone if left out."
    ),
    "settings": BEHAVIOUR.told("How the account behaves, apart from the rules."),
    "operation": SELECTOR.told("What names a payment, such as metadata.order_id."),
    "intents": INTENTS.told("What the client sets out to pay."),
}
