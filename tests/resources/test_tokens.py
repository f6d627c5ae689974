"""Tokens and raw cards: what is entered is checked, what is used once is used up."""

import pytest

TOKENS = "/v1/tokens"
CHARGE = "amount=2000&currency=usd"
CARD = "card[number]=4242424242424242&card[exp_month]=8&card[exp_year]=2030"
SOURCE = CARD.replace("card[", "source[")


def create(account, form: str = CARD, **rest):
    return account.post(form, path=TOKENS, **rest)


def test_a_token_stands_for_a_card_that_is_not_checked_yet(account):
    token = create(
        account,
        f"{CARD}&card[cvc]=314&card[name]=Ann&card[address_line1]=Main+1&card[address_zip]=1",
    ).json
    card = token.pop("card")

    assert token == {
        "id": token["id"],
        "object": "token",
        "client_ip": None,
        "created": int(account.now),
        "livemode": False,
        "type": "card",
        "used": False,
    }
    assert token["id"].startswith("tok_1")
    assert (card["object"], card["brand"], card["last4"]) == ("card", "Visa", "4242")
    assert (card["exp_month"], card["exp_year"], card["name"]) == (8, 2030, "Ann")
    assert (card["cvc_check"], card["address_line1_check"]) == ("unchecked", "unchecked")
    assert (card["address_zip_check"], card["customer"]) == ("unchecked", None)
    assert account.get(f"{TOKENS}/{token['id']}").json["card"] == card


def test_a_charge_shows_the_card_of_its_token_after_the_bank_was_asked(account):
    token = create(account, f"{CARD}&card[cvc]=314&card[address_zip]=1").json
    charge = account.post(f"{CHARGE}&source={token['id']}").json
    details = charge["payment_method_details"]["card"]

    assert charge["source"] == {
        **token["card"],
        "cvc_check": "pass",
        "address_zip_check": "pass",
    }
    assert (details["exp_month"], details["exp_year"]) == (8, 2030)
    assert list(details["checks"].values()) == [None, "pass", "pass"]
    assert account.get(f"{TOKENS}/{token['id']}").json["used"] is True


@pytest.mark.parametrize("number", ["4242424242424242", "4000000000000002"])
def test_a_token_is_used_up_by_its_first_charge_declined_or_not(account, number):
    token = create(account, CARD.replace("4242424242424242", number)).json["id"]
    first = account.post(f"{CHARGE}&source={token}", "K1")
    again = account.post(f"{CHARGE}&source={token}", "K2")

    assert first.status in (200, 402)
    assert (again.status, again.error) == (
        400,
        {
            "code": "token_already_used",
            "message": f"You cannot use a Stripe token more than once: {token}.",
            "type": "invalid_request_error",
        },
    )
    assert again.stored_under("K2")
    assert account.post(f"{CHARGE}&source={token}", "K1").replays(first)
    assert len(account.charges) == 1


def test_a_refused_request_uses_no_token_up(account):
    token = create(account).json["id"]
    account.post(f"amount=1&currency=usd&source={token}")

    assert account.post(f"{CHARGE}&source={token}").status == 200


def test_a_customer_keeps_the_card_of_its_token(account):
    token = create(account, f"{CARD}&card[cvc]=314").json
    customer = account.post(f"source={token['id']}", path="/v1/customers").json
    charge = account.post(f"{CHARGE}&customer={customer['id']}").json

    assert customer["default_source"] == token["card"]["id"]
    assert (charge["source"]["exp_year"], charge["source"]["cvc_check"]) == (2030, "pass")
    assert account.post(f"source={token['id']}", path="/v1/customers").error["code"] == (
        "token_already_used"
    )


def test_a_card_may_be_given_in_full_as_the_source(account):
    charge = account.post(f"{CHARGE}&source[object]=card&{SOURCE}").json
    declined = account.post(f"{CHARGE}&{SOURCE.replace('4242424242424242', '4000000000000002')}")

    assert (charge["source"]["last4"], charge["source"]["cvc_check"]) == ("4242", None)
    assert charge["payment_method"] == charge["source"]["id"]
    assert (declined.status, declined.error["code"]) == (402, "card_declined")
    assert [made.status for made in account.charges] == ["succeeded", "failed"]


