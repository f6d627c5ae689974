"""Customers that change, go, are listed, and have cards (facts 3.2, 4.5, 8)."""

import pytest

CUSTOMERS = "/v1/customers"
CHARGE = "amount=2000&currency=usd"
SENT = "shipping[name]=S&shipping[address][line1]=1"


@pytest.fixture
def owner(account) -> str:
    """A customer with a card, an address and some metadata."""
    form = "source=tok_visa&email=a@example.com&metadata[a]=1&metadata[b]=2"
    return account.post(form, path=CUSTOMERS).json["id"]


def update(account, owner: str, form: str, key: str | None = None):
    return account.post(form, key, path=f"{CUSTOMERS}/{owner}")


def types(account) -> list[str]:
    return [event.type for event in account.bank.ledger.events.events]


def test_what_is_given_changes_and_the_rest_stays(account, owner):
    before = account.get(f"{CUSTOMERS}/{owner}").json
    form = "name=N&phone=1&description=d&email=b@example.com&metadata[a]=&metadata[c]=3"
    after = update(account, owner, f"{form}&address[city]=X&{SENT}").json

    assert after == before | {
        "address": dict.fromkeys(after["address"]) | {"city": "X"},
        "description": "d",
        "email": "b@example.com",
        "metadata": {"b": "2", "c": "3"},
        "name": "N",
        "phone": "1",
        "shipping": after["shipping"],
    }
    assert account.get(f"{CUSTOMERS}/{owner}").json == after
    assert update(account, owner, "name=&address=&metadata=").json == after | {
        "address": None,
        "metadata": {},
        "name": None,
    }


def test_an_update_that_changes_nothing_is_not_told(account, owner):
    update(account, owner, "email=a@example.com")
    update(account, owner, "")
    update(account, owner, "email=b@example.com")
    told = account.get("/v1/events", "type=customer.updated").json["data"]

    assert types(account) == ["customer.created", "customer.updated"]
    assert told[0]["data"]["previous_attributes"] == {"email": "a@example.com"}


def test_a_new_source_takes_the_place_of_the_default(account, owner):
    before = account.get(f"{CUSTOMERS}/{owner}").json["default_source"]
    after = update(account, owner, "source=tok_mastercard").json
    cards = account.get(f"{CUSTOMERS}/{owner}/sources").json["data"]
    charge = account.post(f"{CHARGE}&customer={owner}").json

    assert [card["id"] for card in cards] == [after["default_source"]]
    assert (after["default_source"] != before, cards[0]["brand"]) == (True, "MasterCard")
    assert charge["source"]["id"] == after["default_source"]
    assert types(account)[1:4] == [
        "customer.source.created",
        "customer.updated",
        "customer.source.deleted",
    ]


def test_a_card_that_declines_is_not_attached_by_an_update(account, owner):
    refused = update(account, owner, "source=tok_chargeDeclined", "K1")

    assert (refused.status, refused.error["code"]) == (402, "card_declined")
    assert refused.stored_under("K1")
    assert types(account) == ["customer.created"]


def test_the_default_may_be_another_card_of_the_customer(account, owner):
    second = account.post("source=tok_amex", path=f"{CUSTOMERS}/{owner}/sources").json["id"]
    stranger = account.post("source=tok_visa", path=CUSTOMERS).json["default_source"]
    after = update(account, owner, f"default_source={second}").json
    refused = update(account, owner, f"default_source={stranger}", "K1")

    assert after["default_source"] == second
    assert account.post(f"{CHARGE}&customer={owner}").json["source"]["last4"] == "0005"
    assert (refused.status, refused.error["message"]) == (400, f"No such source: '{stranger}'")
    assert refused.executed_nothing("K1")


@pytest.mark.parametrize(
    ("form", "message", "param"),
    [
        ("email=nobody", "Invalid email address: nobody", "email"),
        ("source=tok_x", "No such token: 'tok_x'", "source"),
        ("id=me", "Received unknown parameter: id", "id"),
    ],
)
def test_what_is_no_update_is_refused(account, owner, form, message, param):
    refused = update(account, owner, form, "K1")

    assert (refused.status, refused.error["message"], refused.error["param"]) == (
        400,
        message,
        param,
    )
    assert refused.executed_nothing("K1")


