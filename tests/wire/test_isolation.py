"""Many tests on one server at once: none sees another, and none disturbs what another holds."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from admin_client import YAML, Admin  # conftest finds it

from fakestripe.server.admin.routes import VERBS
from fakestripe.server.listener import Server

TESTS, ROUNDS, OWN_PORTS = 16, 3, 4
DAY = 86_400
LOST = YAML.replace("by-hand", "lost")
HELD = {
    "hang": YAML.replace("do: reset", "do: hang"),
    "wait": YAML.replace("do: reset", "do: {wait: 60s}"),
    "barrier": YAML.replace("do: reset", "do: {barrier: {parties: 9, timeout: 60s}}"),
}
RACE = """
name: race
rules:
  - {at: received, do: {barrier: {parties: 2, timeout: 200ms}}}
"""
BY_OPERATION = RACE.replace("200ms", "200ms, by: operation")


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A server in a process of its own."""
    ready = tmp_path / "ready.json"
    command = [sys.executable, "-m", "fakestripe", "serve", "--port", "0", "--ready-file", ready]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not ready.exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.005)
        yield json.loads(ready.read_text())["url"]
    finally:
        process.terminate()
        process.wait()


def one_test(admin: Admin) -> None:
    """Do all that a test does, with the names and keys that every other one uses too."""
    admin.call("PUT", "profile", data=LOST).raise_for_status()
    admin.call("POST", "intents", json={"operation": "o1", "amount": 2000}).raise_for_status()
    with pytest.raises(requests.ConnectionError):
        admin.pay("o1", key="K1")
    came = admin.call("GET", "wait?ended=1&rule=lost%230").json()
    assert came == {"attempts": 1, "ended": 1, "rules_fired": {"lost#0": 1}}

    paid = admin.pay("o1", key="K1").json()
    outcome = {"operation": "o1", "outcome": "paid", "charge": paid["id"]}
    admin.call("POST", "outcomes", json=outcome).raise_for_status()
    verdict = admin.call("GET", "verdict", params={"gate": "1"})
    (operation,) = verdict.json()["operations"]
    assert (verdict.status_code, verdict.json()["verdict"]) == (200, "clean")
    assert operation["charges"] == [paid["id"]]
    assert [each["key_state"] for each in operation["attempts"]] == ["new", "replay"]

    admin.call("POST", "clock", json={"advance": "25h"}).raise_for_status()
    later = admin.pay("o1", key="K1").json()
    assert later["created"] - paid["created"] >= DAY
    assert [each["id"] for each in admin.charges] == [later["id"], paid["id"]]

    admin.call("POST", "reset").raise_for_status()
    assert admin.charges == []
    assert admin.call("GET", "profile").json()[0]["name"] == "fault-free"


def several_rounds(url: str, number: int) -> None:
    admin = Admin(url, f"sk_test_isolated_{number}")
    own = number < OWN_PORTS
    for _ in range(ROUNDS):
        port = admin.call("POST", "ports").json() if own else None
        one_test(Admin(port["url"], "sk_test_same") if port else admin)
        if port is not None:
            admin.call("DELETE", f"ports/{port['port']}").raise_for_status()


def held(admin: Admin, fault: str, pool: ThreadPoolExecutor) -> Future:
    """Send what a fault holds, and return once it does."""
    admin.call("PUT", "profile", data=HELD[fault]).raise_for_status()
    paying = pool.submit(admin.pay, "o1", "K1")
    admin.call("GET", "wait?rule=by-hand%230").raise_for_status()
    return paying


