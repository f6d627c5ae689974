"""Forms: every spelling that SDKs use, and every one that nobody should."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.form import DEEPEST, flatten, parse, same, write


@pytest.mark.parametrize(
    ("body", "tree"),
    [
        (b"", {}),
        (b"a=1&b=2", {"a": "1", "b": "2"}),
        (b"a=", {"a": ""}),
        (b"a", {"a": ""}),
        (b"a=1=2", {"a": "1=2"}),
        (b"a=x+y%20z", {"a": "x y z"}),
        (b"a+b=1&c%20d=2", {"a b": "1", "c d": "2"}),
        (b"a=%C3%A9&b=\xc3\xa9", {"a": "é", "b": "é"}),
        (b"a[b]=1&a[c]=2", {"a": {"b": "1", "c": "2"}}),
        (b"a%5Bb%5D=1", {"a": {"b": "1"}}),
        (b"a[]=1&a[]=2", {"a": ["1", "2"]}),
        (b"a[0]=1&a[1]=2", {"a": ["1", "2"]}),
        (b"a[1]=2&a[0]=1", {"a": ["1", "2"]}),
        (b"a[0][b]=1&a[0][c]=2&a[1][b]=3", {"a": [{"b": "1", "c": "2"}, {"b": "3"}]}),
        (b"a[b][]=1&a[b][]=2", {"a": {"b": ["1", "2"]}}),
        (b"&&a=1&&", {"a": "1"}),
    ],
)
def test_a_form_is_read_in_every_spelling(body, tree):
    assert parse(body) == tree


@pytest.mark.parametrize(
    ("body", "tree"),
    [
        (b"a=1&a=2", {"a": "2"}),
        (b"a[b]=1&a[b]=2", {"a": {"b": "2"}}),
        (b"a[1]=x&a[]=y", {"a": {"1": "x", "2": "y"}}),
        (b"a[5]=x", {"a": {"5": "x"}}),
        (b"a[00]=x", {"a": {"00": "x"}}),
        (b"a[0]=x&a[b]=y", {"a": {"0": "x", "b": "y"}}),
    ],
)
def test_the_last_of_equal_names_wins_and_only_indexes_from_zero_make_an_array(body, tree):
    assert parse(body) == tree


@pytest.mark.parametrize(
    "name", ["a[", "a]", "[", "]", "[]", "[a]", "a[b", "a[b]c", "a[b[c]]", "a]b[c]", ""]
)
def test_a_name_whose_brackets_do_not_match_is_literal(name):
    assert parse(f"{name}=x".encode()) == {name: "x"}


def test_an_escape_that_is_none_stands_for_itself():
    assert parse(b"a=%zz&b=100%") == {"a": "%zz", "b": "100%"}


def test_nul_and_other_control_characters_are_characters():
    assert parse(b"a=x%00y\x01") == {"a": "x\0y\1"}


@pytest.mark.parametrize(
    "body",
    [
        b"a=\xff",
        b"\xff=1",
        b"a=%FF",
        b"%FF=1",
        b"a=%ED%A0%80",
        b"a[%ED%A0%80]=1",
        b"a=\xed\xa0\x80",
    ],
)
def test_bytes_and_escapes_that_are_not_utf_8_are_refused(body):
    """Lone surrogates (ED A0 80) are not UTF-8 either."""
    with pytest.raises(StripeError) as refused:
        parse(body)

    assert (refused.value.status, refused.value.recorded) == (400, False)
    assert str(refused.value) == "Invalid request body: it is not valid UTF-8."


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"a=1&a[b]=2", "Invalid hash"),
        (b"a[b]=2&a=1", "Invalid string"),
        (b"a[b]=1&a[b][c]=2", "Invalid hash"),
        (b"a[b][c]=2&a[b]=1", "Invalid string"),
        (b"a[]=1&a=2", "Invalid string"),
    ],
)
def test_one_name_is_a_value_or_a_container(body, message):
    with pytest.raises(StripeError) as refused:
        parse(body)

    assert (refused.value.status, str(refused.value)) == (400, message)
    assert refused.value.fields["param"] == "a"


@pytest.mark.parametrize("depth", [DEEPEST + 1, 1_000, 100_000])
def test_a_name_nested_too_deep_is_refused_whatever_its_depth(depth):
    with pytest.raises(StripeError, match="nested deeper than 32 levels") as refused:
        parse(b"a" + b"[b]" * depth + b"=1")

    assert (refused.value.status, refused.value.fields["param"]) == (400, "a")


def test_the_deepest_name_is_read():
    tree = parse(b"a" + b"[b]" * DEEPEST + b"=1")

    assert flatten(tree) == [("a" + ".b" * DEEPEST, "1")]


def test_names_too_long_to_be_kept_are_read_like_any_other():
    name = "a" * 200

    assert parse(f"{name}[b]=1".encode()) == {name: {"b": "1"}}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"a=1&b=2", b"b=2&a=1"),
        (b"a[]=1&a[]=2", b"a[0]=1&a[1]=2"),
        (b"a[b]=1&a[c]=2", b"a%5Bc%5D=2&a%5Bb%5D=1"),
        (b"a=x%20y", b"a=x+y"),
    ],
)
def test_order_and_spelling_leave_no_trace(one, other):
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"a=1", b"a=2"),
        (b"a=1", b"a=1&b="),
        (b"a=1%00b%012", b"a=1&b=2"),
        (b"a[]=1&a[]=2", b"a[]=2&a[]=1"),
        (b"a[b]=1", b"a.b=1"),
        (b"a=2000", b"a=02000"),
    ],
)
def test_whatever_differs_is_not_the_same(one, other):
    assert not same(one, other)


def test_flattened_names_are_dotted_and_sorted():
    assert flatten(parse(b"metadata[order_id]=o&amount=1&a[0][b]=x")) == [
        ("a.0.b", "x"),
        ("amount", "1"),
        ("metadata.order_id", "o"),
    ]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.binary(max_size=60) | st.text("ab[]=&%+01", max_size=30).map(str.encode))
def test_what_is_written_is_what_was_read(body):
    """Whatever bytes arrive: they are refused, or they make the round through the journal."""
    try:
        tree = parse(body)
    except StripeError:
        return
    assert parse(write(tree)) == tree
    assert parse(write(tree)) == tree
