"""Payment methods: create, retrieve, attach, detach, list (stripe-facts 3.2, 5)."""

import pytest

METHODS = "/v1/payment_methods"
NUMBER = "type=card&card[number]=4242424242424242&card[exp_month]=8&card[exp_year]=2030"
TOKEN = "type=card&card[token]=tok_mastercard"
SPENT = (
    "The provided PaymentMethod was previously used with a PaymentIntent without Customer "
    "attachment, shared with a connected account without Customer attachment, or was detached "
    "from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must "
    "attach it to a Customer first."
)
NOT_ATTACHED = (
    "The payment method you provided is not attached to a customer so detachment is impossible."
)


def create(account, form: str = NUMBER, **rest):
    return account.post(form, path=METHODS, **rest)


def attach(account, method: str, customer: str, **rest):
    return account.post(f"customer={customer}", path=f"{METHODS}/{method}/attach", **rest)


def detach(account, method: str, **rest):
    return account.post("", path=f"{METHODS}/{method}/detach", **rest)


@pytest.fixture
def customer(account):
    return account.post("email=a@b.c", path="/v1/customers").json["id"]


def test_a_payment_method_is_all_that_was_asked(account):
    method = create(
        account,
        f"{NUMBER}&card[cvc]=314&metadata[a]=b&allow_redisplay=always&billing_details[name]=Ann"
        "&billing_details[address][city]=X&billing_details[email]=a@b.c",
    ).json

    assert method == {
        "id": method["id"],
        "object": "payment_method",
        "allow_redisplay": "always",
        "billing_details": {
            "address": {
                "city": "X",
                "country": None,
                "line1": None,
                "line2": None,
                "postal_code": None,
                "state": None,
            },
            "email": "a@b.c",
            "name": "Ann",
            "phone": None,
            "tax_id": None,
        },
        "card": {
            "brand": "visa",
            "checks": {
                "address_line1_check": None,
                "address_postal_code_check": None,
                "cvc_check": "unchecked",
            },
            "country": "US",
            "display_brand": "visa",
            "exp_month": 8,
            "exp_year": 2030,
            "fingerprint": method["card"]["fingerprint"],
            "funding": "credit",
            "generated_from": None,
            "last4": "4242",
            "networks": {"available": ["visa"], "preferred": None},
            "regulated_status": "unregulated",
            "three_d_secure_usage": {"supported": True},
            "wallet": None,
        },
        "created": int(account.now),
        "customer": None,
        "customer_account": None,
        "livemode": False,
        "metadata": {"a": "b"},
        "type": "card",
    }
    assert method["id"].startswith("pm_1")
    assert account.get(f"{METHODS}/{method['id']}").json == method


def test_empty_billing_details_are_none(account):
    method = create(account, f"{NUMBER}&billing_details=").json

    assert method["billing_details"]["name"] is None


def test_a_token_becomes_a_payment_method_and_is_used_up(account):
    token = account.post(NUMBER.removeprefix("type=card&"), path="/v1/tokens").json["id"]
    first = create(account, f"type=card&card[token]={token}")
    again = create(account, f"type=card&card[token]={token}")

    assert (first.json["card"]["last4"], first.json["card"]["exp_year"]) == ("4242", 2030)
    assert (again.status, again.error["code"]) == (400, "token_already_used")
    assert create(account, TOKEN).json["card"]["brand"] == "mastercard"
    assert create(account, TOKEN).json["card"]["checks"]["cvc_check"] == "unchecked"


def test_attaching_asks_the_bank_and_is_done_once(account, customer):
    method = create(account, f"{NUMBER}&card[cvc]=314").json
    attached = attach(account, method["id"], customer, key="K1")
    again = attach(account, method["id"], customer)

    assert attached.json == {
        **method,
        "customer": customer,
        "card": {**method["card"], "checks": {**method["card"]["checks"], "cvc_check": "pass"}},
    }
    assert attached.stored_under("K1")
    assert (again.status, again.json) == (200, attached.json)


