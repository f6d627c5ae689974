"""Confirming payment intents: paid, declined, asked for; by whose means (stripe-facts 3.2, 8)."""

import pytest

INTENTS = "/v1/payment_intents"
METHODS = "/v1/payment_methods"
FORM = "amount=2000&currency=usd"
VISA = f"{FORM}&payment_method=pm_card_visa&confirm=true"
DECLINING = "pm_card_visa_chargeDeclined"
SUCCEEDED = (
    "You cannot confirm this PaymentIntent because it has already succeeded after being "
    "previously confirmed."
)
UNEXPECTED = "payment_intent_unexpected_state"


def create(account, form: str = VISA, **rest):
    return account.post(form, path=INTENTS, **rest)


def confirm(account, intent: str, form: str = "", **rest):
    return account.post(form, path=f"{INTENTS}/{intent}/confirm", **rest)


def shown(account, intent: str):
    return account.get(f"{INTENTS}/{intent}").json


def attach(account, method: str, customer: str) -> str:
    path = f"{METHODS}/{method}/attach"
    return account.post(f"customer={customer}", path=path).json["id"]


def types(account) -> list[str]:
    return [event.type for event in account.bank.ledger.events.events]


@pytest.fixture
def customer(account):
    return account.post("", path="/v1/customers").json["id"]


def test_a_confirmed_intent_is_charged_once_and_shows_it(account):
    form = (
        f"{FORM}&payment_method=pm_card_visa&metadata[order_id]=ord_1&description=two"
        "&receipt_email=a@b.c&statement_descriptor_suffix=Shop&transfer_group=g"
    )
    intent = create(account, form).json
    steps = account.begin("", "K1", path=f"{INTENTS}/{intent['id']}/confirm").to_the_end()
    paid, (charge,) = steps.answer, account.charges
    moved = steps.attempt.moved

    assert paid.json == {
        **intent,
        "amount_received": 2000,
        "latest_charge": charge.id,
        "status": "succeeded",
    }
    assert paid.stored_under("K1")
    assert shown(account, intent["id"]) == paid.json
    assert (moved.kind, moved.id, moved.charge) == ("charge", charge.id, charge.id)
    assert (moved.payment_intent, moved.amount, moved.status) == (intent["id"], 2000, "succeeded")
    assert steps.attempt.ids == (intent["id"], charge.id)
    assert (steps.attempt.step, steps.attempt.moves) == ("confirm", True)
    assert types(account) == [
        "payment_intent.created",
        "charge.succeeded",
        "payment_intent.succeeded",
    ]


def test_the_charge_of_an_intent_is_of_its_family_and_says_what_it_said(account):
    form = (
        "&metadata[order_id]=ord_1&description=two&receipt_email=a@b.c&transfer_group=g"
        "&statement_descriptor_suffix=Shop&shipping[name]=A&shipping[address][line1]=b"
    )
    intent = create(account, VISA + form).json
    charge = account.get(f"/v1/charges/{intent['latest_charge']}").json

    assert charge["id"][3:20] == charge["balance_transaction"][4:21] == intent["id"][3:20]
    assert (charge["payment_intent"], charge["payment_method"]) == (
        intent["id"],
        intent["payment_method"],
    )
    assert charge["source"] is None
    assert (charge["amount"], charge["amount_captured"], charge["captured"]) == (2000, 2000, True)
    assert (charge["metadata"], charge["description"]) == ({"order_id": "ord_1"}, "two")
    assert (charge["receipt_email"], charge["transfer_group"]) == ("a@b.c", "g")
    assert charge["calculated_statement_descriptor"] == "FAKESTRIPE* SHOP"
    assert charge["shipping"] == intent["shipping"]
    assert charge["payment_method_details"]["card"]["last4"] == "4242"
    assert charge["payment_method_details"]["card"]["checks"]["cvc_check"] == "pass"


