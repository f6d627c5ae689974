"""Whatever text comes, it is a profile or a ``ProfileError`` that says where: nothing else."""

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fakestripe.faults.kinds import LEGAL
from fakestripe.faults.line import line_of
from fakestripe.faults.rules import Profile
from fakestripe.profiles import ProfileError, parse
from fakestripe.profiles.schema import schema
from fakestripe.profiles.told import explained, situation
from fakestripe.protocol.points import POINTS

WORDS = st.sampled_from(
    [
        *LEGAL,
        *POINTS,
        *("name", "rules", "match", "when", "at", "do", "expect", "settings", "intents"),
        *("operation", "moves", "money", "any", "params", "headers", "attempt", "nth", "times"),
        *("connection", "fresh", "reused", "body", "head", "then", "status", "stripe", "parties"),
        *("key_retention", "clock", "start", "frozen", "customers", "count", "amount", "clean"),
        *("duplicate", "30s", "50%", "24:00", "0123", "on", "yes", "true", "null", "~", "=", "<<"),
        *("metadata[order_id]", "metadata.order_id", "GET", "/v1/charges", "2026-01-31", "1e3"),
        *("", " ", "-", "?", ":", "#", "&a", "*a", "!!str", "\t", "%", "@", "\u2028", "\x85"),
    ]
)
SCALARS = st.one_of(WORDS, st.integers(), st.booleans(), st.none(), st.floats(), st.text())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=4)
    ),
    max_leaves=12,
)
FAULTS = st.one_of(
    st.sampled_from(list(LEGAL)), st.dictionaries(st.sampled_from(list(LEGAL)), VALUES)
)
RULES = st.fixed_dictionaries(
    {"at": st.sampled_from(list(POINTS)), "do": st.one_of(FAULTS, st.lists(FAULTS, max_size=3))},
    optional={
        "match": st.one_of(st.just("any"), st.dictionaries(WORDS, SCALARS, max_size=3)),
        "when": st.dictionaries(
            st.sampled_from(["attempt", "nth", "times", "operation", "connection"]),
            st.one_of(st.integers(0, 3), st.lists(st.integers(0, 3)), WORDS),
            max_size=3,
        ),
    },
)
PROFILES = st.fixed_dictionaries(
    {"name": st.just("p"), "rules": st.lists(RULES, max_size=3)},
    optional={
        "expect": st.lists(WORDS, max_size=2),
        "settings": st.dictionaries(WORDS, VALUES, max_size=2),
        "intents": st.lists(st.dictionaries(WORDS, VALUES, max_size=3), max_size=2),
        "operation": WORDS,
    },
)


EDITOR = Draft202012Validator(schema())


def outcome(text):
    try:
        return parse(text, "p.yaml")
    except ProfileError as refused:
        return refused.problems


def read(text):
    """Parse, and hold what comes out to the promise; return whether it is a profile."""
    found = outcome(text)
    if isinstance(found, Profile):
        assert line_of(found)["name"] == found.name
        assert isinstance(situation(found), str)
        assert all(explained(found))
        return True
    assert found
    assert all(problem.source == "p.yaml" and problem.message for problem in found)
    assert all(problem.line >= 1 and problem.column >= 1 for problem in found)
    return False


@settings(max_examples=300, deadline=None)
@given(st.text())
def test_any_text(text):
    read(text)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(WORDS, st.sampled_from([": ", "\n", "\n  ", "- ", "{", "}", "[", "]", ", "]))
    )
)
def test_any_heap_of_words(words):
    read("".join(words))


@settings(max_examples=300, deadline=None)
@given(PROFILES)
def test_anything_that_looks_like_a_profile(value):
    if read(yaml.safe_dump(value, allow_unicode=True)):
        assert EDITOR.is_valid(value)


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_any_value(value):
    read(yaml.safe_dump(value, allow_unicode=True))
