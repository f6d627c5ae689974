"""The admin side over HTTP: what a sidecar's users have instead of Python."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from admin_client import CHARGE, YAML, Admin  # conftest finds it

from fakestripe.server.listener import Server


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


@pytest.mark.parametrize("gate", ["true", "yes", "01", "2"])
def test_a_gate_that_is_misspelt_is_refused_and_not_open(alice, gate) -> None:
    assert alice.call("GET", "verdict", params={"gate": gate}).status_code == 400
    assert alice.call("GET", "verdict", params={"gates": "1"}).status_code == 400
    assert alice.call("POST", "reset", params={"scope": "all"}).status_code == 400


@pytest.mark.parametrize("now", ["NaN", "Infinity", "1e300", "-1e12"])
def test_a_clock_beyond_all_dates_is_refused(alice, now) -> None:
    refused = alice.call("POST", "clock", data=f'{{"now": {now}}}')

    assert refused.status_code == 400
    assert alice.charge().status_code == 200
    assert alice.call("GET", "verdict", params={"format": "text"}).status_code == 200


@pytest.mark.parametrize(
    "intent",
    [{"operation": ""}, {"operation": "o1", "amount": -1}, {"operation": "o1", "count": -5}],
)
def test_an_intent_that_nobody_can_have_is_refused(alice, intent) -> None:
    assert alice.call("POST", "intents", json=[intent]).status_code == 400


def test_a_body_nested_without_end_is_refused(alice) -> None:
    for verb in ("profile", "intents"):
        method = "PUT" if verb == "profile" else "POST"
        assert alice.call(method, verb, data="[" * 100_000).status_code == 400


def test_a_profile_is_named_and_no_file_of_the_server_is_read(alice) -> None:
    refused = alice.call("PUT", "profile", json={"name": "/etc/hostname"})

    assert (refused.status_code, "is a path" in refused.json()["error"]) == (400, True)


def test_a_body_that_cannot_be_read_is_a_bad_request(alice) -> None:
    for encoding in ("gzip", "deflate"):
        assert alice.charge(**{"Content-Encoding": encoding}).status_code == 400
    assert alice.call("GET", "charges").json() == []


def test_a_reset_frees_the_account_s_held_clients_alone(alice, bob) -> None:
    hang = YAML.replace("do: reset", "do: hang")
    for each in (alice, bob):
        each.call("PUT", "profile", data=hang).raise_for_status()
    with ThreadPoolExecutor() as pool:
        held = [pool.submit(each.charge) for each in (alice, bob)]
        while not all(each.call("GET", "charges").json() for each in (alice, bob)):
            pass
        alice.call("POST", "reset")
        with pytest.raises(requests.ConnectionError):
            held[0].result(timeout=5)
        assert not held[1].done()
        bob.call("POST", "reset")


def test_a_key_that_a_caller_writes_elsewhere_is_masked(alice) -> None:
    secret = "sk_test_" + "s3cr3t" * 4
    form = CHARGE | {"metadata[note]": f"x{secret}"}
    headers = alice.headers | {"Idempotency-Key": f"k_{secret}"}
    requests.post(f"{alice.url}/v1/charges", form, headers=headers, timeout=5)
    requests.get(f"{alice.url}/v1/{secret}", headers=headers, timeout=5)
    shown = alice.call("GET", "journal").text
    shown += alice.call("GET", "verdict", params={"format": "text"}).text

    assert secret not in shown


def test_a_rule_that_never_fired_names_the_closest_request(alice) -> None:
    alice.call("PUT", "profile", data=YAML.replace("attempt: 1", "attempt: 2")).raise_for_status()
    alice.charge()
    verdict = alice.call("GET", "verdict").json()
    said = " ".join(alice.call("GET", "verdict?format=text").text.split())

    assert verdict["unfired_rules"] == ["by-hand#0"]
    assert verdict["near_misses"] == [
        {
            "rule": "by-hand#0",
            "stage": "when",
            "arrival": 1,
            "method": "POST",
            "path": "/v1/charges",
            "differs": [{"field": "when.attempt", "was": "1", "wants": "2"}],
            "closest": "arrival 1, POST /v1/charges: when.attempt was 1, the rule wants 2",
        }
    ]
    assert f"never fired; closest: {verdict['near_misses'][0]['closest']}" in said


@pytest.mark.parametrize("verb", ["intents", "outcomes"])
def test_half_a_character_is_refused_since_no_report_could_tell_it(alice, verb) -> None:
    said = b'[{"operation": "\\ud800", "outcome": "paid"}]'
    refused = alice.call("POST", verb, data=said)

    assert refused.status_code == 400
    assert refused.json()["error"].startswith("the body has half a character")
    assert alice.call("GET", "journal").status_code == 200


def test_where_nobody_has_come_yet_the_journal_says_whose_it_is(nobody) -> None:
    (line,) = nobody.call("GET", "journal").text.splitlines()

    assert (json.loads(line)["kind"], json.loads(line)["mode"]) == ("header", "serve")
