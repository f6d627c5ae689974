"""Parameters: Stripe's own messages, params and codes (stripe-facts 3.2)."""

import pytest

from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.form import parse
from fakestripe.protocol.params import Params

LONG_VALUE = (
    "Metadata values can have up to 500 characters, but you passed in a value that is 564 "
    f"characters. Invalid value: {'v' * 564}"
)
LONG_KEY = (
    "Metadata keys can have up to 40 characters, but you passed in a key that is 41 characters. "
    f"Invalid key: {'k' * 41}"
)


def refusal(read, body: bytes) -> tuple:
    """Return message, param and code of what a reader refuses."""
    with pytest.raises(StripeError) as refused:
        read(Params(parse(body)))
    error = refused.value
    assert (error.status, error.type, error.recorded) == (400, "invalid_request_error", False)
    return str(error), error.fields.get("param"), error.code


def test_of_a_table_only_what_was_sent_is_read():
    readers = {"amount": Params.integer, "source": Params.text, "capture": Params.boolean}

    assert Params(parse(b"capture=false&amount=1&foo=2")).given(readers) == {
        "amount": 1,
        "capture": False,
    }


def test_a_missing_parameter_is_named():
    expected = ("Missing required param: amount.", "amount", "parameter_missing")

    assert refusal(lambda p: p.required_int("amount"), b"") == expected
    assert refusal(lambda p: p.required_text("amount"), b"") == expected


@pytest.mark.parametrize(
    ("body", "message", "param"),
    [
        (b"foo=1", "Received unknown parameter: foo", "foo"),
        (b"amount=1&foo=1&bar=2", "Received unknown parameters: foo, bar", "foo"),
        (b"foo[bar]=1", "Received unknown parameter: foo", "foo"),
        (b"=x", "Received unknown parameter: ", ""),
        (b"fee=1&foo=2", "Received unknown parameter: foo", "foo"),
    ],
)
def test_unknown_parameters_are_listed(body, message, param):
    read = lambda p: p.only({"amount"}, refused={"fee"})  # noqa: E731

    assert refusal(read, body) == (message, param, "parameter_unknown")


def test_a_parameter_that_only_stripe_knows_is_refused_aloud():
    with pytest.raises(StripeError) as refused:
        Params(parse(b"amount=1&fee=2")).only({"amount"}, refused={"fee"})

    assert refused.value.unsupported
    assert refused.value.headers == (("Fakestripe-Unsupported", "fee"),)
    assert refused.value.fields["param"] == "fee"


def test_expand_is_known_everywhere():
    Params(parse(b"expand[]=customer")).only(frozenset())


@pytest.mark.parametrize(
    "value",
    [
        "abc",
        "7840.000000000001",
        "1.0038e+06",
        "",
        " 2000",
        "2_000",
        "+2000",
        "\uff12\uff10\uff10\uff10",
        "0x10",
        "--5",
        "9" * 19,
    ],
)
def test_an_integer_is_ascii_digits_and_nothing_else(value):
    tree = {"amount": value}
    with pytest.raises(StripeError) as refused:
        Params(tree).integer("amount")

    assert str(refused.value) == f"Invalid integer: {value}"
    assert refused.value.fields["param"] == "amount"
    assert refused.value.code == "parameter_invalid_integer"


@pytest.mark.parametrize(
    ("value", "number"), [("2000", 2000), ("-5", -5), ("0", 0), ("007", 7), ("9" * 18, 10**18 - 1)]
)
def test_integers_are_read(value, number):
    assert Params({"n": value}).integer("n") == number
    assert Params({"n": value}).required_int("n") == number


def test_an_absent_integer_is_none():
    assert Params({}).integer("limit", minimum=1, maximum=100) is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"limit=0", "This value must be greater than or equal to 1."),
        (b"limit=-5", "This value must be greater than or equal to 1."),
        (b"limit=101", "This value must be less than or equal to 100"),
        (b"limit[a]=1", "Invalid integer: {...}"),
    ],
)
def test_bounds_are_part_of_an_integer(value, message):
    read = lambda p: p.integer("limit", minimum=1, maximum=100)  # noqa: E731

    assert refusal(read, value) == (message, "limit", "parameter_invalid_integer")


