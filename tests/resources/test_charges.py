"""Charges: create, retrieve, list (stripe-facts 3.2, 4)."""

import pytest

CHARGE = "/v1/charges"
FORM = "amount=2000&currency=usd&source=tok_visa"
MISSING = "Missing required param: {}."
UNKNOWN = "Received unknown parameter: {}"
NOT_EMULATED = "fakestripe does not emulate the parameter '{}'; Stripe would have read it."
CODES = {MISSING: "parameter_missing", UNKNOWN: "parameter_unknown", NOT_EMULATED: None}
FORBIDDEN = r"""The statement descriptor must not hold any of < > \ ' " *."""
LINE1 = "shipping[address][line1]"
SHIPPING = (
    "&shipping[name]=A&shipping[address][line1]=Main+1&shipping[address][city]=X&shipping[phone]=1"
)


def test_a_charge_is_all_that_was_asked(account):
    charge = account.post(
        f"{FORM}&description=two&metadata[order_id]=ord_1&metadata[gone]=&receipt_email=a@b.c"
        f"&statement_descriptor=Shop&transfer_group=g1&radar_options[session]=rse_1{SHIPPING}"
    ).json

    assert (charge["object"], charge["amount"], charge["currency"]) == ("charge", 2000, "usd")
    assert (charge["status"], charge["paid"], charge["captured"]) == ("succeeded", True, True)
    assert (charge["amount_captured"], charge["amount_refunded"]) == (2000, 0)
    assert charge["created"] == int(account.now)
    assert charge["description"] == "two"
    assert charge["metadata"] == {"order_id": "ord_1"}
    assert charge["receipt_email"] == "a@b.c"
    assert charge["statement_descriptor"] == "Shop"
    assert charge["calculated_statement_descriptor"] == "FAKESTRIPE* SHOP"
    assert charge["transfer_group"] == "g1"
    assert charge["shipping"] == {
        "address": {
            "city": "X",
            "country": None,
            "line1": "Main 1",
            "line2": None,
            "postal_code": None,
            "state": None,
        },
        "carrier": None,
        "name": "A",
        "phone": "1",
        "tracking_number": None,
    }
    assert charge["payment_method"] == charge["source"]["id"]
    assert charge["balance_transaction"][:21] == "txn_" + charge["id"][3:20]
    assert charge["outcome"]["seller_message"] == "Payment complete."
    assert "capture_before" not in charge["payment_method_details"]["card"]


def test_an_authorisation_holds_the_amount_for_seven_days(account):
    charge = account.post(f"{FORM}&capture=false").json

    assert (charge["status"], charge["paid"], charge["captured"]) == ("succeeded", True, False)
    assert (charge["amount_captured"], charge["balance_transaction"]) == (0, None)
    assert (
        charge["payment_method_details"]["card"]["capture_before"] == charge["created"] + 604_800
    )


def test_a_charge_is_shown_as_it_was_answered(account):
    made = account.post(FORM)
    shown = account.get(f"{CHARGE}/{made.json['id']}")

    assert (shown.status, shown.body) == (200, made.body)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{CHARGE}/ch_x?", (404, "No such charge: 'ch_x'", "id")),
        (f"{CHARGE}/ch_x?foo=1", (400, "Received unknown parameter: foo", "foo")),
        (f"{CHARGE}?foo=1", (400, "Received unknown parameter: foo", "foo")),
        (f"{CHARGE}?customer=cus_x", (400, "No such customer: 'cus_x'", "customer")),
        (f"{CHARGE}?starting_after=ch_x", (400, "No such charge: 'ch_x'", "starting_after")),
        (f"{CHARGE}?limit=%FF", (400, "Invalid request body: it is not valid UTF-8.", None)),
    ],
)
def test_what_is_not_there_is_named(account, url, expected):
    path, _, query = url.partition("?")
    answer = account.get(path, query)

    assert (answer.status, answer.error["message"], answer.error.get("param")) == expected


