"""Customers, and who pays a charge (stripe-facts 3.2, 4.5, 5)."""

import pytest

from fakestripe.faults.kinds import Wait
from fakestripe.faults.rules import Match, Profile, Rule

CUSTOMERS = "/v1/customers"
NOT_EMULATED = "fakestripe does not emulate the parameter 'balance'; Stripe would have read it."
CHARGE = "amount=2000&currency=usd"


def create(account, form: str = ""):
    return account.post(form, path=CUSTOMERS)


def test_a_customer_is_all_that_was_asked(account):
    customer = create(
        account,
        "email=a@b.c&name=A&phone=1&description=x&metadata[k]=v&address[city]=X"
        "&shipping[name]=B&shipping[address][line1]=Main+1",
    ).json

    assert (customer["object"], customer["email"], customer["name"]) == ("customer", "a@b.c", "A")
    assert (customer["phone"], customer["description"]) == ("1", "x")
    assert (customer["metadata"], customer["default_source"]) == ({"k": "v"}, None)
    assert (customer["address"]["city"], customer["address"]["line1"]) == ("X", None)
    assert customer["shipping"]["address"]["line1"] == "Main 1"
    assert (customer["created"], customer["livemode"]) == (int(account.now), False)
    assert account.get(f"{CUSTOMERS}/{customer['id']}").json == customer


def test_a_customer_may_have_an_id_of_ones_own_but_only_once(account):
    taken = create(account, "id=me").json["id"], create(account, "id=me")

    assert taken[0] == "me"
    assert (taken[1].status, taken[1].error["code"]) == (400, "resource_already_exists")
    assert taken[1].error["message"] == "Customer already exists."


def test_an_id_taken_while_another_request_waited_is_taken(account):
    account.profile = Profile("p", (Rule("p#0", "claimed", (Wait(1.0),), Match(any=True)),))
    late = account.begin("id=me", "K1", path=CUSTOMERS)
    account.profile = Profile("q")

    assert create(account, "id=me").status == 200

    late.to_the_end()

    assert late.answer.error["code"] == "resource_already_exists"
    assert late.answer.executed_nothing("K1")


@pytest.mark.parametrize(
    ("form", "message", "param"),
    [
        ("source=tok_x", "No such token: 'tok_x'", "source"),
        ("foo=1", "Received unknown parameter: foo", "foo"),
        ("balance=1", NOT_EMULATED, "balance"),
        ("id=", None, "id"),
    ],
)
def test_a_customer_that_cannot_be_is_refused(account, form, message, param):
    refused = create(account, form)

    assert (refused.status, refused.error["param"]) == (400, param)
    assert message in (None, refused.error["message"])


def test_an_unknown_customer_is_a_404(account):
    answer = account.get(f"{CUSTOMERS}/cus_x")

    assert (answer.status, answer.error["param"]) == (404, "id")
    assert (answer.error["message"], answer.error["code"]) == (
        "No such customer: 'cus_x'",
        "resource_missing",
    )


def test_a_card_that_declines_cannot_be_attached(account):
    generic = create(account, "source=tok_chargeDeclined")
    expired = create(account, "source=tok_chargeDeclinedExpiredCard")

    assert (generic.status, generic.error["param"]) == (402, "")
    assert (expired.status, expired.error["param"]) == (402, "exp_month")
    assert "charge" not in generic.error


@pytest.mark.parametrize("token", ["tok_chargeCustomerFail", "tok_radarBlock"])
def test_some_cards_attach_and_then_fail(account, token):
    customer = create(account, f"source={token}").json["id"]

    assert account.post(f"{CHARGE}&customer={customer}").status == 402


def test_a_customer_alone_pays_with_its_default_source(account):
    customer = create(account, "source=tok_mastercard").json
    charge = account.post(f"{CHARGE}&customer={customer['id']}").json

    assert (charge["customer"], charge["source"]["id"]) == (
        customer["id"],
        customer["default_source"],
    )
    assert (charge["payment_method"], charge["source"]["brand"]) == (
        customer["default_source"],
        "MasterCard",
    )
    assert charge["source"]["customer"] == customer["id"]


def test_a_customer_pays_with_a_card_of_its_own_and_no_other(account):
    mine, other = (create(account, "source=tok_visa").json for _ in range(2))
    own = account.post(f"{CHARGE}&customer={mine['id']}&source={mine['default_source']}")

    assert own.json["payment_method"] == mine["default_source"]
    for source in (other["default_source"], "card_x", "tok_visa"):
        refused = account.post(f"{CHARGE}&customer={mine['id']}&source={source}")

        assert (refused.status, refused.error["code"]) == (404, "missing")
        assert refused.error["param"] == "source"
        assert refused.error["message"] == (
            f"Customer {mine['id']} does not have a linked source with ID {source}."
        )


def test_a_customer_without_a_card_cannot_pay(account):
    customer = create(account).json["id"]
    refused = account.post(f"{CHARGE}&customer={customer}")

    assert (refused.status, refused.error) == (
        402,
        {
            "code": "missing",
            "message": "Cannot charge a customer that has no active card",
            "param": "card",
            "type": "card_error",
        },
    )


class TestAny:
    """``customers: any``: every string is a customer with a working card."""

    @pytest.fixture
    def account(self, account_of):
        return account_of(customers="any")

    def test_an_unseen_customer_is_made_by_its_first_charge(self, account):
        assert account.get(f"{CUSTOMERS}/cus_new").status == 404

        first, second = (account.post(f"{CHARGE}&customer=cus_new").json for _ in range(2))

        assert (first["status"], first["customer"]) == ("succeeded", "cus_new")
        assert first["payment_method"] == second["payment_method"]
        assert (
            account.get(f"{CUSTOMERS}/cus_new").json["default_source"] == first["payment_method"]
        )

    def test_a_refused_request_makes_none(self, account):
        account.post("amount=1&currency=usd&customer=cus_new")
        account.post(f"{CHARGE}&customer=cus_new&source=tok_visa")

        assert account.get(f"{CUSTOMERS}/cus_new").status == 404

    @pytest.mark.parametrize("source", ["pm_x", "card_x", "src_x", "pm_card_visa"])
    def test_unknown_sources_work_with_and_without_a_customer(self, account, source):
        assert account.post(f"{CHARGE}&source={source}").status == 200
        assert account.post(f"{CHARGE}&source={source}&customer=cus_new").status == 200
        assert account.post(f"{CHARGE}&source={source}&customer=cus_new").status == 200

    def test_magic_payment_methods_fail_as_their_names_say(self, account):
        declined = account.post(f"{CHARGE}&source=pm_card_visa_chargeDeclined&customer=cus_new")

        assert (declined.status, declined.error["code"]) == (402, "card_declined")
        assert account.charges[0].customer == "cus_new"

    def test_a_customer_made_without_a_card_has_one_all_the_same(self, account):
        customer = create(account).json["id"]

        assert account.post(f"{CHARGE}&customer={customer}").json["customer"] == customer

    @pytest.mark.parametrize("source", ["tok_visa", "tok_x"])
    def test_a_token_beside_a_customer_is_refused_even_so(self, account, source):
        assert account.post(f"{CHARGE}&source={source}&customer=cus_new").status == 404

    def test_an_unknown_token_is_unknown(self, account):
        assert account.post(f"{CHARGE}&source=tok_x").status == 400
