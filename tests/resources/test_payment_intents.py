"""Payment intents: create, retrieve, update, list (stripe-facts 3.2, 8)."""

import pytest

INTENTS = "/v1/payment_intents"
FORM = "amount=2000&currency=usd"
TOO_SMALL = (
    "The amount must be greater than or equal to the minimum charge amount allowed for your "
    "account and the currency set "
    "(https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).  If you want to "
    "save a Payment Method for future use without an immediate payment, use a Setup Intent "
    "instead: https://docs.stripe.com/payments/setup-intents"
)
UNLESS_CONFIRMED = (
    "The parameter `off_session` cannot be passed when creating a PaymentIntent unless `confirm` "
    "is set to true."
)
UNEXPECTED = "payment_intent_unexpected_state"


def create(account, form: str = FORM, **rest):
    return account.post(form, path=INTENTS, **rest)


def update(account, intent: str, form: str, **rest):
    return account.post(form, path=f"{INTENTS}/{intent}", **rest)


def types(account) -> list[str]:
    return [event.type for event in account.bank.ledger.events.events]


def test_an_intent_is_all_that_was_asked(account):
    intent = create(
        account,
        f"{FORM}&metadata[order_id]=ord_1&description=two&receipt_email=a@b.c&transfer_group=g"
        "&statement_descriptor_suffix=Shop&setup_future_usage=off_session&capture_method=manual"
        "&shipping[name]=A&shipping[address][line1]=Main+1&confirmation_method=manual",
    ).json

    assert intent == {
        "id": intent["id"],
        "object": "payment_intent",
        "allowed_payment_method_types": None,
        "amount": 2000,
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": 0,
        "application": None,
        "application_fee_amount": None,
        "automatic_payment_methods": {"allow_redirects": "always", "enabled": True},
        "canceled_at": None,
        "cancellation_reason": None,
        "capture_method": "manual",
        "client_secret": intent["client_secret"],
        "confirmation_method": "manual",
        "created": int(account.now),
        "currency": "usd",
        "customer": None,
        "customer_account": None,
        "description": "two",
        "excluded_payment_method_types": None,
        "last_payment_error": None,
        "latest_charge": None,
        "livemode": False,
        "managed_payments": {"enabled": False},
        "metadata": {"order_id": "ord_1"},
        "next_action": None,
        "on_behalf_of": None,
        "payment_method": None,
        "payment_method_configuration_details": None,
        "payment_method_options": {
            "card": {
                "installments": None,
                "mandate_options": None,
                "network": None,
                "request_three_d_secure": "automatic",
            }
        },
        "payment_method_types": ["card"],
        "payment_record": None,
        "processing": None,
        "receipt_email": "a@b.c",
        "review": None,
        "setup_future_usage": "off_session",
        "shipping": {
            "address": {
                "city": None,
                "country": None,
                "line1": "Main 1",
                "line2": None,
                "postal_code": None,
                "state": None,
            },
            "carrier": None,
            "name": "A",
            "phone": None,
            "tracking_number": None,
        },
        "source": None,
        "statement_descriptor": None,
        "statement_descriptor_suffix": "Shop",
        "status": "requires_payment_method",
        "transfer_data": None,
        "transfer_group": "g",
    }
    assert intent["id"].startswith("pi_3")
    assert intent["client_secret"].startswith(f"{intent['id']}_secret_")
    assert len(intent["client_secret"]) == len(intent["id"]) + len("_secret_") + 25
    assert types(account) == ["payment_intent.created"]


