"""Reads ``match`` (which requests) and ``when`` (which of them) of a rule."""

import re
from typing import Final

from fakestripe.faults.rules import MONEY, Match, When
from fakestripe.profiles import tree
from fakestripe.profiles.place import Place
from fakestripe.profiles.shapes import (
    NUMBER,
    NUMBERS,
    SOME,
    TEXTUAL,
    Schema,
    Shape,
    either,
    line,
    mapping,
    one_of,
)

DOTTED: Final = re.compile(r"[A-Za-z_][\w-]*(\.[\w-]+)*", re.ASCII)
TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)


def read_match(place: Place) -> Match:
    """Read ``any``, or a mapping of what must all hold."""
    node = place.node
    if isinstance(node, tree.Scalar) and node.text == "any":
        return Match(any=True)
    if not isinstance(node, tree.Mapping):
        raise place.wrong("expected any, or a mapping such as {moves: money}")
    fields = place.fields(MATCH)
    if not fields:
        raise place.wrong("empty: leave it out for {moves: money}, or write any")
    if fields == {"moves": "money"}:
        return MONEY
    return Match(**fields)


def read_when(place: Place) -> When:
    """Read which of the matching requests a rule strikes."""
    fields = place.fields(WHEN, wanted="a mapping such as {attempt: 1}")
    if not fields:
        raise place.wrong("empty: leave it out to strike every match")
    return When(**fields)


def check_dotted(place: Place, name: str, mark: tree.Mark | None = None) -> str:
    """Return the dotted name, or note what is wrong with it."""
    if DOTTED.fullmatch(name):
        return name
    plain = re.sub(r"\[(\w*)\]", r".\1", name).rstrip(".")
    hint = f"; write {plain}" if DOTTED.fullmatch(plain) else ""
    raise place.wrong(f"{name!r} is no dotted name of a parameter{hint}", mark)


def _method(place: Place) -> str:
    method = place.line("a method such as POST").upper()
    if not re.fullmatch(r"[A-Z*?]+", method):
        raise place.wrong(f"{method!r} is no method; write one such as POST")
    return method


def _path(place: Place) -> str:
    path = place.line("a path such as /v1/charges")
    if path[0] not in "/*":
        raise place.wrong(f"{path!r} is no path: it begins with a slash, as in /v1/charges")
    return path


def _params(place: Place) -> dict[str, str]:
    for key, below in place.entries().items():
        check_dotted(below, key.text, key.mark)
    return _told(place, place.pairs(Place.text))


def _headers(place: Place) -> dict[str, str]:
    for key, below in place.entries().items():
        if not TOKEN.fullmatch(key.text):
            raise below.wrong(f"{key.text!r} is no name of a header", key.mark)
    return _told(place, place.pairs(Place.text))


def _told(place: Place, pairs: dict[str, str]) -> dict[str, str]:
    if not pairs:
        raise place.wrong("empty: leave it out, or name at least one")
    return pairs


GLOB: Final = "A glob: * is any run of letters, ? any letter."
NAMED: Final = {"type": "object", "additionalProperties": {"type": TEXTUAL}, "minProperties": 1}

MATCH: Final = {
    "moves": one_of(["money"], "movement").told("Requests that move money: each is a POST."),
    "method": Shape(_method, {"type": "string", "pattern": "^[A-Za-z*?]+$"}).told(
        "The method, or a glob."
    ),
    "path": Shape(_path, {"type": "string", "pattern": "^[/*]"}).told(f"The path. {GLOB}"),
    "params": Shape(_params, {**NAMED, "propertyNames": {"pattern": f"^{DOTTED.pattern}$"}}).told(
        f"Parameters by their dotted names, as in metadata.order_id. {GLOB}"
    ),
    "headers": Shape(_headers, {**NAMED, "propertyNames": {"pattern": f"^{TOKEN.pattern}$"}}).told(
        f"Headers by name. {GLOB}"
    ),
    "idempotency_key": line("present, absent or a glob").told("present, absent, or a glob."),
    "account": line("an account").told("The account: its id, a key of it, or a glob."),
}

WHEN: Final = {
    "attempt": NUMBERS.told("Which attempts of an operation: a number or a list."),
    "operation": NUMBER.told("Only the N-th operation."),
    "nth": NUMBERS.told("Which of all matches: a number or a list. It hangs on who comes first."),
    "times": NUMBER.told("At most so often."),
    "connection": one_of(["fresh", "reused"], "connection").told(
        "The first request of a connection, or a later one."
    ),
    "request_on_connection": NUMBER.told("The N-th request of its connection."),
}


def _both(connection: str, request: Schema) -> Schema:
    fields = {"connection": {"const": connection}, "request_on_connection": request}
    return {"properties": fields, "required": list(fields)}


SELECTION: Final = Shape(read_match, either({"const": "any"}, mapping(MATCH).under(**SOME).schema))
CHOICE: Final = Shape(read_when, mapping(WHEN).under(**SOME).schema).under(
    allOf=[
        {"not": _both("fresh", {"minimum": 2})},
        {"not": _both("reused", {"const": 1})},
    ]
)
