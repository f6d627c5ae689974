"""Every mistake in a profile: where it stands, what is wrong, and what to write instead.

``mistakes.txt`` holds them, each with a title, the text, and the exact error behind ``=>``.
"""

import re
from pathlib import Path

import pytest
import yaml

from fakestripe.profiles import Problem, ProfileError, parse
from fakestripe.profiles.problems import listed
from fakestripe.protocol.points import POINTS

MISTAKES = re.findall(
    r"^## (.+?)\n(.*?)\n=>\n(.*?)\n(?=\n## |\Z)",
    Path(__file__).with_name("mistakes.txt").read_text(),
    re.DOTALL | re.MULTILINE,
)


def refused(text, source="p.yaml"):
    with pytest.raises(ProfileError) as caught:
        parse(text, source)
    return caught.value


def test_the_table_is_read_whole():
    written = Path(__file__).with_name("mistakes.txt").read_text()

    assert len(MISTAKES) == written.count("\n=>\n")
    assert len({title for title, _, _ in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize(
    ("text", "error"), [m[1:] for m in MISTAKES], ids=[m[0] for m in MISTAKES]
)
def test_a_mistake_is_named_with_its_place_and_its_remedy(text, error):
    assert str(refused(f"{text}\n")) == error


def test_problems_come_in_the_order_of_the_text():
    problems = refused("name: p\nrules:\n- {at: x, do: y}\n- {at: z, do: y}\n").problems

    assert [problem.line for problem in problems] == [3, 3, 4, 4]
    assert problems[0] == Problem(
        source="p.yaml",
        message=f"'x' is no point; it may be {listed(POINTS)}",
        line=3,
        column=8,
        path="rules[0].at",
    )


def test_windows_line_ends_are_line_ends():
    assert str(refused("name: p\r\nrules:\r\n  - at: x\r\n    do: close\r\n")).startswith(
        "p.yaml:3:9: rules[0].at: "
    )


def test_half_a_character_is_no_text():
    assert str(refused("name: \ud800\n")) == (
        "p.yaml:1:1: this is not YAML: 'utf-8' codec can't encode character '\\ud800' "
        "in position 6: surrogates not allowed"
    )


def test_a_text_without_end_is_refused_before_it_is_read():
    assert str(refused("name: p\n" + "# \n" * 400_000)) == (
        "p.yaml: too long for a profile: more than 1,000,000 letters"
    )


def test_half_a_character_written_as_an_escape_is_none_either(monkeypatch):
    monkeypatch.delattr(yaml, "CSafeLoader")

    assert str(refused('name: "\\ud800"\nrules: [{at: sent, do: close}]\n')) == (
        "p.yaml:1:7: name: half a character: a surrogate cannot stand alone"
    )


@pytest.mark.parametrize("word", ["yes", "No", "ON", "off", "y", "N"])
def test_a_word_that_yaml_makes_a_boolean_is_refused_as_a_value(word):
    value = "true" if word.lower() in ("yes", "on", "y") else "false"

    assert str(refused(f"name: {word}\nrules: [{{at: sent, do: close}}]\n")) == (
        f"p.yaml:1:7: name: YAML makes the boolean {value} of a bare {word}: "
        f"put it in quotes, or write {value}"
    )


@pytest.mark.parametrize("number", ["0123", "0x1F", "0b11", "0o7", "1_000", "+017"])
def test_a_number_that_yaml_reads_otherwise_is_refused(number):
    text = f"name: p\nrules:\n- match: {{params: {{x: {number}}}}}\n  at: received\n  do: close\n"

    assert str(refused(text)) == (
        f"p.yaml:3:23: rules[0].match.params.x: YAML makes another number of a bare {number}: "
        "put it in quotes, or write digits alone"
    )


@pytest.mark.parametrize("time", ["24:00", "1:30:00", "190:20:30.15"])
def test_a_time_that_yaml_reads_as_seconds_is_refused(time):
    assert str(refused(f"name: p\nsettings: {{key_retention: {time}}}\n")) == (
        f"p.yaml:2:27: settings.key_retention: YAML makes a number of a bare {time}: "
        "put it in quotes, or write a duration such as 24h"
    )


SYNTAX = [m for m in MISTAKES if "this is not YAML" in m[2]]


@pytest.mark.parametrize(
    ("text", "error"), [m[1:] for m in MISTAKES if m not in SYNTAX], ids=lambda _: ""
)
def test_a_yaml_without_its_c_library_finds_the_same(text, error, monkeypatch):
    monkeypatch.delattr(yaml, "CSafeLoader")

    assert str(refused(f"{text}\n")) == error


@pytest.mark.parametrize("text", [m[1] for m in SYNTAX], ids=lambda _: "")
def test_a_yaml_without_its_c_library_refuses_the_same(text, monkeypatch):
    monkeypatch.delattr(yaml, "CSafeLoader")

    assert ": this is not YAML: " in str(refused(f"{text}\n"))