@pytest.mark.parametrize("value", ["1", "YES", "True", "FALSE", "", "on"])
def test_a_boolean_is_true_or_false(value):
    read = lambda p: p.boolean("capture")  # noqa: E731

    assert refusal(read, f"capture={value}".encode()) == (
        f"Invalid boolean: {value}",
        "capture",
        None,
    )


def test_booleans_are_read():
    assert Params({"capture": "true"}).boolean("capture") is True
    assert Params({"capture": "false"}).boolean("capture") is False
    assert Params({}).boolean("capture") is None


def test_an_empty_string_cannot_unset_what_is_no_field():
    message = (
        "You passed an empty string for 'source'. We assume empty values are an attempt to unset "
        "a parameter; however 'source' cannot be unset. You should remove 'source' from your "
        "request or supply a non-empty value."
    )

    assert refusal(lambda p: p.text("source"), b"source=") == (
        message,
        "source",
        "parameter_invalid_empty",
    )


def test_an_empty_string_unsets_what_can_be_unset():
    assert Params({"description": ""}).unsettable("description") is None
    assert Params({"description": "x"}).unsettable("description") == "x"
    assert Params({}).unsettable("description") is None


def test_a_hash_is_no_string_and_a_string_is_no_hash():
    assert refusal(lambda p: p.text("source"), b"source[number]=1")[:2] == (
        "Invalid string: {...}",
        "source",
    )
    assert refusal(lambda p: p.below("shipping"), b"shipping=1")[:2] == (
        "Invalid object",
        "shipping",
    )


def test_parameters_below_are_named_with_their_brackets():
    below = Params(parse(b"shipping[address][line1]=")).below("shipping").below("address")
    with pytest.raises(StripeError) as refused:
        below.text("line1")

    assert refused.value.fields["param"] == "shipping[address][line1]"
    assert Params({"shipping": ""}).below("shipping") is None
    assert Params({}).below("shipping") is None
    with pytest.raises(StripeError, match=r"Received unknown parameter: shipping\[foo\]"):
        Params(parse(b"shipping[foo]=1")).below("shipping").only({"name"})


@pytest.mark.parametrize(
    ("body", "metadata"),
    [
        (b"", {}),
        (b"metadata=", {}),
        (b"metadata[a]=1&metadata[b]=", {"a": "1", "b": ""}),
        (b"metadata[0]=x&metadata[1]=y", {"0": "x", "1": "y"}),
        (b"metadata[5]=x", {"5": "x"}),
        (b"metadata[" + b"k" * 40 + b"]=" + b"v" * 500, {"k" * 40: "v" * 500}),
    ],
)
def test_metadata_is_read(body, metadata):
    assert Params(parse(body)).metadata() == metadata


def test_metadata_has_limits():
    fifty = b"&".join(b"metadata[k%d]=v" % number for number in range(50))
    read = Params.metadata

    assert len(read(Params(parse(fifty)))) == 50
    assert refusal(read, fifty + b"&metadata[x]=v&metadata[y]=v") == (
        "Metadata can have up to 50 keys, but you've set 52",
        "metadata",
        None,
    )
    assert refusal(read, b"metadata[k]=" + b"v" * 564) == (LONG_VALUE, "metadata", None)
    assert refusal(read, b"metadata[" + b"k" * 41 + b"]=v") == (LONG_KEY, "metadata", None)


def test_metadata_is_a_hash_of_strings():
    assert refusal(Params.metadata, b"metadata=abc") == ("Invalid object", "metadata", None)
    assert refusal(Params.metadata, b"metadata[a][b]=c") == (
        "Invalid string: {...}",
        "metadata[a]",
        None,
    )


def test_a_hash_can_be_told_from_a_text():
    params = Params({"created": {"gte": "1"}, "limit": "1"})

    assert [params.is_hash(name) for name in ("created", "limit", "absent")] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [(("a", "b"), "a or b"), (("a", "b", "c"), "a, b, or c")],
)
def test_a_choice_names_what_there_is(words, said):
    def read(params: Params) -> str | None:
        return params.choice("how", words)

    assert [read(Params(parse(body))) for body in (b"how=a", b"how=", b"")] == ["a", None, None]
    assert refusal(read, b"how=x") == (f"Invalid how: must be one of {said}", "how", None)
