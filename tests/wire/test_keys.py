"""Further keys over HTTP: made once, whose they are, what an audit and a journal tell of them."""

import json
from collections.abc import Iterator

import pytest
import requests
from admin_client import YAML, Admin  # conftest finds it

from fakestripe.server.listener import Server
from fakestripe.verdict import read

CAP = {"daily_usd_cap": "50.00"}
OVER = b'{"error":"daily_usd_cap_exceeded","cap_usd":50.00,"spent_usd":60.00}'
PROXYS = {"server", "date", "content-type", "content-length", "connection"}
"""All headers of an answer from in front of Stripe."""
KEYED = """
name: keyed
settings:
  keys:
    - {key: vk_test_nightly_run, daily_usd_cap: 50.00, allowed_endpoints: [/v1/charges]}
    - {key: rk_test_reports_only, permissions: {charges: read}}
"""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(shared=False, mode="serve") as serving:
        yield serving


@pytest.fixture
def alice(server: Server) -> Admin:
    return Admin(server.url, "sk_test_alice")


@pytest.fixture
def bob(server: Server) -> Admin:
    return Admin(server.url, "sk_test_bob")


@pytest.fixture
def port() -> Iterator[Admin]:
    """A port of one's own, where all keys are one account."""
    with Server() as serving:
        yield Admin(serving.url, "sk_test_any")


def made(admin: Admin, **asked: object) -> Admin:
    """Make a key of the admin's account; return a caller by it."""
    answer = admin.call("POST", "keys", json=asked)
    answer.raise_for_status()
    return Admin(admin.url, answer.json()["key"])


def key_of(admin: Admin) -> str:
    return admin.headers["Authorization"].removeprefix("Bearer ")


def requests_of(admin: Admin) -> list[dict]:
    return admin.call("GET", "audit").json()["requests"]


def test_a_key_is_told_whole_by_what_makes_it_and_never_again(alice: Admin) -> None:
    answer = alice.call("POST", "keys", json={**CAP, "allowed_endpoints": ["/v1/charges"]}).json()
    key = answer.pop("key")
    Admin(alice.url, key).pay("o1", key="K1")
    told = [alice.call("GET", verb).text for verb in ("audit", "journal", "verdict", "")]

    assert answer == {
        "account": requests_of(alice)[0]["account"],
        "daily_usd_cap": "50.00",
        "allowed_endpoints": ["/v1/charges"],
        "expires_at": None,
        "refunds_give_back": False,
    }
    assert (key[:8], len(key)) == ("vk_test_", 32)
    assert not any(key in text for text in told)


def test_it_charges_the_account_that_made_it(alice: Admin, bob: Admin) -> None:
    vault = made(alice, **CAP)
    charge = vault.pay("o1").json()["id"]

    assert [each["id"] for each in alice.charges] == [charge]
    assert [each["id"] for each in vault.charges] == [charge]
    assert bob.charges == []


def test_over_the_cap_nothing_of_stripe_is_in_the_answer(alice: Admin) -> None:
    vault = made(alice, **CAP)
    first, _, refused = (vault.pay(f"o{n}", key=f"K{n}") for n in range(3))

    assert (refused.status_code, refused.content) == (429, OVER)
    assert {name.lower() for name in refused.headers} == PROXYS
    assert vault.pay("o0", key="K0").headers["Idempotent-Replayed"] == "true"
    assert vault.pay("o0", key="K0").content == first.content
    assert alice.pay("o2", key="K2").status_code == 200  # nothing was bound, and no cap is hers


def test_a_vault_key_that_nobody_made_is_refused_with_the_remedy(
    alice: Admin, port: Admin
) -> None:
    for admin in (alice, port):
        refused = Admin(admin.url, "vk_test_never_made").pay("o1")

        assert refused.status_code == 401
        assert refused.json() == {
            "error": "unknown_key",
            "message": "vk_test_******made is not known here: make it by "
            "POST /_fakestripe/keys, or in a profile",
        }
        assert {name.lower() for name in refused.headers} == PROXYS
    asked = Admin(alice.url, "vk_test_never_made").call("GET", "charges")
    assert (asked.status_code, asked.json()) == (
        400,
        {"error": "vk_test_******made is a vault key that nobody has made on this port"},
    )


