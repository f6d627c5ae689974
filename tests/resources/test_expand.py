"""Expansion: objects in place of ids, kept as they were; what cannot be is refused (facts 6)."""

import pytest

CHARGE = "amount=2000&currency=usd&customer={}"
DEEP = "You cannot expand more than 4 levels of a property. Property: "
CANNOT = "This property cannot be expanded "


@pytest.fixture
def owner(account):
    """A customer with a card."""
    return account.post("source=tok_visa&email=a@example.com", path="/v1/customers").json["id"]


def test_a_post_shows_what_it_was_asked_to_expand(account, owner):
    plain = account.post(CHARGE.format(owner)).json
    whole = account.post(
        f"{CHARGE.format(owner)}&expand[]=customer&expand[1]=customer.default_source"
    )
    card = whole.json["customer"]["default_source"]

    assert plain["customer"] == owner
    assert list(whole.json) == list(plain)
    assert whole.json["customer"]["email"] == "a@example.com"
    assert (card["object"], card["customer"]) == ("card", owner)
    assert whole.stored_under(whole.headers["Idempotency-Key"])


def test_a_replay_shows_the_object_as_it_was_expanded_then(account, owner):
    form = f"{CHARGE.format(owner)}&expand[]=customer"
    first = account.post(form, "K1")
    account.bank.ledger.collection("customer").by_id.clear()

    assert account.post(form, "K1").replays(first)
    assert account.post(form.partition("&expand")[0], "K1").error["type"] == "idempotency_error"


def test_a_get_and_a_list_expand(account, owner):
    charge = account.post(CHARGE.format(owner)).json["id"]
    one = account.get(f"/v1/charges/{charge}", "expand[]=customer&expand[]=payment_intent").json
    page = account.get("/v1/charges", "expand[]=data.customer&expand[]=data").json

    assert (one["customer"]["id"], one["payment_intent"]) == (owner, None)
    assert page["data"] == [account.get(f"/v1/charges/{charge}", "expand[]=customer").json]
    assert list(page) == ["object", "data", "has_more", "url"]


def test_a_customer_that_is_made_by_the_charge_is_shown(account_of):
    account = account_of(customers="any")
    charge = account.post(f"{CHARGE.format('cus_new')}&expand[]=customer").json

    assert charge["customer"]["id"] == "cus_new"


def test_a_decline_expands_nothing(account):
    account.post("id=cus_1&source=tok_chargeCustomerFail", path="/v1/customers")
    declined = account.post(f"{CHARGE.format('cus_1')}&expand[]=customer")

    assert (declined.status, declined.error["code"]) == (402, "card_declined")


@pytest.mark.parametrize(
    ("paths", "message", "code"),
    [
        ("expand[]=foo", f"{CANNOT}(foo).", None),
        ("expand[]=source", f"{CANNOT}(source).", None),
        ("expand[]=foo.bar.baz", f"{CANNOT}(foo).", None),
        ("expand[]=customer.foo.bar", f"{CANNOT}(customer.foo).", None),
        ("expand[]=customer&expand[]=metadata", f"{CANNOT}(metadata).", None),
        ("expand[]=customer.invoice_settings", f"{CANNOT}(customer.invoice_settings).", None),
        ("expand[]=data.customer", f"{CANNOT}(data).", None),
        ("expand[]=a.b.c.d.e", f"{DEEP}a.b.c.d.e", "property_expansion_max_depth"),
        ("expand=customer", "Invalid array", None),
        ("expand[a]=customer", "Invalid array", None),
        ("expand[][a]=customer", "Invalid string: {...}", None),
    ],
)
def test_what_cannot_be_expanded_is_refused_before_anything_happens(account, paths, message, code):
    refused = account.post(f"amount=2000&currency=usd&source=tok_visa&{paths}", "K1")

    assert (refused.status, refused.error["message"]) == (400, message)
    assert refused.error.get("code") == code
    assert refused.executed_nothing("K1")
    assert account.charges == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "customer",
            f"{CANNOT}(customer). You may want to try expanding 'data.customer' instead.",
        ),
        ("data.foo", f"{CANNOT}(data.foo)."),
        ("data.customer.default_source.customer.foo", f"{DEEP}{{}}"),
    ],
)
def test_a_list_expands_what_is_in_it(account, path, message):
    refused = account.get("/v1/charges", f"expand[]={path}")

    assert (refused.status, refused.error["message"]) == (400, message.format(path))


def test_an_empty_expand_asks_for_nothing(account):
    assert "expand" not in account.post("amount=2000&currency=usd&source=tok_visa&expand=").json
    assert account.get("/v1/charges", "expand[]=").status == 200