def test_an_unknown_customer_is_a_404_whatever_is_asked_of_it(account):
    path = f"{CUSTOMERS}/cus_x"
    answers = [
        account.post("name=N", path=path),
        account.delete(path),
        account.post("source=tok_visa", path=f"{path}/sources"),
        account.get(f"{path}/sources"),
        account.get(f"{path}/sources/card_x"),
        account.delete(f"{path}/sources/card_x"),
    ]

    assert {(a.status, a.error["message"]) for a in answers} == {
        (404, "No such customer: 'cus_x'")
    }


def test_of_a_deleted_customer_a_stub_is_left(account, owner):
    charge = account.post(f"{CHARGE}&customer={owner}").json["id"]
    gone = account.delete(f"{CUSTOMERS}/{owner}")
    stub = {"id": owner, "object": "customer", "deleted": True}

    assert (gone.status, gone.json) == (200, stub)
    assert list(gone.json) == ["id", "object", "deleted"]
    assert account.get(f"{CUSTOMERS}/{owner}").json == stub
    assert (
        account.get(f"/v1/charges/{charge}", "expand[]=customer.sources").json["customer"] == stub
    )
    assert [c["id"] for c in account.get("/v1/charges", f"customer={owner}").json["data"]] == [
        charge
    ]
    assert types(account)[-1] == "customer.deleted"
    assert account.bank.ledger.events.events[-1].object.email == "a@example.com"


def test_a_deleted_customer_can_do_nothing_more(account, owner):
    account.delete(f"{CUSTOMERS}/{owner}")
    again = account.delete(f"{CUSTOMERS}/{owner}")

    assert (again.status, again.error["message"]) == (404, f"No such customer: '{owner}'")
    assert update(account, owner, "name=N").status == 404
    assert account.post(f"{CHARGE}&customer={owner}").error["param"] == "customer"
    assert account.get(CUSTOMERS).json["data"] == []
    assert account.get(CUSTOMERS, "email=a@example.com").json["data"] == []


def test_a_delete_binds_no_key(account, owner):
    """The key is echoed, and nothing says that an outcome was stored (facts 1.1)."""
    first = account.delete(f"{CUSTOMERS}/{owner}", key="K1")
    again = account.delete(f"{CUSTOMERS}/{owner}", key="K1")
    attempt = account.bank.journal.attempts[-1]

    assert list(first.headers) == ["Request-Id", "Stripe-Version", "Idempotency-Key"]
    assert (first.headers["Idempotency-Key"], again.status) == ("K1", 404)
    assert (attempt.key_state, attempt.idempotency_key) == ("absent", "K1")
    assert account.post(f"{CHARGE}&source=tok_visa", "K1").status == 200
    assert account.bank.ledger.events.events[1].request_id == first.headers["Request-Id"]


def test_a_delete_takes_no_parameters_but_expand(account, owner):
    for place in ("form", "query"):
        refused = account.delete(f"{CUSTOMERS}/{owner}", **{place: "foo=1"})

        assert refused.error["message"] == "Received unknown parameter: foo"

    refused = account.delete(f"{CUSTOMERS}/{owner}", "expand[]=default_source")

    assert refused.error["message"] == "This property cannot be expanded (default_source)."
    assert account.get(f"{CUSTOMERS}/{owner}").json["email"] == "a@example.com"


def test_customers_are_listed_newest_first_by_address_and_time(account):
    made = []
    for address in ("a@example.com", "b@example.com", "A@example.com", "a@example.com"):
        made.append(account.post(f"email={address}", path=CUSTOMERS).json["id"])
        account.now += 1
    update(account, made[0], "email=b@example.com")

    def listed(query: str = "") -> list[str]:
        return [customer["id"] for customer in account.get(CUSTOMERS, query).json["data"]]

    assert listed() == made[::-1]
    assert listed("email=a@example.com") == [made[3]]
    assert listed("email=b@example.com") == [made[1], made[0]]
    assert listed("email=nobody@example.com") == []
    assert listed("created[gt]=1785715411&created[lt]=1785715414") == [made[2], made[1]]
    assert listed(f"limit=1&starting_after={made[2]}") == [made[1]]
    account.delete(f"{CUSTOMERS}/{made[2]}")
    assert listed(f"starting_after={made[2]}") == [made[1], made[0]]
    assert listed() == [made[3], made[1], made[0]]
    assert account.get(CUSTOMERS, "test_clock=c").headers["Fakestripe-Unsupported"] == "test_clock"