def test_it_may_be_made_after_it_was_refused(alice: Admin) -> None:
    refused = Admin(alice.url, "vk_test_nightly_run")
    statuses = [refused.pay("o1").status_code]
    made(alice, key="vk_test_nightly_run")
    statuses.append(refused.pay("o1").status_code)

    assert statuses == [401, 200]


def test_a_restricted_key_that_nobody_made_is_an_account_of_its_own(alice: Admin) -> None:
    own = Admin(alice.url, "rk_test_undeclared")

    assert own.pay("o1").status_code == 200
    assert (len(own.charges), alice.charges) == (1, [])
    assert requests_of(own) == []


def test_where_all_keys_are_one_account_a_restricted_one_is_restricted_once_it_is_made(
    port: Admin,
) -> None:
    known = Admin(port.url, "rk_test_reports_only")
    before = known.pay("o1").status_code
    made(port, key="rk_test_reports_only", permissions={"charges": "read"})

    assert (before, known.pay("o2").status_code) == (200, 403)
    assert len(port.charges) == 1


def test_two_accounts_cannot_claim_one_key(alice: Admin, bob: Admin) -> None:
    made(alice, key="vk_test_nightly_run", **CAP)
    bob.pay("o1")
    answers = [
        bob.call("POST", "keys", json={"key": key})
        for key in ("vk_test_nightly_run", "sk_test_alice")
    ]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert answers[0].json()["error"] == (
        "key: vk_test_*******_run is a key of another account on this port: choose another"
    )
    assert Admin(bob.url, "vk_test_nightly_run").charges == []
    assert len(bob.charges) == 1


def test_a_key_that_is_made_again_keeps_what_it_has_spent(alice: Admin) -> None:
    vault = made(alice, key="vk_test_nightly_run", **CAP)
    vault.pay("o1")
    vault.pay("o2")
    made(alice, key="vk_test_nightly_run", daily_usd_cap="60.00")

    assert [vault.pay(f"o{n}").status_code for n in (3, 4)] == [200, 429]
    [told] = alice.call("GET", "audit").json()["keys"]
    assert (told["daily_usd_cap"], told["days"][0]["committed_usd_cents"]) == ("60.00", 6000)


def test_a_second_secret_key_is_the_same_account_without_a_cap(alice: Admin) -> None:
    second = made(alice, key="sk_test_alices_second")
    second.pay("o1")

    assert len(alice.charges) == 1
    assert alice.call("GET", "audit").json() == {"keys": [], "requests": []}
    assert (
        second.call("POST", "clock", json={"advance": "1h"}).json()[0]["account"]
        == (alice.call("GET", "profile").json()[0]["account"])
    )


def test_a_reset_forgets_the_keys_of_the_account(alice: Admin) -> None:
    vault, second = made(alice, **CAP), made(alice, key="sk_test_alices_second")
    vault.pay("o1")
    alice.call("POST", "reset")

    assert vault.pay("o1").status_code == 401
    assert second.pay("o1").status_code == 200
    assert alice.charges == []  # the second is an account of its own now
    assert key_of(made(alice, **CAP)) == key_of(vault)  # the first key of the account, again


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"daily_usd_cap": -1}, "daily_usd_cap"),
        ({"daily_usd_cap": "1.234"}, "daily_usd_cap"),
        ({"daily_usd_cap": 450.0}, "daily_usd_cap"),
        ({"key": "sk_live_x"}, "key"),
        ({"allowed_endpoints": ["v1/charges"]}, "allowed_endpoints"),
        ({"permissions": {"chargs": "write"}}, "permissions.chargs"),
        ({"cap": "1.00"}, "cap"),
    ],
)
def test_a_wrong_key_is_refused_in_one_line_that_names_the_field(alice, asked, field) -> None:
    refused = alice.call("POST", "keys", json=asked)

    assert (refused.status_code, refused.json()["error"].partition(":")[0]) == (400, field)
    assert "\n" not in refused.json()["error"]


def test_a_cap_that_is_no_number_is_refused(alice: Admin) -> None:
    refused = alice.call("POST", "keys", data='{"daily_usd_cap": NaN}')

    assert refused.json()["error"].startswith("daily_usd_cap: write dollars as a text")


