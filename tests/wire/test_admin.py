"""The admin side over HTTP: what a sidecar's users have instead of Python."""

from collections.abc import Iterator

import pytest
import requests

from fakestripe.server.listener import Server

CHARGE = {"amount": "2000", "currency": "usd", "source": "tok_visa", "metadata[order_id]": "o1"}
YAML = """
name: by-hand
rules:
  - at: committed
    when: {attempt: 1}
    do: reset
expect: [clean]
"""


class Admin:
    """Calls of one server, by one API key or by none."""

    def __init__(self, url: str, key: str | None = None) -> None:
        self.url = url
        self.headers = {} if key is None else {"Authorization": f"Bearer {key}"}

    def call(self, method: str, verb: str, **options: object) -> requests.Response:
        return requests.request(
            method, f"{self.url}/_fakestripe/{verb}", headers=self.headers, timeout=5, **options
        )

    def charge(self, **headers: str) -> requests.Response:
        return requests.post(
            f"{self.url}/v1/charges", CHARGE, headers=self.headers | headers, timeout=5
        )


@pytest.fixture
def url() -> Iterator[str]:
    with Server(shared=False, mode="serve") as server:
        yield server.url


@pytest.fixture
def alice(url: str) -> Admin:
    return Admin(url, "sk_test_alice")


@pytest.fixture
def bob(url: str) -> Admin:
    return Admin(url, "sk_test_bob")


@pytest.fixture
def nobody(url: str) -> Admin:
    return Admin(url)


def test_health_needs_no_key(nobody: Admin) -> None:
    assert nobody.call("GET", "health").json()["status"] == "ok"


@pytest.mark.parametrize(
    "profile", [{"data": YAML}, {"json": {"name": "reset-after-commit"}}], ids=["yaml", "name"]
)
def test_a_profile_is_one_account_s_and_no_neighbour_s(alice, bob, profile) -> None:
    alice.call("PUT", "profile", **profile).raise_for_status()

    assert bob.charge().status_code == 200
    with pytest.raises(requests.ConnectionError):
        alice.charge()
    assert alice.call("GET", "charges").json()[0]["amount"] == 2000


def test_a_keyless_retry_is_a_duplicate_and_fails_the_gate(alice) -> None:
    alice.call("PUT", "profile", data=YAML).raise_for_status()
    alice.call("POST", "intents", json=[{"operation": "o1", "amount": 2000, "currency": "usd"}])
    with pytest.raises(requests.ConnectionError):
        alice.charge()
    alice.charge().raise_for_status()
    verdict = alice.call("GET", "verdict").json()
    gate = alice.call("GET", "verdict", params={"gate": "1", "format": "text"})

    assert verdict["verdict"] == "duplicate"
    assert verdict["operations"][0]["cause"] == "no_key"
    assert len(verdict["operations"][0]["charges"]) == 2
    assert gate.status_code == 422
    assert "duplicate (" in gate.text


def test_a_keyed_retry_reported_as_paid_passes_the_gate(alice) -> None:
    alice.call("PUT", "profile", data=YAML).raise_for_status()
    alice.call("POST", "intents", json={"operation": "o1", "amount": 2000, "currency": "usd"})
    with pytest.raises(requests.ConnectionError):
        alice.charge(**{"Idempotency-Key": "K1"})
    charge = alice.charge(**{"Idempotency-Key": "K1"}).json()["id"]
    alice.call(
        "POST", "outcomes", json={"operation": "o1", "outcome": "paid", "charge": charge}
    ).raise_for_status()
    gate = alice.call("GET", "verdict", params={"gate": "1"})

    assert (gate.status_code, gate.json()["verdict"]) == (200, "clean")


def test_the_clock_of_one_account_moves_alone(alice, bob) -> None:
    bob.charge()
    alice.charge(**{"Idempotency-Key": "K1"})
    before = alice.call("GET", "charges").json()[0]["created"]
    alice.call("POST", "clock", json={"now": before + 86_401})
    again = alice.charge(**{"Idempotency-Key": "K1"})

    assert "Idempotent-Replayed" not in again.headers
    assert again.json()["created"] == before + 86_401
    assert abs(bob.call("GET", "charges").json()[0]["created"] - before) <= 2


def test_reads_without_a_key_cover_all_accounts_and_writes_are_refused(alice, bob, nobody) -> None:
    alice.charge()
    bob.charge()

    assert len(nobody.call("GET", "charges").json()) == 2
    refused = nobody.call("POST", "reset")
    assert refused.status_code == 400
    assert "?scope=port" in refused.json()["error"]
    assert nobody.call("POST", "reset", params={"scope": "port"}).status_code == 200
    assert nobody.call("GET", "charges").json() == []


def test_a_reset_leaves_the_neighbour_alone(alice, bob) -> None:
    alice.charge()
    bob.charge()
    alice.call("POST", "reset")

    assert alice.call("GET", "charges").json() == []
    assert len(bob.call("GET", "charges").json()) == 1


@pytest.mark.parametrize(
    ("method", "verb", "options", "said"),
    [
        ("PUT", "profile", {"json": {"name": "rest-after-commit"}}, "reset-after-commit"),
        ("PUT", "profile", {"data": b"\xff\xfe"}, "UTF-8"),
        ("POST", "clock", {"json": {"advance": "25 parsecs"}}, "not a duration"),
        ("POST", "clock", {"json": {}}, "advance"),
        ("POST", "intents", {"json": [{"amount": 2000}]}, "operation"),
        ("POST", "outcomes", {"json": {"operation": "o1", "outcome": "perhaps"}}, "outcome"),
        ("GET", "verdict?format=pdf", {}, "there are: json"),
        ("GET", "nonsense", {}, "there are: GET /_fakestripe/health"),
    ],
)
def test_a_call_that_cannot_be_done_says_what_to_change(
    alice, method, verb, options, said
) -> None:
    refused = alice.call(method, verb, **options)

    assert refused.status_code in (400, 404)
    assert said in refused.json()["error"]


def test_no_whole_key_is_ever_written(url: str) -> None:
    secret, live = "sk_test_" + "s3cr3t" * 4, "sk_live_" + "s3cr3t" * 4
    for key in (secret, live):
        Admin(url, key).charge()
        Admin(url, key).call("POST", "reset")
    refused = Admin(url, live).charge()
    written = [Admin(url, k).call("GET", "journal").text for k in (None, secret, live)]

    assert refused.status_code == 401
    assert "refuses live keys" in refused.json()["error"]["message"]
    assert not any(key in text for text in [*written, refused.text] for key in (secret, live))


def test_a_verdict_waits_for_a_commit_that_is_still_under_way(alice) -> None:
    """A client that gave up and charged again is judged when its first charge has come too."""
    late = YAML.replace("at: committed", "at: claimed").replace("do: reset", "do: {wait: 400ms}")
    alice.call("PUT", "profile", data=late).raise_for_status()
    alice.call("POST", "intents", json={"operation": "o1", "amount": 2000, "currency": "usd"})
    with pytest.raises(requests.ReadTimeout):
        requests.post(f"{alice.url}/v1/charges", CHARGE, headers=alice.headers, timeout=0.1)
    alice.charge().raise_for_status()

    assert alice.call("GET", "verdict").json()["verdict"] == "duplicate"
