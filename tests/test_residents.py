"""Customers that are there before anybody asks, by profile, server, fixture and marker."""

import pytest
import requests

from fakestripe.faults.rules import Profile, Settings
from fakestripe.profiles import ProfileError, parse
from fakestripe.server.accounts import SHARED, Accounts
from fakestripe.server.listener import Server

FORM = {"amount": "2000", "currency": "usd"}


@pytest.fixture
def accounts() -> Accounts:
    return Accounts(shared=True)


def customers(account) -> list:
    collection = account.bank.ledger.collection("customer")
    return collection.at(collection.places("living"))


def test_a_profile_may_bring_people(accounts):
    account = accounts.named(SHARED)
    account.use(parse("name: p\nsettings: {customers: 5}", "p.yaml"))
    found = customers(account)
    cards = account.bank.ledger.collection("card")

    assert len(found) == 5
    assert account.bank.ledger.customers == "strict"
    for customer in found:
        card = cards.by_id[customer.default_source]
        assert (card.customer, card.name) == (customer.id, customer.name)
        assert (card.address_zip, card.address_zip_check) == (customer.address.postal_code, "pass")
    assert {len(each.id) for each in found} == {len("cus_") + 14}
    assert {len(each.default_source) for each in found} == {len("card_") + 24}


def test_they_are_the_same_in_every_account_of_a_seed():
    def of(seed: int, key: str) -> list[tuple[str, str, str]]:
        accounts = Accounts(shared=False, customers=3, seed=seed)
        return [(c.id, c.email, c.default_source) for c in customers(accounts.named(key))]

    assert of(0, "sk_test_a") == of(0, "sk_test_b") != of(1, "sk_test_a")


def test_more_of_them_are_the_same_and_some_more(accounts):
    account = accounts.named(SHARED)
    few = account.settle(2)
    many = account.settle(4)
    account.settle(3)

    assert many[:2] == few
    assert customers(account) == many


def test_a_seed_of_a_profile_decides_who_they_are(accounts):
    account = accounts.named(SHARED)
    account.use(Profile("p", settings=Settings(customers=2, seed=9)))

    other = Accounts(shared=True, customers=2, seed=9).named(SHARED)

    assert customers(account) == [
        type(c)(**{n: getattr(c, n) for n in c.__struct_fields__} | {"created": a.created})
        for c, a in zip(customers(other), customers(account), strict=True)
    ]


def test_ids_of_charges_are_what_they_would_be_without_them():
    def first(customers: str | int) -> str:
        with Server(customers=customers) as server:
            auth = ("sk_test_a", "")
            form = FORM | {"source": "tok_visa"}
            made = requests.post(f"{server.url}/v1/charges", form, auth=auth, timeout=5)
            return made.json()["id"]

    assert first("strict") == first(10)


def test_a_server_may_bring_people_who_pay():
    with Server(shared=False, mode="serve", customers=3) as server:
        auth = ("sk_test_a", "")
        page = requests.get(f"{server.url}/v1/customers", auth=auth, timeout=5).json()
        names = [customer["id"] for customer in page["data"]]
        paid = [
            requests.post(
                f"{server.url}/v1/charges", FORM | {"customer": name}, auth=auth, timeout=5
            ).json()
            for name in names
        ]
        events = requests.get(f"{server.url}/v1/events", auth=auth, timeout=5).json()["data"]

    assert len(names) == 3
    assert [charge["status"] for charge in paid] == ["succeeded"] * 3
    assert [charge["customer"] for charge in paid] == names
    assert {event["type"] for event in events} == {"charge.succeeded"}


def test_one_that_was_deleted_does_not_come_back(accounts):
    account = accounts.named(SHARED)
    first = account.settle(2)[0]
    with Server() as server:
        server.port.accounts = accounts
        auth = ("sk_test_a", "")
        requests.delete(f"{server.url}/v1/customers/{first.id}", auth=auth, timeout=5)

    assert first not in account.settle(2)
    assert len(account.settle(2)) == 1


def test_the_fixture_makes_people(fakestripe):
    made = fakestripe.customers(2)
    auth = (fakestripe.api_key, "")
    seen = requests.get(f"{fakestripe.url}/v1/customers/{made[0]['id']}", auth=auth, timeout=5)

    assert seen.json() == made[0]
    assert fakestripe.customers(2) == made
    with pytest.raises(ValueError, match="ask for 1 to 10000"):
        fakestripe.customers(0)


@pytest.mark.fakestripe(customers=4)
def test_the_marker_makes_people(fakestripe):
    auth = (fakestripe.api_key, "")
    page = requests.get(f"{fakestripe.url}/v1/customers", auth=auth, timeout=5).json()

    assert len(page["data"]) == 4


@pytest.mark.parametrize("written", ["0", "10001", "some", "5.5"])
def test_a_number_that_is_none_is_refused(written):
    with pytest.raises(ProfileError):
        parse(f"name: p\nsettings: {{customers: {written}}}", "p.yaml")