def test_a_key_of_ones_own_name_is_for_no_port_of_many(alice: Admin) -> None:
    alice.pay("o1")
    refused = Admin(alice.url).call(
        "POST", "keys", params={"scope": "port"}, json={"key": "vk_test_a"}
    )

    assert (refused.status_code, refused.json()["error"].partition(":")[0]) == (400, "key")


# --- profiles


def test_a_profile_makes_keys_for_its_account(alice: Admin, bob: Admin) -> None:
    alice.call("PUT", "profile", data=KEYED).raise_for_status()
    nightly = Admin(alice.url, "vk_test_nightly_run")
    statuses = [nightly.pay(f"o{n}").status_code for n in range(3)]
    taken = bob.call("PUT", "profile", data=KEYED)

    assert statuses == [200, 200, 429]
    assert Admin(alice.url, "rk_test_reports_only").pay("o1").status_code == 403
    assert (len(alice.charges), taken.status_code) == (2, 400)
    assert taken.json()["error"].startswith("key: vk_test_*******_run is a key of another account")
    assert bob.call("GET", "profile").json()[0]["name"] == "fault-free"


def test_the_keys_of_a_profile_stay_when_another_is_set(alice: Admin) -> None:
    alice.call("PUT", "profile", data=KEYED)
    alice.call("PUT", "profile", data=YAML.replace("attempt: 1", "attempt: 9"))

    assert Admin(alice.url, "rk_test_reports_only").pay("o1").status_code == 403


def test_a_profile_with_keys_is_for_no_port_of_many(alice: Admin) -> None:
    refused = Admin(alice.url).call("PUT", "profile", params={"scope": "port"}, data=KEYED)

    assert refused.status_code == 400
    assert refused.json()["error"].startswith("settings.keys: a key belongs to one account, and ")


def test_a_profile_of_a_port_of_ones_own_makes_keys_for_it(alice: Admin) -> None:
    own = alice.call("POST", "ports", json={"profile": KEYED}).json()["url"]
    nightly = Admin(own, "vk_test_nightly_run")
    statuses = [nightly.pay(f"o{n}").status_code for n in range(3)]
    Admin(own).call("POST", "reset")

    assert statuses == [200, 200, 429]
    assert nightly.pay("o9").status_code == 200  # the port still has its profile


def test_a_port_is_the_accounts_whichever_key_it_was_opened_with(alice: Admin) -> None:
    vault = made(alice, **CAP)
    alice.pay("o1")
    opened = vault.call("POST", "ports", json={}).json()["port"]

    assert [each["port"] for each in alice.call("GET", "ports").json()] == [opened]


# --- what is told


def test_the_audit_can_be_laid_against_the_ledger(alice: Admin) -> None:
    vault, reports = made(alice, **CAP), made(alice, permissions={"charges": "read"})
    for order in ("o1", "o2", "o1", "o3"):
        vault.pay(order, key=f"key-{order}")
    vault.pay("o4", source="tok_chargeDeclined")
    vault.pay("o4", currency="eur")
    reports.pay("o5")
    alice.pay("o6")
    lines = requests_of(alice)
    ledger = {each["id"]: each for each in alice.charges}
    spent = [line for line in lines if line["moved"] == "charge"]

    assert [(line["policy"], line["idempotency_key"]) for line in lines] == [
        ("allowed", "key-o1"),
        ("allowed", "key-o2"),
        ("allowed", "key-o1"),
        ("daily_usd_cap_exceeded", "key-o3"),
        ("daily_usd_cap_exceeded", None),
        ("currency_not_allowed", None),
        ("permission_denied", None),
    ]
    assert [(line["amount"], line["charge"]) for line in spent] == [
        (ledger[line["charge"]]["amount"], line["charge"]) for line in spent
    ]
    [told, _] = alice.call("GET", "audit").json()["keys"]
    assert told["days"] == [
        {
            "day": told["days"][0]["day"],
            "committed_usd_cents": sum(line["amount"] for line in spent),
            "reserved_usd_cents": 0,
        }
    ]
    assert {line["key"] for line in lines} == {told["key"], lines[-1]["key"]}
    assert lines[2] | {"at": 0.0} == {
        "arrival": 3,
        "at": 0.0,
        "account": told["account"],
        "key": told["key"],
        "policy": "allowed",
        "method": "POST",
        "path": "/v1/charges",
        "idempotency_key": "key-o1",
        "key_state": "replay",
        "amount": 2000,
        "currency": "usd",
        "customer": None,
        "moved": None,
        "charge": spent[0]["charge"],
        "status": 200,
        "cap_usd_cents": None,
        "spent_usd_cents": None,
    }