def test_the_defaults_are_those_of_today(account):
    intent = create(account).json

    assert (intent["capture_method"], intent["confirmation_method"]) == (
        "automatic_async",
        "automatic",
    )
    assert create(account, f"{FORM}&automatic_payment_methods=").json["status"] == (
        "requires_payment_method"
    )
    assert (
        create(account, f"{FORM}&payment_method_types[]=card").json["automatic_payment_methods"]
        is None
    )
    assert (
        create(account, f"{FORM}&automatic_payment_methods[enabled]=false").json[
            "automatic_payment_methods"
        ]
        is None
    )
    assert create(
        account,
        f"{FORM}&automatic_payment_methods[enabled]=true"
        "&automatic_payment_methods[allow_redirects]=never",
    ).json["automatic_payment_methods"] == {"allow_redirects": "never", "enabled": True}
    assert create(account, f"{FORM}&allowed_payment_method_types[]=card").json[
        "allowed_payment_method_types"
    ] == ["card"]


def test_without_confirm_no_money_moves(account):
    steps = account.begin(f"{FORM}&payment_method=pm_card_visa", path=INTENTS).to_the_end()
    intent, moved = steps.answer.json, steps.attempt.moved

    assert (intent["status"], intent["latest_charge"]) == ("requires_confirmation", None)
    assert intent["payment_method"].startswith("pm_1")
    assert account.charges == []
    assert (moved.kind, moved.id, moved.amount) == ("intent", intent["id"], 2000)
    assert (moved.charge, moved.payment_intent) == (None, intent["id"])
    assert (steps.attempt.step, steps.attempt.moves) == ("create", False)
    assert steps.attempt.ids == (intent["id"],)


def test_a_card_that_declines_may_stand_in_an_intent(account):
    intent = create(account, f"{FORM}&payment_method=pm_card_visa_chargeDeclined")

    assert (intent.status, intent.json["status"]) == (200, "requires_confirmation")


@pytest.mark.parametrize("method", ["pm_card_visa", "pm_mine"])
def test_under_any_unseen_customers_and_methods_are_made(account_of, method):
    account = account_of(customers="any")
    form = f"{FORM}&customer=cus_mine&payment_method={method}"
    intent = create(account, form).json

    assert intent["customer"] == "cus_mine"
    assert account.get("/v1/customers/cus_mine").status == 200
    assert account.get(f"/v1/payment_methods/{intent['payment_method']}").status == 200


def test_an_intent_is_shown_as_it_was_answered(account):
    made = create(account)
    path = f"{INTENTS}/{made.json['id']}"

    assert account.get(path).body == made.body
    assert account.get(path, f"client_secret={made.json['client_secret']}").body == made.body


REFUSED = {
    "currency=usd": ("amount", "parameter_missing", None),
    "amount=2000": ("currency", "parameter_missing", None),
    "amount=2000&currency=xyz": ("currency", None, None),
    "amount=0&currency=usd": ("amount", "parameter_invalid_integer", TOO_SMALL),
    "amount=49&currency=usd": ("amount", "parameter_invalid_integer", TOO_SMALL),
    "amount=-1&currency=usd": (
        "amount",
        "parameter_invalid_integer",
        "This value must be greater than or equal to 1.",
    ),
    "amount=9175.2&currency=usd": (
        "amount",
        "parameter_invalid_integer",
        "Invalid integer: 9175.2",
    ),
    "amount=100000000&currency=usd": (
        "amount",
        "amount_too_large",
        "Amount must be no more than $999,999.99",
    ),
    f"{FORM}&customer=cus_x": ("customer", "resource_missing", "No such customer: 'cus_x'"),
    f"{FORM}&payment_method=pm_x": (
        "payment_method",
        "resource_missing",
        "No such PaymentMethod: 'pm_x'",
    ),
    f"{FORM}&capture_method=later": (
        "capture_method",
        None,
        "Invalid capture_method: must be one of automatic, automatic_async, or manual",
    ),
    f"{FORM}&confirm=yes": ("confirm", None, "Invalid boolean: yes"),
    f"{FORM}&off_session=true": (
        "off_session",
        None,
        UNLESS_CONFIRMED,
    ),
    f"{FORM}&confirm=true&off_session=1": ("off_session", None, "Invalid boolean: 1"),
    f"{FORM}&payment_method_types=card": ("payment_method_types", None, "Invalid array"),
    f"{FORM}&payment_method_types[0][a]=card": (
        "payment_method_types",
        None,
        "Invalid string: {...}",
    ),
    f"{FORM}&payment_method_types[]=ideal": (
        "payment_method_types",
        None,
        "fakestripe emulates cards only: payment_method_types must hold card.",
    ),
    f"{FORM}&automatic_payment_methods[foo]=never": (
        "automatic_payment_methods[foo]",
        "parameter_unknown",
        None,
    ),
    f"{FORM}&automatic_payment_methods[allow_redirects]=never": (
        "automatic_payment_methods[enabled]",
        "parameter_missing",
        None,
    ),
    f"{FORM}&payment_method=pm_card_visa&payment_method_data[type]=card"
    "&payment_method_data[card][token]=tok_visa": (
        "payment_method",
        "parameters_exclusive",
        "You may only specify one of these parameters: payment_method, payment_method_data.",
    ),
    f"{FORM}&payment_method_data[type]=card&payment_method_data[card][token]=tok_x": (
        "payment_method_data[card][token]",
        "resource_missing",
        "No such token: 'tok_x'",
    ),
    f"{FORM}&automatic_payment_methods[enabled]=true&payment_method_types[]=card": (
        "automatic_payment_methods",
        "parameters_exclusive",
        None,
    ),
    f"{FORM}&foo=1": ("foo", "parameter_unknown", None),
    f"{FORM}&transfer_data[destination]=acct_1": ("transfer_data", None, None),
    f"{FORM}&payment_method_options[card][network]=visa": ("payment_method_options", None, None),
}