def test_a_magic_method_is_a_new_one_each_time_it_is_attached(account, customer):
    one, other = (attach(account, "pm_card_visa", customer).json for _ in range(2))

    assert one["id"] != other["id"]
    assert one["id"].startswith("pm_1")
    assert one["customer"] == customer
    assert account.get(f"{METHODS}/{one['id']}").json == one


def test_a_magic_method_is_shown_under_its_own_name(account):
    shown = account.get(f"{METHODS}/pm_card_mastercard")

    assert (shown.status, shown.json["id"]) == (200, "pm_card_mastercard")
    assert (shown.json["card"]["last4"], shown.json["customer"]) == ("4444", None)


def test_a_method_of_one_customer_is_not_attached_to_another(account, customer):
    other = account.post("", path="/v1/customers").json["id"]
    method = attach(account, "pm_card_visa", customer).json["id"]
    refused = attach(account, method, other, key="K1")

    assert (refused.status, refused.error) == (
        400,
        {
            "message": "The payment method you provided has already been attached to a customer.",
            "type": "invalid_request_error",
        },
    )
    assert refused.stored_under("K1")


@pytest.mark.parametrize(
    ("method", "code", "param"),
    [
        ("pm_card_visa_chargeDeclined", "card_declined", ""),
        ("pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", ""),
        ("pm_card_visa_chargeDeclinedLostCard", "card_declined", ""),
        ("pm_card_visa_chargeDeclinedStolenCard", "card_declined", ""),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card", "exp_month"),
        ("pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", "cvc"),
        ("pm_card_chargeDeclinedProcessingError", "processing_error", ""),
        ("pm_card_visa_chargeDeclinedVelocityLimitExceeded", "card_declined", ""),
    ],
)
def test_a_card_that_declines_cannot_be_attached(account, customer, method, code, param):
    refused = attach(account, method, customer, key="K1")

    assert (refused.status, refused.error["type"]) == (402, "card_error")
    assert (refused.error["code"], refused.error["param"]) == (code, param)
    assert "charge" not in refused.error
    assert refused.stored_under("K1")
    assert account.get(f"/v1/customers/{customer}/payment_methods").json["data"] == []


@pytest.mark.parametrize(
    "method",
    ["pm_card_chargeCustomerFail", "pm_card_radarBlock", "pm_card_authenticationRequired"],
)
def test_some_cards_attach_and_fail_later(account, customer, method):
    assert attach(account, method, customer).json["customer"] == customer


def test_a_detached_method_may_not_be_used_again(account, customer):
    method = attach(account, "pm_card_visa", customer).json
    detached = detach(account, method["id"], key="K1")
    again = detach(account, method["id"])
    attached = attach(account, method["id"], customer)

    assert detached.json == {**method, "customer": None}
    assert detached.stored_under("K1")
    assert (again.status, again.error["message"]) == (400, NOT_ATTACHED)
    assert (attached.status, attached.error["message"]) == (400, SPENT)
    assert account.get(f"{METHODS}/{method['id']}").json["customer"] is None


def test_a_customers_methods_are_listed_newest_first(account, customer):
    one, two, three = (attach(account, "pm_card_visa", customer).json["id"] for _ in range(3))
    create(account)
    detach(account, two)
    ours = account.get(f"/v1/customers/{customer}/payment_methods", "type=card").json
    page = account.get(METHODS, f"customer={customer}&limit=1").json

    assert [method["id"] for method in ours["data"]] == [three, one]
    assert ours["url"] == f"/v1/customers/{customer}/payment_methods"
    assert ([m["id"] for m in page["data"]], page["has_more"]) == ([three], True)
    assert page["url"] == METHODS
    assert account.get(METHODS, f"customer={customer}&type=sepa_debit").json["data"] == []
    assert account.get(METHODS).json["data"] == []