@pytest.mark.parametrize(
    "asked",
    [
        {"vk_test_written_askew": 1},
        {"allowed_endpoints": ["vk_test_written_askew"]},
        {"permissions": {"vk_test_written_askew": "read"}},
    ],
)
def test_a_key_that_was_written_where_none_belongs_is_not_told_whole(alice, asked) -> None:
    refused = alice.call("POST", "keys", json=asked)

    assert refused.status_code == 400
    assert "vk_test_*********skew" in refused.json()["error"]
    assert "written_askew" not in refused.text


def test_a_profile_that_is_refused_does_not_tell_a_whole_key(alice: Admin) -> None:
    lists = ("[vk_test_written_askew]", "{vk_test_written_askew: {}}")
    lists += (
        "[{vk_test_written_askew: 1}]",
        "[{key: vk_test_a, expires_at: vk_test_written_askew}]",
    )
    lists += ("[{key: rk_test_a, permissions: {vk_test_written_askew: read}}]",)
    for keys in lists:
        refused = alice.call("PUT", "profile", data=f"name: p\nsettings: {{keys: {keys}}}")

        assert refused.status_code == 400
        assert "written_askew" not in refused.text


def test_what_is_told_of_a_key_and_its_requests_has_no_whole_key_in_it(alice: Admin) -> None:
    vault = made(
        alice, daily_usd_cap="1.00", allowed_endpoints=["/v1/charges", "/vk_test_askew_key"]
    )
    vault.pay("o1", currency="sk_test_askew_key", customer="sk_test_askew_key")
    told = [alice.call("GET", verb).text for verb in ("audit", "journal", "verdict", "")]

    assert not any("askew_key" in text for text in told)


def test_the_audit_knows_what_a_confirmation_was_about(alice: Admin) -> None:
    vault = made(alice, daily_usd_cap="1.00")
    customer = requests.post(f"{alice.url}/v1/customers", headers=alice.headers, timeout=15).json()
    intents = f"{alice.url}/v1/payment_intents"
    form = {"amount": 700, "currency": "usd", "payment_method": "pm_card_visa"}
    form["customer"] = customer["id"]
    made_intent = requests.post(intents, form, headers=alice.headers, timeout=15).json()["id"]
    requests.post(f"{intents}/{made_intent}/confirm", headers=vault.headers, timeout=15)
    [line] = requests_of(alice)

    assert [line[name] for name in ("policy", "amount", "currency", "customer")] == [
        "daily_usd_cap_exceeded",
        700,
        "usd",
        customer["id"],
    ]


def test_a_journal_that_is_read_later_knows_the_same(alice: Admin) -> None:
    vault = made(alice, **CAP)
    for n in range(3):
        vault.pay(f"o{n}")
    lines = [json.loads(line) for line in alice.call("GET", "journal").text.splitlines()]
    [key] = [line for line in lines if line["kind"] == "key"]
    told = [
        (a.api_key, a.policy, a.cap_usd_cents, a.spent_usd_cents) for a in read(lines).attempts
    ]

    assert {name: key[name] for name in ("key", "account", "daily_usd_cap", "expires_at")} == {
        "key": told[0][0],
        "account": requests_of(alice)[0]["account"],
        "daily_usd_cap": "50.00",
        "expires_at": None,
    }
    passed = (key["key"], "allowed", 5000, None)
    assert told == [passed, passed, (key["key"], "daily_usd_cap_exceeded", 5000, 6000)]


def test_a_key_for_a_connected_account_is_the_one_that_acts(alice: Admin) -> None:
    vault = made(alice, **CAP)
    vault.headers["Stripe-Account"] = "acct_other"
    statuses = [vault.pay(f"o{n}").status_code for n in range(3)]

    assert statuses == [200, 200, 429]
    assert [line["account"] for line in requests_of(alice)] == ["acct_other"] * 3