@pytest.mark.parametrize("form", REFUSED)
def test_what_is_no_intent_is_refused_and_not_recorded(account, form):
    param, code, message = REFUSED[form]
    refused = create(account, form, key="K1")

    assert (refused.status, refused.error["param"]) == (400, param)
    assert refused.error.get("code") == code
    assert message in (None, refused.error["message"])
    assert account.bank.ledger.collection("payment_intent").order == []
    assert create(account, key="K1").status == 200


@pytest.mark.parametrize("action", ["", "/confirm", "/capture", "/cancel"])
def test_an_unknown_intent_is_a_404(account, action):
    refused = account.post("", "K1", path=f"{INTENTS}/pi_x{action}")

    assert (refused.status, refused.error) == (
        404,
        {
            "code": "resource_missing",
            "message": "No such payment_intent: 'pi_x'",
            "param": "intent",
            "type": "invalid_request_error",
        },
    )
    assert refused.executed_nothing("K1")
    assert account.get(f"{INTENTS}/pi_x").error == refused.error


def test_an_intent_is_updated_until_it_is_authorised(account):
    intent = create(account, f"{FORM}&metadata[a]=1&metadata[b]=2").json
    updated = update(
        account,
        intent["id"],
        "amount=3000&currency=EUR&metadata[a]=&metadata[c]=3&description=new"
        "&payment_method=pm_card_visa&capture_method=manual&setup_future_usage=on_session",
        key="K1",
    )

    assert updated.json == {
        **intent,
        "amount": 3000,
        "capture_method": "manual",
        "currency": "eur",
        "description": "new",
        "metadata": {"b": "2", "c": "3"},
        "payment_method": updated.json["payment_method"],
        "setup_future_usage": "on_session",
        "status": "requires_confirmation",
    }
    assert updated.stored_under("K1")
    assert account.get(f"{INTENTS}/{intent['id']}").json == updated.json
    assert types(account) == ["payment_intent.created"]


def test_a_payment_method_is_taken_away_by_an_empty_string(account):
    intent = create(account, f"{FORM}&payment_method=pm_card_visa").json["id"]
    updated = update(account, intent, "payment_method=&description=&capture_method=").json

    assert (updated["status"], updated["payment_method"]) == ("requires_payment_method", None)
    assert updated["capture_method"] == "automatic_async"