def test_creation_with_confirm_is_one_request_and_moves_the_money(account):
    steps = account.begin(VISA, "K1", path=INTENTS).to_the_end()
    intent = steps.answer.json

    assert (intent["status"], intent["latest_charge"]) == ("succeeded", account.charges[0].id)
    assert (steps.attempt.step, steps.attempt.moves) == ("create", True)
    assert steps.attempt.moved.payment_intent == intent["id"]
    assert steps.attempt.charge == intent["latest_charge"]
    assert create(account, key="K1").replays(steps.answer)
    assert len(account.charges) == 1
    assert types(account) == [
        "payment_intent.created",
        "charge.succeeded",
        "payment_intent.succeeded",
    ]


@pytest.mark.parametrize(
    ("method", "code", "decline_code", "param"),
    [
        (DECLINING, "card_declined", "generic_decline", None),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card", "exp_month"),
        ("pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", "incorrect_cvc", "cvc"),
        ("pm_card_radarBlock", "card_declined", "fraudulent", None),
        ("pm_card_chargeCustomerFail", "card_declined", "generic_decline", None),
    ],
)
def test_a_decline_is_a_402_that_shows_the_intent(account, method, code, decline_code, param):
    intent = create(account, f"{FORM}&payment_method={method}").json
    declined = confirm(account, intent["id"], key="K1")
    (charge,) = account.charges
    error = declined.json["error"]

    assert (declined.status, error["type"], error["code"]) == (402, "card_error", code)
    assert (error["decline_code"], error.get("param")) == (decline_code, param)
    assert list(error) == sorted(error)
    assert (error["charge"], charge.status) == (charge.id, "failed")
    assert error["payment_method"]["id"] == intent["payment_method"]
    assert error["payment_method"]["card"]["checks"]["cvc_check"] in ("pass", "fail")
    assert error["payment_intent"] == {
        **intent,
        "last_payment_error": {
            name: value
            for name, value in error.items()
            if name not in ("payment_intent", "request_log_url")
        },
        "latest_charge": charge.id,
        "payment_method": None,
        "status": "requires_payment_method",
    }
    assert shown(account, intent["id"]) == error["payment_intent"]
    assert declined.stored_under("K1")
    assert confirm(account, intent["id"], key="K1").replays(declined)
    assert types(account) == [
        "payment_intent.created",
        "charge.failed",
        "payment_intent.payment_failed",
    ]


def test_a_declined_creation_still_creates_the_intent(account):
    form = f"{FORM}&payment_method={DECLINING}&confirm=true"
    steps = account.begin(form, "K1", path=INTENTS).to_the_end()
    declined, attempt = steps.answer, steps.attempt
    intent = declined.json["error"]["payment_intent"]
    paid = confirm(account, intent["id"], "payment_method=pm_card_visa").json

    assert declined.status == 402
    assert create(account, form, key="K1").replays(declined)
    assert (attempt.moved.kind, attempt.moved.status) == ("charge", "failed")
    assert attempt.ids == (intent["id"], intent["latest_charge"])
    assert (paid["status"], paid["id"]) == ("succeeded", intent["id"])
    assert paid["last_payment_error"] is None
    assert [charge.status for charge in account.charges] == ["failed", "succeeded"]
    assert {charge.payment_intent for charge in account.charges} == {intent["id"]}


def test_a_succeeded_intent_is_not_charged_again(account):
    """A new key does not help: the intent guards itself, and the refusal tells of the charge."""
    intent = create(account).json
    steps = account.begin("", "K2", path=f"{INTENTS}/{intent['id']}/confirm").to_the_end()
    refused = steps.answer

    assert (refused.status, refused.json["error"]["payment_intent"]) == (400, intent)
    assert (refused.error["code"], refused.error["message"]) == (UNEXPECTED, SUCCEEDED)
    assert refused.stored_under("K2")
    assert steps.attempt.ids == (intent["id"], intent["latest_charge"])
    assert len(account.charges) == 1


def test_an_intent_may_not_be_confirmed_in_any_other_status(account):
    held = create(account, f"{VISA}&capture_method=manual").json["id"]
    gone = create(account, FORM).json["id"]
    account.post("", path=f"{INTENTS}/{gone}/cancel")

    for intent, status in ((held, "requires_capture"), (gone, "canceled")):
        refused = confirm(account, intent, "payment_method=pm_card_visa")

        assert (refused.status, refused.error["code"]) == (400, UNEXPECTED)
        assert refused.error["message"] == (
            f"You cannot confirm this PaymentIntent because it has a status of {status}. Only a "
            "PaymentIntent with one of the following statuses may be confirmed: "
            "requires_payment_method, requires_confirmation, requires_action."
        )