def test_sixteen_tests_at_once_never_see_each_other_nor_disturb_who_is_held(url) -> None:
    keepers = {fault: Admin(url, f"sk_test_held_{fault}") for fault in HELD}
    port = Admin(Admin(url, "sk_test_owner").call("POST", "ports").json()["url"], "sk_test_same")
    keepers["hang on a port"] = port
    with ThreadPoolExecutor(TESTS + 2 * len(keepers)) as pool:
        holding = [
            held(admin, fault.removesuffix(" on a port"), pool) for fault, admin in keepers.items()
        ]
        waiting = [
            pool.submit(admin.call, "GET", "wait?attempts=2&timeout=60s", timeout=90)
            for admin in keepers.values()
        ]
        tests = [pool.submit(several_rounds, url, number) for number in range(TESTS)]
        for each in tests:
            each.result(timeout=120)

        assert not any(each.done() for each in (*holding, *waiting))
        for admin in keepers.values():
            admin.call("DELETE", "profile").raise_for_status()
            admin.pay("o2")
            assert len(admin.charges) == 2
        assert [each.result(timeout=10).json()["attempts"] for each in waiting] == [2] * 4
        assert not any(each.done() for each in holding)
        for admin in keepers.values():
            admin.call("POST", "reset").raise_for_status()
        ended = {type(each.exception(timeout=10)) for each in holding}
    assert ended == {requests.ConnectionError}


def test_neighbours_fill_no_barrier_of_each_other(url) -> None:
    neighbours = [Admin(url, f"sk_test_racer_{number}") for number in range(2)]
    for each in neighbours:
        each.call("PUT", "profile", data=RACE).raise_for_status()
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda each: each.pay("o1"), neighbours))
    attempts = [
        attempt
        for each in neighbours
        for attempt in each.call("GET", "verdict").json()["operations"][0]["attempts"]
    ]

    assert [each["faults"] for each in attempts] == [["barrier 1 of 2"]] * 2


def test_a_barrier_that_stood_down_stands_again_under_the_next_profile(url) -> None:
    alone = Admin(url, "sk_test_alone")
    alone.call("PUT", "profile", data=RACE).raise_for_status()
    faults = []
    for _ in range(4):
        alone.pay("o1")
    alone.call("PUT", "profile", data=RACE).raise_for_status()
    alone.pay("o1")
    lines = alone.call("GET", "journal").text.splitlines()
    faults = [line["faults"] for line in map(json.loads, lines) if line["kind"] == "attempt"]

    assert faults == [*[["barrier 1 of 2"]] * 3, ["barrier 0 of 2"], ["barrier 1 of 2"]]


def test_barriers_by_operation_stand_down_together(url) -> None:
    """A job that is alone would else be held once for each of its customers."""
    alone = Admin(url, "sk_test_batch")
    alone.call("PUT", "profile", data=BY_OPERATION).raise_for_status()
    for number in range(5):
        alone.pay(f"o{number}")
    lines = alone.call("GET", "journal").text.splitlines()
    faults = [line["faults"] for line in map(json.loads, lines) if line["kind"] == "attempt"]

    assert faults == [*[["barrier 1 of 2"]] * 3, *[["barrier 0 of 2"]] * 2]


def test_a_verdict_waits_for_no_neighbour(url) -> None:
    bob, alice = Admin(url, "sk_test_bob"), Admin(url, "sk_test_alice")
    with ThreadPoolExecutor() as pool:
        holding = held(bob, "wait", pool)
        alice.pay("o1")

        assert alice.call("GET", "verdict", timeout=10).json()["verdict"] == "inconclusive"
        assert not holding.done()
        bob.call("POST", "reset").raise_for_status()


WRITES: dict[tuple[str, str], dict] = {
    ("PUT", "profile"): {"data": LOST},
    ("DELETE", "profile"): {},
    ("POST", "intents"): {"json": {"operation": "o2", "amount": 1}},
    ("POST", "outcomes"): {"json": {"operation": "o2", "outcome": "failed"}},
    ("POST", "clock"): {"json": {"advance": "1h"}},
    ("POST", "webhooks"): {"json": {"url": "http://127.0.0.1:9/"}},
    ("DELETE", "webhooks"): {},
    ("POST", "keys"): {"json": {"daily_usd_cap": "1.00"}},
    ("POST", "reset"): {},
}
"""What each verb is sent that changes an account."""