def test_words_about_a_paid_intent_may_still_change_and_its_money_may_not(account):
    paid = create(account, f"{FORM}&payment_method=pm_card_visa&confirm=true").json
    words = update(account, paid["id"], "metadata[a]=b&description=x&receipt_email=a@b.c")
    money = update(account, paid["id"], "amount=3000", key="K1")
    method = update(account, paid["id"], "payment_method=pm_card_visa")

    assert (words.json["metadata"], words.json["status"]) == ({"a": "b"}, "succeeded")
    assert (money.status, money.error["code"], money.error["param"]) == (400, UNEXPECTED, "amount")
    assert money.error["message"] == (
        "This PaymentIntent's amount could not be updated because it has a status of succeeded. "
        "You may only update the amount of a PaymentIntent with one of the following statuses: "
        "requires_payment_method, requires_confirmation, requires_action."
    )
    assert money.error["payment_intent"] == words.json
    assert money.stored_under("K1")
    assert method.error["param"] == "payment_method"


@pytest.mark.parametrize(
    ("form", "param"),
    [
        ("amount=10", "amount"),
        ("currency=huf", "amount"),
        ("customer=cus_x", "customer"),
        ("payment_method=pm_x", "payment_method"),
        ("confirm=true", "confirm"),
    ],
)
def test_an_update_that_cannot_be_is_refused(account, form, param):
    intent = create(account).json["id"]
    refused = update(account, intent, form, key="K1")

    assert (refused.status, refused.error["param"]) == (400, param)
    assert refused.executed_nothing("K1")


def test_an_update_refuses_a_method_of_somebody_else(account):
    customer = account.post("", path="/v1/customers").json["id"]
    form, path = f"customer={customer}", "/v1/payment_methods/pm_card_visa/attach"
    method = account.post(form, path=path).json["id"]
    intent = create(account).json
    refused = update(account, intent["id"], f"payment_method={method}", key="K1")

    assert (refused.status, refused.error["code"]) == (400, "parameter_missing")
    assert refused.json["error"]["payment_intent"] == intent
    assert refused.stored_under("K1")


def test_an_intent_may_pass_to_another_customer(account):
    one, two = (account.post("", path="/v1/customers").json["id"] for _ in range(2))
    intent = create(account, f"{FORM}&customer={one}").json["id"]

    def listed(customer: str) -> list[str]:
        return [i["id"] for i in account.get(INTENTS, f"customer={customer}").json["data"]]

    assert (listed(one), listed(two)) == ([intent], [])
    assert update(account, intent, f"customer={two}").json["customer"] == two
    assert (listed(one), listed(two)) == ([], [intent])


def test_intents_are_listed_newest_first_by_customer_and_time(account):
    customer = account.post("", path="/v1/customers").json["id"]
    one, two = (
        create(account).json["id"],
        create(account, f"{FORM}&customer={customer}").json["id"],
    )
    account.now += 60
    three = create(account, f"{FORM}&customer={customer}").json["id"]

    def listed(query: str = "") -> list[str]:
        return [intent["id"] for intent in account.get(INTENTS, query).json["data"]]

    page = account.get(INTENTS, "limit=1").json
    assert listed() == [three, two, one]
    assert listed(f"customer={customer}") == [three, two]
    assert listed(f"created[lt]={int(account.now)}") == [two, one]
    assert listed(f"starting_after={three}") == [two, one]
    assert (page["object"], page["url"], page["has_more"]) == ("list", INTENTS, True)
    assert account.get(INTENTS, "customer=cus_x").status == 400


def test_an_intent_expands_what_it_names(account):
    form = f"{FORM}&payment_method=pm_card_visa&confirm=true&expand[]=latest_charge"
    intent = create(account, f"{form}&expand[]=payment_method", key="K1")
    charge, method = intent.json["latest_charge"], intent.json["payment_method"]

    assert charge == account.get(f"/v1/charges/{charge['id']}").json
    assert method == account.get(f"/v1/payment_methods/{method['id']}").json
    assert create(account, f"{form}&expand[]=payment_method", key="K1").replays(intent)
