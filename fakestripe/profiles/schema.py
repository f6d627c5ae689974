"""A JSON Schema of profiles, for editors: made of the tables that the loader reads by.

What a schema cannot say (a fault after one that ends the exchange, a duplicate that nothing
excuses) is left to the loader: ``profiles lint``.
"""

from typing import Final

from fakestripe.faults.kinds import FINAL, LEGAL, meaning
from fakestripe.profiles.load import PROFILE
from fakestripe.profiles.narrow import NARROW, UNKNOWN
from fakestripe.profiles.rule import RULE
from fakestripe.profiles.shapes import Schema, either, mapping
from fakestripe.profiles.strikes import FAULTS
from fakestripe.protocol.points import POINTS, Point

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SUBSTANCE: Final = ("rules", "settings", "intents")
"""Of these a profile has at least one."""


def schema() -> Schema:
    """Return the schema of a profile."""
    whole = mapping(PROFILE, ["name"]).schema
    rules = {**whole["properties"]["rules"], "items": _ref("rule")}
    return {
        "$schema": DIALECT,
        "title": "A fault profile of fakestripe",
        **whole,
        "properties": {**whole["properties"], "rules": rules},
        "anyOf": [{"required": [name]} for name in SUBSTANCE],
        "$defs": _definitions(),
    }


def _definitions() -> dict[str, Schema]:
    taking = {name: each.arguments.schema for name, each in FAULTS.items() if each.arguments}
    return {
        "rule": _rule(),
        **{f"do-at-{point}": _do(point) for point in POINTS},
        **{f"fault-at-{point}": _fault(point) for point in POINTS},
        **{f"{name}-alone": _word(name) for name, written in FAULTS.items() if written.word},
        **{name: {"description": meaning(name), **shape} for name, shape in taking.items()},
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _rule() -> Schema:
    rule = mapping(RULE, ["at", "do"]).schema
    at = {
        "description": rule["properties"]["at"]["description"],
        **either(*({"const": point, "description": told} for point, told in POINTS.items())),
    }
    return {
        **rule,
        "properties": {**rule["properties"], "at": at},
        "allOf": [_at(point) for point in POINTS],
    }


def _at(point: Point) -> Schema:
    """Return what a rule at a point may say."""
    then = {"do": _ref(f"do-at-{point}")}
    known = UNKNOWN.get(point)
    if known is not None:
        fields = {"type": "object", "propertyNames": {"enum": list(known.match)}}
        then["match"] = either({"const": "any"}, fields)
        then["when"] = {"propertyNames": {"enum": list(known.when)}}
    here = {"properties": {"at": {"const": point}}, "required": ["at"]}
    return {"if": here, "then": {"properties": then}}


def _do(point: Point) -> Schema:
    """Return one fault, or a list of which no more than one ends the exchange."""
    fault = _ref(f"fault-at-{point}")
    taking = [{"required": [name]} for name in sorted(FINAL)]
    final = either({"enum": sorted(FINAL)}, {"type": "object", **either(*taking)})
    ends = {"contains": final, "minContains": 0, "maxContains": 1}
    return either(fault, {"type": "array", "items": fault, "minItems": 1, **ends})


def _fault(point: Point) -> Schema:
    """Return the words and the mappings that are faults at a point."""
    here = {name: written for name, written in FAULTS.items() if point in LEGAL[name]}
    words = [name for name, written in here.items() if written.word]
    taking = [name for name, written in here.items() if written.arguments]
    return either(
        *(_ref(f"{name}-alone") for name in words),
        {
            "type": "object",
            "properties": {name: _arguments(name, point) for name in taking},
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        },
    )


def _word(name: str) -> Schema:
    return {"const": name, "description": meaning(name)}


def _arguments(name: str, point: Point) -> Schema:
    """Return what a fault may take at a point."""
    elsewhere = [each for each in NARROW if each.fault == name and point not in each.points]
    refused = [{"not": {"type": "object", **each.written}} for each in elsewhere]
    return {**_ref(name), **({"allOf": refused} if refused else {})}