def test_a_card_in_full_may_pay_for_a_customer(account):
    customer = account.post("source=tok_mastercard", path="/v1/customers").json
    charge = account.post(f"{CHARGE}&customer={customer['id']}&{SOURCE}").json

    assert (charge["customer"], charge["source"]["brand"]) == (customer["id"], "Visa")
    assert charge["payment_method"] != customer["default_source"]


def test_two_digits_of_a_year_are_enough_and_a_number_may_be_grouped(account):
    form = "card[number]=4242+4242-4242+4242&card[exp_month]=08&card[exp_year]=30"

    assert create(account, form).json["card"]["exp_year"] == 2030


WRONG = {
    "card[number]=4242424242424241": ("incorrect_number", "number"),
    "card[number]=42": ("incorrect_number", "number"),
    "card[number]=abcd": ("incorrect_number", "number"),
    "card[number]=%D9%A4%D9%A2": ("incorrect_number", "number"),
    "card[exp_month]=13": ("invalid_expiry_month", "exp_month"),
    "card[exp_month]=0": ("invalid_expiry_month", "exp_month"),
    "card[exp_year]=2025": ("invalid_expiry_year", "exp_year"),
    "card[exp_year]=2099": ("invalid_expiry_year", "exp_year"),
    "card[exp_month]=1&card[exp_year]=2026": ("invalid_expiry_month", "exp_month"),
    "card[cvc]=12": ("invalid_cvc", "cvc"),
    "card[cvc]=abc": ("invalid_cvc", "cvc"),
}
TEXTS = {
    "incorrect_number": "Your card number is incorrect.",
    "invalid_expiry_month": "Your card's expiration month is invalid.",
    "invalid_expiry_year": "Your card's expiration year is invalid.",
    "invalid_cvc": "Your card's security code is invalid.",
}


@pytest.mark.parametrize("change", WRONG)
def test_wrong_details_are_a_recorded_card_error(account, change):
    code, param = WRONG[change]
    refused = create(account, f"{CARD}&{change}", key="K1")

    assert (refused.status, refused.error) == (
        402,
        {"code": code, "message": TEXTS[code], "param": param, "type": "card_error"},
    )
    assert refused.stored_under("K1")


def test_a_number_of_no_test_card_is_declined(account):
    declined = create(account, CARD.replace("4242424242424242", "4111111111111111"))

    assert (declined.status, declined.error) == (
        402,
        {
            "code": "card_declined",
            "decline_code": "test_mode_live_card",
            "message": "Your card was declined. Your request was in test mode, but used a non "
            "test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
            "type": "card_error",
        },
    )


@pytest.mark.parametrize(
    ("form", "param", "code"),
    [
        ("", "card", "parameter_missing"),
        ("card[exp_month]=8&card[exp_year]=2030", "card[number]", "parameter_missing"),
        ("card[number]=4242424242424242", "card[exp_month]", "parameter_missing"),
        (f"{CARD}&card[exp_year]=x", "card[exp_year]", "parameter_invalid_integer"),
        (f"{CARD}&card[foo]=1", "card[foo]", "parameter_unknown"),
        (f"{CARD}&foo=1", "foo", "parameter_unknown"),
        ("card=tok_visa", "card", None),
    ],
)
def test_what_is_no_card_is_refused_and_not_recorded(account, form, param, code):
    refused = create(account, form, key="K1")

    assert (refused.status, refused.error["param"]) == (400, param)
    assert refused.error.get("code") == code
    assert refused.executed_nothing("K1")


def test_what_is_no_card_token_is_refused_aloud(account):
    refused = create(account, "pii[id_number]=1")

    assert (refused.status, refused.error["param"]) == (400, "pii")
    assert refused.headers["Fakestripe-Unsupported"] == "pii"


def test_an_unknown_token_is_a_404(account):
    answer = account.get(f"{TOKENS}/tok_x")

    assert (answer.status, answer.error["message"]) == (404, "No such token: 'tok_x'")
    assert (answer.error["code"], answer.error["param"]) == ("resource_missing", "token")
