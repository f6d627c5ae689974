"""``Stripe-Account``: an account of its own space, in the same run (facts 1.1, 2.2)."""

import pytest
import requests

from fakestripe.faults.kinds import Reset
from fakestripe.faults.rules import Profile, Rule, Settings, When
from fakestripe.server.accounts import SHARED
from fakestripe.server.listener import Server

CHARGE = {"amount": "2000", "currency": "usd", "source": "tok_visa", "metadata[order_id]": "o1"}
CONNECTED = {"Stripe-Account": "acct_1"}


class Client:
    """One API key at one server."""

    def __init__(self, server: Server, key: str = "sk_test_a") -> None:
        self.server, self.key = server, key

    def call(self, method: str, path: str, data: dict | None = None, **headers: str):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return requests.request(
            method,
            f"{self.server.url}{path}",
            data=data,
            auth=(self.key, ""),
            headers=headers,
            timeout=5,
        )

    def charge(self, **headers: str):
        return self.call("POST", "/v1/charges", CHARGE, **headers)


@pytest.fixture
def server():
    with Server() as running:
        yield running


@pytest.fixture
def client(server) -> Client:
    return Client(server)


def test_a_connected_account_has_objects_and_keys_of_its_own(client):
    own = client.charge(Idempotency_Key="K1")
    theirs = client.charge(Idempotency_Key="K1", Stripe_Account="acct_1")
    again = client.charge(Idempotency_Key="K1", Stripe_Account="acct_1")
    unknown = client.call("GET", f"/v1/charges/{own.json()['id']}", Stripe_Account="acct_1")
    listed = client.call("GET", "/v1/charges", Stripe_Account="acct_1").json()["data"]

    assert own.json()["id"] != theirs.json()["id"]
    assert (theirs.status_code, "Idempotent-Replayed" in theirs.headers) == (200, False)
    assert again.json() == theirs.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (unknown.status_code, [c["id"] for c in listed]) == (404, [theirs.json()["id"]])
    assert (theirs.headers["Stripe-Account"], "Stripe-Account" in own.headers) == ("acct_1", False)


def test_an_account_is_itself_under_its_own_name(server, client):
    own = client.charge().json()
    name = server.port.accounts.named(SHARED).bank.account
    seen = client.call("GET", f"/v1/charges/{own['id']}", Stripe_Account=name)

    assert seen.json() == own


@pytest.mark.parametrize("name", ["", "1", "acct_", "acct_ü", "cus_1", f"acct_{'x' * 251}"])
def test_what_is_no_account_is_refused_in_front(client, name):
    refused = client.charge(Stripe_Account=name.encode().decode("latin-1"))

    assert refused.status_code == 403
    assert refused.json()["error"] == {
        "message": f"The provided key 'sk_test_*' does not have access to account '{name}' (or "
        "that account does not exist). Application access may have been revoked.",
        "type": "invalid_request_error",
        "code": "account_invalid",
        "doc_url": "https://stripe.com/docs/error-codes/account-invalid",
    }
    assert "Request-Id" not in refused.headers


def test_profile_and_time_are_those_of_the_run(server, client):
    account = server.port.accounts.named(SHARED)
    client.charge(Stripe_Account="acct_1")
    settings = Settings(customers="any", clock_start=1_700_000_000.0, clock_frozen=True)
    rule = Rule("p#0", "committed", (Reset(),), when=When(nth=(1,)))
    server.call(lambda: account.use(Profile("p", (rule,), settings)))
    with pytest.raises(requests.ConnectionError):
        client.charge(Stripe_Account="acct_1")
    data = {"amount": "2000", "currency": "usd", "customer": "cus_any"}
    made = client.call("POST", "/v1/charges", data, Stripe_Account="acct_2").json()

    assert (made["created"], made["customer"]) == (1_700_000_000, "cus_any")
    assert client.charge(Stripe_Account="acct_1").status_code == 200


def test_a_payment_made_again_under_another_account_is_a_duplicate(fakestripe):
    fakestripe.intend("o1", amount=2000)
    fakestripe.use(Profile("p", (Rule("p#0", "committed", (Reset(),), when=When(nth=(1,))),)))
    ask = {"data": CHARGE, "auth": (fakestripe.api_key, ""), "timeout": 5}
    keyed = {"Idempotency-Key": "K1"}
    with pytest.raises(requests.ConnectionError):
        requests.post(f"{fakestripe.url}/v1/charges", headers=keyed, **ask)
    requests.post(f"{fakestripe.url}/v1/charges", headers=keyed | CONNECTED, **ask)
    [found] = fakestripe.verdict().operations

    assert (found.verdict, found.cause) == ("duplicate", "key_under_another_account")
    assert [charge["id"] for charge in fakestripe.charges] == list(found.charges)


def test_a_server_for_many_judges_it_with_the_key_that_acts_for_it():
    with Server(shared=False, mode="serve") as server:
        alice, bob = Client(server, "sk_test_alice"), Client(server, "sk_test_bob")
        alice.charge(Idempotency_Key="K1")
        alice.charge(Idempotency_Key="K1", Stripe_Account="acct_1")
        bob.charge(Idempotency_Key="K1")
        intent = requests.post(
            f"{server.url}/_fakestripe/intents",
            json={"operation": "o1", "amount": 2000},
            auth=("sk_test_alice", ""),
            timeout=5,
        )
        alices = alice.call("GET", "/_fakestripe/verdict").json()
        bobs = bob.call("GET", "/_fakestripe/verdict").json()
        both = requests.get(f"{server.url}/_fakestripe/verdict", timeout=5).json()

    assert intent.json() == {"intents": 1}
    assert (alices["verdict"], bobs["verdict"]) == ("duplicate", "inconclusive")
    assert len(alices["operations"][0]["charges"]) == 2
    assert both["verdict"] == "duplicate"
