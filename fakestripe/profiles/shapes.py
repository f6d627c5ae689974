"""A shape is how a value of a profile is read, and the JSON Schema of what can be read so.

The tables of the loader are made of shapes, and the schema that editors use is made of those
tables: what is refused and what is offered have one source.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct

from fakestripe.profiles import tree
from fakestripe.profiles.place import DIGITS, MOST, Place
from fakestripe.profiles.problems import quoted

Schema: TypeAlias = dict[str, Any]
Read: TypeAlias = Callable[[Place], Any]

TEXTUAL: Final = ["string", "number", "boolean"]
"""A bare number or truth value is the text as written."""
SPOKEN: Final = {"type": TEXTUAL, "pattern": r"^[^\r\n]*\S[^\r\n]*$"}
ALL: Final = 100
MOST_PERCENT: Final = 999
SOME: Final = {"minProperties": 1}
UNIT: Final = r"[0-9]+(\.[0-9]+)?(ms|s|m|h|d)"


class Shape(Struct, frozen=True):
    """How a value is read, and what an editor may know of it."""

    read: Read
    schema: Schema

    def __call__(self, place: Place) -> Any:
        """Read the value; raises ``Wrong``."""
        return self.read(place)

    def told(self, about: str) -> "Shape":
        """Return the shape with a description for whoever points at it in an editor."""
        return Shape(self.read, {"description": about, **self.schema})

    def under(self, **more: Any) -> "Shape":
        """Return the shape with further conditions that its reader has."""
        return Shape(self.read, {**self.schema, **more})


Table: TypeAlias = Mapping[str, Shape]


def whole(least: int = 1, most: int = MOST, wanted: str = "a whole number") -> Shape:
    """Return the shape of a whole number."""
    limits = {"minimum": least, "maximum": most}
    return Shape(lambda place: place.integer(least, most, wanted), {"type": "integer", **limits})


def one_of(words: Iterable[str], what: str) -> Shape:
    """Return the shape of one word of several; YAML makes a boolean of a bare true."""
    legal = list(words)
    bare = [True] if "true" in legal else []
    return Shape(lambda place: place.word(legal, what), {"enum": [*legal, *bare]})


def line(wanted: str) -> Shape:
    """Return the shape of a text of one line."""
    return Shape(lambda place: place.line(wanted), SPOKEN)


def mapping(table: Table, required: Iterable[str] = (), wanted: str = "a mapping") -> Shape:
    """Return the shape of a mapping whose keys are the table's."""
    names = list(required)
    schema = {
        "type": "object",
        "properties": {name: shape.schema for name, shape in table.items()},
        "additionalProperties": False,
    }
    needs = {"required": names} if names else {}
    return Shape(lambda place: place.fields(table, names, wanted), {**schema, **needs})


def items(each: Shape, wanted: str = "a list") -> Shape:
    """Return the shape of a list that is not empty."""
    schema = {"type": "array", "items": each.schema, "minItems": 1}
    return Shape(lambda place: place.items(each, wanted), schema)


def either(*schemas: Schema) -> Schema:
    """Return the schema of a value that has one of several forms."""
    return {"anyOf": list(schemas)}


def some(place: Place, shape: Shape) -> dict[str, Any]:
    """Read the arguments of a fault that needs none as a word: a mapping says at least one."""
    given: dict[str, Any] = shape(place)
    if not given:
        raise place.wrong("empty: write the word alone, or say how much")
    return given


def _amount(place: Place) -> int | float:
    """Read a number of bytes, or a percentage as a fraction."""
    node = place.node
    found = re.fullmatch(r"([0-9]+)%", node.text) if isinstance(node, tree.Scalar) else None
    if found is None:
        return _bytes(place)
    percent = int(found.group(1)[:DIGITS])
    if percent > MOST_PERCENT:
        raise place.wrong(f"must be {MOST_PERCENT}% or less, got {quoted(found.group())}")
    return percent / ALL


def _part(place: Place) -> int | float:
    """Read a number of bytes, or a percentage as a fraction; at most all of it."""
    part = _amount(place)
    if isinstance(part, float) and part > 1:
        raise place.wrong(f"{part:.0%} is more than all of it")
    return part


def _bytes(place: Place) -> int:
    wanted = "bytes or a percentage such as 50%"
    text = place.text(wanted)
    if not (text.isascii() and text.isdigit()):
        raise place.wrong(f"expected {wanted}, got {quoted(text)}")
    return place.integer(least=0, wanted=wanted)


def _percentage(pattern: str) -> Schema:
    size: Schema = {"type": "integer", "minimum": 0, "maximum": MOST}
    return either(size, {"type": "string", "pattern": pattern})


def _timing(*, zero: bool = False) -> Schema:
    some = "" if zero else r"(?![0.]+[a-z])"
    return {"type": "string", "pattern": rf"^\s*{some}{UNIT}\s*$", "examples": ["30s", "250ms"]}


TEXT: Final = Shape(Place.text, {"type": TEXTUAL})
BOOLEAN: Final = Shape(Place.boolean, {"type": "boolean"})
DURATION: Final = Shape(Place.duration, _timing())
DURATION_OR_NONE: Final = Shape(lambda place: place.duration(zero=True), _timing(zero=True))
AMOUNT: Final = Shape(_amount, _percentage(r"^0*[0-9]{1,3}%$"))
PART: Final = Shape(_part, _percentage(r"^0*([0-9]{1,2}|100)%$"))
NUMBER: Final = whole()
NUMBERS: Final = Shape(
    lambda place: (
        place.items(NUMBER) if isinstance(place.node, tree.Sequence) else (NUMBER(place),)
    ),
    either(NUMBER.schema, items(NUMBER).schema),
)
