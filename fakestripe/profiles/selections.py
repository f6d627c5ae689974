"""Reads ``match`` (which requests) and ``when`` (which of them) of a rule."""

import re
from collections.abc import Callable
from typing import Any, Final

from fakestripe.faults.rules import MONEY, Match, When
from fakestripe.profiles import tree
from fakestripe.profiles.place import Place

DOTTED: Final = re.compile(r"[A-Za-z_][\w-]*(\.[\w-]+)*", re.ASCII)
TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)


def read_match(place: Place) -> Match:
    """Read ``any``, or a mapping of what must all hold."""
    node = place.node
    if isinstance(node, tree.Scalar) and node.plain and node.text == "any":
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


def _key(place: Place) -> str:
    return place.line("present, absent or a glob")


def numbers(place: Place) -> tuple[int, ...]:
    """Read one number or a list of them, counted from 1."""
    if isinstance(place.node, tree.Sequence):
        return place.items(number)
    return (number(place),)


def number(place: Place) -> int:
    """Read a number, counted from 1."""
    return place.integer(least=1)


MATCH: Final[dict[str, Callable[[Place], Any]]] = {
    "moves": lambda place: place.word(["money"], "movement"),
    "method": _method,
    "path": _path,
    "params": _params,
    "headers": _headers,
    "idempotency_key": _key,
    "account": lambda place: place.line("an account"),
}

WHEN: Final[dict[str, Callable[[Place], Any]]] = {
    "attempt": numbers,
    "operation": number,
    "nth": numbers,
    "times": number,
    "connection": lambda place: place.word(["fresh", "reused"], "connection"),
    "request_on_connection": number,
}