def test_an_intent_that_nothing_pays_cannot_be_confirmed(account, customer):
    bare = create(account, FORM).json
    whose = create(account, f"{FORM}&customer={customer}").json
    refused = confirm(account, bare["id"], key="K1")

    assert (refused.status, refused.error["code"]) == (400, UNEXPECTED)
    assert refused.error["message"] == (
        "You cannot confirm this PaymentIntent because it's missing a payment method. You can "
        "either update the PaymentIntent with a payment method and then confirm it again, or "
        "confirm it again directly with a payment method or ConfirmationToken."
    )
    assert refused.json["error"]["payment_intent"] == bare
    assert refused.stored_under("K1")
    assert confirm(account, whose["id"]).error["message"] == (
        "You cannot confirm this PaymentIntent because it's missing a payment method. To confirm "
        f"the PaymentIntent with {customer}, specify a payment method attached to this customer "
        "along with the customer ID."
    )


def test_a_creation_that_nothing_pays_is_refused_and_kept(account):
    refused = create(account, f"{FORM}&confirm=true", key="K1")
    intent = refused.json["error"]["payment_intent"]

    assert (refused.status, refused.error["code"]) == (400, UNEXPECTED)
    assert shown(account, intent["id"]) == intent
    assert refused.stored_under("K1")