@pytest.mark.parametrize(
    ("form", "param", "message"),
    [
        ("", "type", "Missing required param: type."),
        ("type=card", "card", "Missing required param: card."),
        (NUMBER.replace("card[exp_year]", "x"), "x", "Received unknown parameter: x"),
        (
            "type=card&card[number]=4",
            "card[exp_month]",
            "Missing required param: card[exp_month].",
        ),
        ("type=card&card[token]=tok_x", "card[token]", "No such token: 'tok_x'"),
        ("type=card&card[token]=pm_x", "card[token]", "Invalid token id: pm_x"),
        (f"{NUMBER}&allow_redisplay=x", "allow_redisplay", None),
        (f"{NUMBER}&billing_details[x]=1", "billing_details[x]", None),
        ("type=sepa_debit", "type", None),
    ],
)
def test_what_is_no_payment_method_is_refused(account, form, param, message):
    refused = create(account, form, key="K1")

    assert (refused.status, refused.error["param"]) == (400, param)
    assert message in (None, refused.error["message"])
    assert refused.executed_nothing("K1")


def test_wrong_details_are_a_recorded_card_error(account):
    refused = create(account, NUMBER.replace("4242424242424242", "4242424242424241"), key="K1")

    assert (refused.status, refused.error["code"]) == (402, "incorrect_number")
    assert refused.stored_under("K1")


@pytest.mark.parametrize(
    ("path", "form", "expected"),
    [
        ("pm_x/attach", "customer=cus_x", (404, "No such PaymentMethod: 'pm_x'")),
        ("pm_card_visa/attach", "customer=cus_x", (400, "No such customer: 'cus_x'")),
        ("pm_card_visa/attach", "", (400, "Must provide customer or customer_account.")),
        ("pm_x/detach", "", (404, "No such PaymentMethod: 'pm_x'")),
    ],
)
def test_what_cannot_be_found_cannot_be_attached(account, path, form, expected):
    refused = account.post(form, "K1", path=f"{METHODS}/{path}")

    assert (refused.status, refused.error["message"]) == expected
    assert refused.executed_nothing("K1")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (f"{METHODS}/pm_x", (404, "No such PaymentMethod: 'pm_x'", "payment_method")),
        ("/v1/customers/cus_x/payment_methods", (404, "No such customer: 'cus_x'", "id")),
    ],
)
def test_what_is_not_there_is_not_shown(account, path, expected):
    answer = account.get(path)

    assert (answer.status, answer.error["message"], answer.error["param"]) == expected


def test_the_list_of_an_unknown_customer_is_refused(account):
    answer = account.get(METHODS, "customer=cus_x")

    assert (answer.status, answer.error["param"]) == (400, "customer")


def test_under_any_an_unseen_method_and_customer_are_made_by_their_use(account_of):
    account = account_of(customers="any")
    assert account.get(f"{METHODS}/pm_mine").status == 404

    attached = attach(account, "pm_mine", "cus_mine").json

    assert (attached["id"], attached["customer"]) == ("pm_mine", "cus_mine")
    assert account.get(f"{METHODS}/pm_mine").json == attached
    assert account.get("/v1/customers/cus_mine").json["default_source"] is None
    assert [c["id"] for c in account.get("/v1/customers").json["data"]] == ["cus_mine"]


def test_a_deleted_customer_leaves_its_methods_behind(account, customer):
    method = attach(account, "pm_card_visa", customer).json["id"]
    account.begin("", path=f"/v1/customers/{customer}", method="DELETE").to_the_end()
    again = account.post("email=a@b.c", path="/v1/customers").json["id"]

    assert account.get(f"{METHODS}/{method}").json["customer"] is None
    assert attach(account, method, again).error["message"] == SPENT
    assert account.get(METHODS, f"customer={customer}").status == 400


def test_a_method_expands_its_customer(account, customer):
    attach(account, "pm_card_visa", customer)
    page = account.get(METHODS, f"customer={customer}&expand[]=data.customer").json

    assert page["data"][0]["customer"]["email"] == "a@b.c"


def test_attaching_and_detaching_are_told(account, customer):
    method = attach(account, "pm_card_visa", customer).json["id"]
    attach(account, method, customer)
    detach(account, method)
    newest = account.get("/v1/events", "limit=3").json["data"]

    assert [event["type"] for event in newest] == [
        "payment_method.detached",
        "payment_method.attached",
        "customer.created",
    ]
    assert newest[0]["data"]["previous_attributes"] == {"customer": customer}