COUNTED = {
    "": lambda answer: answer.text.count('id="acct_') // 2,
    "profile": lambda answer: len(answer.json()),
    "journal": lambda answer: answer.text.count('"kind":"attempt"'),
    "charges": lambda answer: len(answer.json()),
    "verdict": lambda answer: len(answer.json()["operations"]),
    "wait": lambda answer: answer.json()["attempts"],
    "webhooks": lambda answer: len(answer.json()),
    "audit": lambda answer: len(answer.json()["keys"]),
}
"""How many accounts a read covers, by verb: each has one of everything."""

NOBODYS = {
    *(("GET", name) for name in ("health", "ca.pem", "ca.p12", "env", "ports")),
    *(("POST", name) for name in ("", "ports")),
    ("DELETE", "ports/N"),
}
"""The verbs that are about no account."""


@pytest.fixture
def two() -> Iterator[tuple[Server, Admin, Admin]]:
    """Two accounts of one port, each with one of everything."""
    with Server(shared=False, mode="serve") as server:
        both = [Admin(server.url, f"sk_test_{name}") for name in ("alice", "bob")]
        for admin in both:
            admin.call("PUT", "profile", data=YAML.replace("attempt: 1", "attempt: 9"))
            admin.pay("o1")
            admin.call("POST", "webhooks", json={"url": "http://127.0.0.1:9/"})
            admin.call("POST", "keys", json={})
        yield server, *both


def state(server: Server, admin: Admin) -> list:
    """Return all that is remembered of an account."""
    key = admin.headers["Authorization"].removeprefix("Bearer ")
    account = server.port.accounts.named(key)
    now = account.bank.clock.now() - account.bank.clock._wall()
    reads = ("profile", "journal", "charges", "webhooks")
    return [id(account), round(now), *(admin.call("GET", verb).text for verb in reads)]


def test_every_verb_says_whose_it_is() -> None:
    reads = {("GET", verb) for verb in COUNTED}

    assert {verb for verb, each in VERBS.items() if each.about == "nobody"} == NOBODYS
    assert set(VERBS) == set(WRITES) | reads | NOBODYS


@pytest.mark.parametrize("verb", COUNTED)
def test_a_read_without_a_key_covers_the_port_and_with_one_its_account(two, verb) -> None:
    server, alice, _ = two

    assert COUNTED[verb](alice.call("GET", verb)) == 1
    assert COUNTED[verb](Admin(server.url).call("GET", verb)) == 2


@pytest.mark.parametrize("verb", WRITES, ids=" ".join)
def test_a_write_changes_its_own_account_alone(two, verb) -> None:
    server, alice, bob = two
    before = state(server, bob)
    mine = state(server, alice)
    alice.call(*verb, **WRITES[verb]).raise_for_status()

    assert state(server, bob) == before
    assert state(server, alice) != mine


@pytest.mark.parametrize("verb", WRITES, ids=" ".join)
def test_a_write_without_a_key_is_refused_where_others_live_unless_it_is_meant(two, verb) -> None:
    server, *both = two
    nobody, before = Admin(server.url), [state(server, each) for each in both]
    refused = nobody.call(*verb, **WRITES[verb])

    assert (refused.status_code, "?scope=port" in refused.json()["error"]) == (400, True)
    assert [state(server, each) for each in both] == before
    nobody.call(*verb, params={"scope": "port"}, **WRITES[verb]).raise_for_status()
    after = [state(server, each) for each in both]
    assert all(old != new for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("verb", WRITES, ids=" ".join)
def test_a_live_key_names_no_account(two, verb) -> None:
    refused = Admin(two[0].url, "sk_live_" + "x" * 24).call(*verb, **WRITES[verb])

    assert refused.status_code == 400
    assert "live" in refused.json()["error"]