class TestWhoseMeans:
    """Who may pay with which payment method."""

    def test_a_method_of_nobody_pays_once(self, account):
        form = "type=card&card[token]=tok_visa"
        method = account.post(form, path=METHODS).json["id"]
        form = f"{FORM}&payment_method={method}&confirm=true"
        waiting = create(account, f"{FORM}&payment_method={method}").json["id"]
        first = create(account, form)
        again = create(account, form, key="K1")
        later = confirm(account, waiting)

        assert first.json["status"] == "succeeded"
        assert (again.status, again.error) == (
            400,
            {
                "message": "The provided PaymentMethod was previously used with a PaymentIntent "
                "without Customer attachment, shared with a connected account without Customer "
                "attachment, or was detached from a Customer. It may not be used again. To use a "
                "PaymentMethod multiple times, you must attach it to a Customer first.",
                "type": "invalid_request_error",
            },
        )
        assert again.stored_under("K1")
        assert later.error["message"] == again.error["message"]
        assert later.json["error"]["payment_intent"]["id"] == waiting
        assert len(account.charges) == 1

    def test_a_method_of_nobody_is_used_up_by_a_decline_too(self, account):
        form = "type=card&card[number]=4000000000000002&card[exp_month]=8&card[exp_year]=2030"
        method = account.post(form, path=METHODS).json["id"]
        intent = create(account, f"{FORM}&payment_method={method}").json["id"]

        assert confirm(account, intent).status == 402
        assert confirm(account, intent, f"payment_method={method}").status == 400

    def test_an_attached_method_pays_for_its_customer_again_and_again(self, account, customer):
        method = attach(account, "pm_card_visa", customer)
        form = f"{VISA.replace('pm_card_visa', method)}&customer={customer}"
        paid = [create(account, form).json for _ in range(2)]

        assert [intent["status"] for intent in paid] == ["succeeded", "succeeded"]
        assert {charge.customer for charge in account.charges} == {customer}
        assert {charge.payment_method for charge in account.charges} == {method}

    def test_a_method_is_kept_for_its_customer_where_that_is_asked(self, account, customer):
        form = f"{VISA}&customer={customer}"
        once = create(account, form).json["payment_method"]
        kept = create(account, f"{form}&setup_future_usage=off_session").json["payment_method"]
        listed = account.get(METHODS, f"customer={customer}").json["data"]

        assert account.get(f"{METHODS}/{once}").json["customer"] is None
        assert [method["id"] for method in listed] == [kept]
        assert listed[0]["customer"] == customer

    def test_a_method_of_a_customer_needs_its_customer(self, account, customer):
        method = attach(account, "pm_card_visa", customer)
        intent = create(account, FORM).json
        refused = confirm(account, intent["id"], f"payment_method={method}", key="K1")
        outright = create(account, VISA.replace("pm_card_visa", method))

        assert (refused.status, refused.error["code"], refused.error["param"]) == (
            400,
            "parameter_missing",
            "source",
        )
        assert refused.error["message"] == outright.error["message"]
        assert refused.error["message"] == (
            f"The `payment_method` parameter supplied {method} belongs to the Customer {customer}."
            " Please include the Customer in the `customer` parameter on the PaymentIntent."
        )
        assert refused.json["error"]["payment_intent"] == intent
        assert refused.stored_under("K1")
        assert account.charges == []

    def test_a_method_of_another_customer_is_refused(self, account, customer):
        other = account.post("", path="/v1/customers").json["id"]
        method = attach(account, "pm_card_visa", other)
        refused = create(
            account, f"{VISA.replace('pm_card_visa', method)}&customer={customer}", key="K1"
        )

        assert (refused.status, refused.error["param"]) == (400, "payment_method")
        assert refused.error["message"] == (
            f"The PaymentMethod {method} does not belong to the Customer you supplied {customer}. "
            "Please use this PaymentMethod with the Customer that it belongs to instead."
        )
        assert refused.stored_under("K1")

    def test_a_customer_is_charged_on_its_card_where_nothing_is_said(self, account):
        form = "source=tok_mastercard"
        customer = account.post(form, path="/v1/customers").json
        card = customer["default_source"]
        paid = create(account, f"{FORM}&customer={customer['id']}&confirm=true").json
        named = create(account, f"{VISA.replace('pm_card_visa', card)}&customer={customer['id']}")
        first, second = account.charges

        assert (paid["status"], paid["source"], paid["payment_method"]) == (
            "succeeded",
            card,
            None,
        )
        assert (first.source.id, first.payment_method, first.customer) == (
            card,
            card,
            customer["id"],
        )
        assert (named.json["payment_method"], named.json["source"]) == (card, None)
        assert second.payment_method == card

    def test_details_in_the_request_become_a_method(self, account):
        data = (
            "payment_method_data[type]=card&payment_method_data[card][token]=tok_visa"
            "&payment_method_data[billing_details][name]=Ann"
        )
        paid = create(account, f"{FORM}&{data}&confirm=true").json
        intent = create(account, FORM).json["id"]
        confirmed = confirm(account, intent, data).json
        (charge, _) = account.charges

        assert (paid["status"], confirmed["status"]) == ("succeeded", "succeeded")
        assert paid["payment_method"] != confirmed["payment_method"]
        assert charge.billing_details.name == "Ann"

    def test_a_token_in_the_details_is_used_up(self, account):
        form = "card[number]=4242424242424242&card[exp_month]=8&card[exp_year]=2030"
        token = account.post(form, path="/v1/tokens").json["id"]
        data = f"payment_method_data[type]=card&payment_method_data[card][token]={token}"

        assert create(account, f"{FORM}&{data}").json["status"] == "requires_confirmation"
        assert create(account, f"{FORM}&{data}").error["code"] == "token_already_used"

    def test_under_any_whoever_is_named_pays(self, account_of):
        account = account_of(customers="any")
        forms = [
            f"{FORM}&confirm=true&customer=cus_1",
            f"{FORM}&confirm=true&customer=cus_1&payment_method=pm_mine",
            f"{FORM}&confirm=true&customer=cus_2&payment_method=card_mine",
            f"{FORM}&confirm=true&payment_method=pm_other",
        ]

        assert [create(account, form).json["status"] for form in forms] == ["succeeded"] * 4
        assert account.get("/v1/customers/cus_1").json["default_source"] is not None
        assert create(account, f"{VISA}&customer=cus_3").json["customer"] == "cus_3"


