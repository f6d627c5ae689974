"""The JSON Schema for editors agrees with the loader: what one refuses, the other does.

A text is read here as editors read it, by YAML 1.2, in which ``on`` is a word and a date a text.
"""

import json
import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from fakestripe.cli import main
from fakestripe.faults.kinds import LEGAL
from fakestripe.profiles.library import files, home
from fakestripe.profiles.schema import schema
from fakestripe.profiles.strikes import FAULTS
from fakestripe.protocol.points import POINTS

SCHEMA = schema()
EDITOR = Draft202012Validator(SCHEMA)
TAKES = {
    "wait": "2s",
    "reply": {"status": 502},
    "truncate": {"body": "50%"},
    "drip": {"bytes": 10, "every": "100ms"},
    "content_length": "150%",
    "barrier": {"parties": 3},
    "advance_clock": "25h",
    "refuse": {"for": "2s"},
    "blackhole": "2s",
}
"""What to write where the word alone says too little."""

ONLY_THE_LOADER = {
    "what YAML 1.1 makes of it": {
        "a boolean name",
        "a boolean parameter",
        "an octal parameter",
        "an attempt with leading zeros",
    },
    "a second entry, which a reader of values never sees": {
        "a key given twice",
        "a field given twice",
    },
    "what a glob may be about": {
        "a read at the commit",
        "a read that moves money",
        "attempts of a read",
        "operations of a read",
        "a part of the body of a read",
        "a key to forget where there is none",
    },
    "what several entries say together": {
        "a duplicate that nothing excuses",
        "an intent declared twice",
        "deliveries of which nothing is said",
        "an event both late and never",
        "an event before the answer and out of order",
        "copies of what never comes",
        "types of events at which nothing goes wrong",
        "a restricted key with a cap",
        "a vault key with permissions",
        "a key given twice over",
    },
    "the size of a number in words, and how a number is written": {
        "a duration of ten years",
        "an intent in major units",
    },
}
"""The mistakes that no schema can name, by the reason."""

MISTAKES = re.findall(
    r"^## (.+?)\n(.*?)\n=>\n",
    Path(__file__).with_name("mistakes.txt").read_text(),
    re.DOTALL | re.MULTILINE,
)


class Editor(yaml.SafeLoader):
    """Reads YAML 1.2."""

    yaml_implicit_resolvers = {}  # noqa: RUF012  # the class is how PyYAML is told


for kind, pattern, first in (
    ("bool", "^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", "^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", "^[-+]?[0-9]+$", "-+0123456789"),
    ("float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    Editor.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(pattern), list(first))


def accepts(text):
    try:
        return EDITOR.is_valid(yaml.load(text, Loader=Editor))
    except yaml.YAMLError:
        return False


def profile_of(name, point):
    do = name if FAULTS[name].word else {name: TAKES[name]}
    return {"name": "p", "rules": [{"at": point, "do": do}]}


def test_it_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


def test_it_is_printed(capsys):
    assert main(["profiles", "schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA


@pytest.mark.parametrize("path", files(home()), ids=lambda path: path.stem)
def test_it_accepts_every_built_in_profile(path):
    assert list(EDITOR.iter_errors(yaml.load(path.read_text(), Loader=Editor))) == []


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("name", LEGAL)
def test_it_knows_which_fault_strikes_where(name, point):
    one = profile_of(name, point)
    listed = {"name": "p", "rules": [{"at": point, "do": [one["rules"][0]["do"]]}]}

    assert EDITOR.is_valid(one) is (point in LEGAL[name])
    assert EDITOR.is_valid(listed) is (point in LEGAL[name])


def test_it_refuses_every_mistake_that_a_schema_can_name():
    accepted = {title for title, text in MISTAKES if accepts(text)}

    assert accepted == set().union(*ONLY_THE_LOADER.values())


def described(part, path="$"):
    """Yield the fields without a word about them."""
    if isinstance(part, list):
        for each in part:
            yield from described(each, path)
    if isinstance(part, dict):
        for name, field in part.get("properties", {}).items():
            if part.get("additionalProperties") is False and "description" not in resolved(field):
                yield f"{path}.{name}"
        for name, each in part.items():
            yield from described(each, f"{path}.{name}")


def resolved(field):
    return SCHEMA["$defs"][field["$ref"].rpartition("/")[2]] if "$ref" in field else field


def test_whoever_points_at_a_field_is_told_what_it_is():
    assert list(described(SCHEMA)) == []


def test_a_point_is_told_by_what_is_true_then():
    told = {each["const"]: each["description"] for each in at()["anyOf"]}

    assert told == POINTS


def at():
    return SCHEMA["$defs"]["rule"]["properties"]["at"]