def test_cards_of_a_customer_are_added_and_listed(account, owner):
    first = account.get(f"{CUSTOMERS}/{owner}").json["default_source"]
    added = account.post("source=tok_amex", path=f"{CUSTOMERS}/{owner}/sources").json
    page = account.get(f"{CUSTOMERS}/{owner}/sources").json
    charge = account.post(f"{CHARGE}&customer={owner}&source={added['id']}").json

    assert (added["object"], added["customer"], added["brand"]) == (
        "card",
        owner,
        "American Express",
    )
    assert [card["id"] for card in page["data"]] == [added["id"], first]
    assert page["url"] == f"{CUSTOMERS}/{owner}/sources"
    assert account.get(f"{CUSTOMERS}/{owner}/sources", "object=card").json == page
    assert account.get(f"{CUSTOMERS}/{owner}/sources", "object=bank_account").json["data"] == []
    assert account.get(f"{CUSTOMERS}/{owner}/sources", "object=x").error["param"] == "object"
    assert account.get(f"{CUSTOMERS}/{owner}/sources/{first}").json["id"] == first
    assert account.get(f"{CUSTOMERS}/{owner}").json["default_source"] == first
    assert charge["source"]["id"] == added["id"]


def test_the_first_card_becomes_the_default(account):
    poor = account.post("", path=CUSTOMERS).json["id"]
    card = account.post("source=tok_visa", path=f"{CUSTOMERS}/{poor}/sources").json["id"]

    assert account.get(f"{CUSTOMERS}/{poor}").json["default_source"] == card
    assert types(account) == ["customer.created", "customer.source.created", "customer.updated"]


def test_where_the_default_goes_the_newest_other_card_follows(account, owner):
    path = f"{CUSTOMERS}/{owner}/sources"
    first = account.get(f"{CUSTOMERS}/{owner}").json["default_source"]
    second, third = (
        account.post(f"source={t}", path=path).json["id"] for t in ("tok_us", "tok_gb")
    )

    def default() -> str | None:
        return account.get(f"{CUSTOMERS}/{owner}").json["default_source"]

    assert account.delete(f"{path}/{second}").json == {
        "id": second,
        "object": "card",
        "deleted": True,
    }
    assert default() == first
    account.delete(f"{path}/{first}")
    assert default() == third
    account.delete(f"{path}/{third}")
    assert (default(), account.get(path).json["data"]) == (None, [])
    assert account.get(f"{path}/{first}").error["message"] == f"No such source: '{first}'"
    assert account.post(f"{CHARGE}&customer={owner}").error["code"] == "missing"


@pytest.mark.parametrize(
    ("form", "status", "message"),
    [
        ("", 400, "Missing required param: source."),
        ("source=tok_x", 400, "No such token: 'tok_x'"),
        ("source=tok_chargeDeclined", 402, "Your card was declined."),
    ],
)
def test_a_card_that_cannot_be_added_is_refused(account, owner, form, status, message):
    refused = account.post(form, path=f"{CUSTOMERS}/{owner}/sources")

    assert (refused.status, refused.error["message"]) == (status, message)


def test_a_customer_shows_its_lists_where_it_is_asked_to(account, owner):
    query = "expand[]=sources&expand[]=subscriptions&expand[]=tax_ids&expand[]=default_source"
    shown = account.get(f"{CUSTOMERS}/{owner}", query).json
    page = account.get(CUSTOMERS, "expand[]=data.sources.data.customer").json

    assert shown["sources"]["data"] == [shown["default_source"]]
    assert shown["subscriptions"] == {
        "object": "list",
        "data": [],
        "has_more": False,
        "url": f"{CUSTOMERS}/{owner}/subscriptions",
    }
    assert shown["tax_ids"]["url"] == f"{CUSTOMERS}/{owner}/tax_ids"
    assert page["data"][0]["sources"]["data"][0]["customer"]["email"] == "a@example.com"


def test_a_deleted_customer_of_a_lenient_account_begins_anew(account_of):
    account = account_of(customers="any")
    account.post("id=cus_1&email=a@example.com", path=CUSTOMERS)
    account.delete(f"{CUSTOMERS}/cus_1")
    charge = account.post(f"{CHARGE}&customer=cus_1")

    assert charge.status == 200
    assert account.get(f"{CUSTOMERS}/cus_1").json["email"] is None