class TestAuthentication:
    """Cards whose holder has to be there."""

    FORM = f"{FORM}&payment_method=pm_card_authenticationRequired"

    def test_on_session_the_intent_waits_and_nothing_is_charged(self, account):
        steps = account.begin(f"{self.FORM}&confirm=true", "K1", path=INTENTS).to_the_end()
        intent, moved = steps.answer.json, steps.attempt.moved

        assert (steps.answer.status, intent["status"]) == (200, "requires_action")
        assert (intent["latest_charge"], account.charges) == (None, [])
        assert intent["next_action"] == {
            "type": "use_stripe_sdk",
            "use_stripe_sdk": {
                "stripe_js": f"https://hooks.stripe.com/redirect/authenticate/{intent['id']}",
                "type": "three_d_secure_redirect",
            },
        }
        assert (moved.kind, moved.id) == ("intent", intent["id"])
        assert types(account) == ["payment_intent.created", "payment_intent.requires_action"]

    def test_with_a_return_url_the_holder_is_sent_there_and_back(self, account):
        intent = create(account, self.FORM).json["id"]
        steps = account.begin("return_url=https://a.b", path=f"{INTENTS}/{intent}/confirm")
        waiting = steps.to_the_end().answer.json

        assert waiting["next_action"] == {
            "redirect_to_url": {
                "return_url": "https://a.b",
                "url": f"https://hooks.stripe.com/redirect/authenticate/{intent}",
            },
            "type": "redirect_to_url",
        }
        assert steps.attempt.moved is None

    def test_another_card_may_be_taken_meanwhile(self, account):
        waiting = create(account, f"{self.FORM}&confirm=true").json["id"]
        paid = confirm(account, waiting, "payment_method=pm_card_visa").json

        assert (paid["status"], paid["next_action"]) == ("succeeded", None)

    @pytest.mark.parametrize(
        "away", ["off_session=true", "off_session=recurring", "error_on_requires_action=true"]
    )
    def test_off_session_it_is_declined_without_a_charge(self, account, away):
        declined = create(account, f"{self.FORM}&confirm=true&{away}", key="K1")
        error = declined.json["error"]

        assert (declined.status, error["code"], error["decline_code"]) == (
            402,
            "authentication_required",
            "authentication_required",
        )
        assert error["message"] == (
            "Your card was declined. This transaction requires authentication."
        )
        assert ("charge" in error, account.charges) == (False, [])
        assert error["payment_intent"]["status"] == "requires_payment_method"
        assert error["payment_intent"]["last_payment_error"]["code"] == "authentication_required"
        assert declined.stored_under("K1")
        assert types(account) == ["payment_intent.created", "payment_intent.payment_failed"]

    def test_a_charge_of_such_a_card_is_declined(self, account):
        form = "card[number]=4000002500003155&card[exp_month]=8&card[exp_year]=2030"
        token = account.post(form, path="/v1/tokens").json["id"]
        declined = account.post(f"{FORM}&source={token}")

        assert (declined.status, declined.error["code"]) == (402, "authentication_required")


def test_a_confirmation_may_change_the_intent_first(account):
    intent = create(account, f"{FORM}&payment_method=pm_card_visa").json["id"]
    form = "capture_method=manual&receipt_email=a@b.c&shipping[name]=A&shipping[address][line1]=b"
    held = confirm(account, intent, form).json

    assert (held["status"], held["capture_method"]) == ("requires_capture", "manual")
    assert (held["receipt_email"], held["shipping"]["name"]) == ("a@b.c", "A")
    assert account.charges[0].receipt_email == "a@b.c"


@pytest.mark.parametrize(
    ("form", "param"),
    [
        ("payment_method=pm_x", "payment_method"),
        ("payment_method=card_x", "payment_method"),
        ("off_session=x", "off_session"),
        ("amount=1", "amount"),
        ("mandate=m", "mandate"),
    ],
)
def test_a_confirmation_that_cannot_be_is_refused_and_not_recorded(account, form, param):
    intent = create(account, f"{FORM}&payment_method=pm_card_visa").json["id"]
    refused = confirm(account, intent, form, key="K1")

    assert (refused.status, refused.error["param"]) == (400, param)
    assert confirm(account, intent, key="K1").json["status"] == "succeeded"