@pytest.mark.parametrize(
    ("form", "param", "message"),
    [
        ("currency=usd&source=tok_visa", "amount", MISSING),
        ("amount=2000&source=tok_visa", "currency", MISSING),
        (f"{FORM}&shipping[phone]=1", "shipping[name]", MISSING),
        (f"{FORM}&shipping[name]=N", "shipping[address]", MISSING),
        (f"{FORM}&shipping[name]=A&shipping[address][city]=X", LINE1, MISSING),
        ("ammount=2000&currency=usd", "ammount", UNKNOWN),
        (f"{FORM}&shipping[foo]=1", "shipping[foo]", UNKNOWN),
        (f"{FORM}&shipping[address][foo]=1", "shipping[address][foo]", UNKNOWN),
        (f"{FORM}&transfer_data[destination]=acct_1", "transfer_data", NOT_EMULATED),
        (f"{FORM}&source=tok_x", "source", "No such token: 'tok_x'"),
        (f"{FORM}&source=pm_x", "source", "No such PaymentMethod: 'pm_x'"),
        (f"{FORM}&source=card_x", "source", "No such source: 'card_x'"),
        (f"{FORM}&customer=cus_x", "customer", "No such customer: 'cus_x'"),
        ("amount=2000&currency=usd", None, "Must provide source or customer."),
        (
            "amount=2000&currency=usd&source[number]=4242",
            "source[exp_month]",
            MISSING.format("source[exp_month]"),
        ),
        ("amount=2000&currency=usd&source[]=tok_visa", "source", "Invalid string: {...}"),
        (f"{FORM}&shipping=1", "shipping", "Invalid object"),
        (f"{FORM}&metadata=1", "metadata", "Invalid object"),
        (f"{FORM}&metadata[a]=1&metadata[a][b]=2", "metadata", "Invalid hash"),
    ],
)
def test_what_cannot_be_charged_is_refused_with_stripes_words(account, form, param, message):
    answer = account.post(form)
    error = answer.error

    assert (answer.status, error["type"]) == (400, "invalid_request_error")
    assert error.get("param") == param
    assert error["message"] == message.replace("{}", str(param))
    assert error.get("code") == CODES.get(message, error.get("code"))
    assert account.charges == []


@pytest.mark.parametrize("name", ["source", "customer", "transfer_group"])
def test_an_empty_string_cannot_unset_what_is_no_field(account, name):
    error = account.post(f"{FORM}&{name}=").error

    assert (error["param"], error["code"]) == (name, "parameter_invalid_empty")


def test_empty_strings_unset_what_can_be_unset(account):
    charge = account.post(
        f"{FORM}&description=&receipt_email=&metadata=&shipping=&statement_descriptor="
    ).json

    assert (charge["description"], charge["receipt_email"], charge["shipping"]) == (None,) * 3
    assert (charge["metadata"], charge["calculated_statement_descriptor"]) == ({}, "FAKESTRIPE")


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("statement_descriptor", "must contain at least one Latin character."),
        ("statement_descriptor_suffix", "must contain at least one Latin character."),
    ],
)
def test_a_descriptor_has_a_letter(account, parameter, message):
    answer = account.post(f"{FORM}&{parameter}=12345")

    assert (answer.status, answer.error["param"]) == (400, parameter)
    assert answer.error["message"] == f"The statement descriptor {message}"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a" * 23, "The statement descriptor must be at most 22 characters."),
        *(
            (f"Sh{c}p", r"""The statement descriptor must not hold any of < > \ ' " *.""")
            for c in "<>\\'\"*"
        ),
    ],
)
def test_a_descriptor_has_limits(account, value, message):
    answer = account.post(f"{FORM}&statement_descriptor={value}")

    assert (answer.status, answer.error["message"]) == (400, message)


def test_a_suffix_goes_before_a_descriptor_and_both_are_cut(account):
    charge = account.post(
        f"{FORM}&statement_descriptor=Shop&statement_descriptor_suffix=Order+number+seven"
    ).json

    assert charge["calculated_statement_descriptor"] == "FAKESTRIPE* ORDER NUMB"
    assert charge["statement_descriptor_suffix"] == "Order number seven"
