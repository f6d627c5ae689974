"""Waiting for a client without a sleep: over HTTP, from a test's thread, and in a loop."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
import requests
from admin_client import YAML, Admin  # conftest finds it

import fakestripe
from fakestripe.server.control.control import Control
from fakestripe.server.listener import Server

HANG = YAML.replace("do: reset", "do: hang")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(shared=False, mode="serve") as serving:
        yield serving


@pytest.fixture
def alice(server) -> Admin:
    return Admin(server.url, "sk_test_alice")


@pytest.fixture
def bob(server) -> Admin:
    return Admin(server.url, "sk_test_bob")


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as workers:
        yield workers


@pytest.fixture
def control() -> Iterator[Control]:
    with Server() as server:
        yield Control(server.port, server)


def waits(server: Server, pool: ThreadPoolExecutor, admin: Admin, query: str) -> Future:
    """Begin to wait, and return once the server knows."""
    before = len(server.port.waiting)
    call = pool.submit(admin.call, "GET", f"wait?{query}")
    while len(server.port.waiting) == before and not call.done():
        pass
    return call


def test_what_has_come_already_is_not_waited_for(alice) -> None:
    alice.pay("o1")
    answer = alice.call("GET", "wait?timeout=0s")

    assert answer.status_code == 200
    assert answer.json() == {"attempts": 1, "ended": 1, "rules_fired": {}}


def test_it_answers_as_soon_as_enough_attempts_have_come(server, pool, alice) -> None:
    call = waits(server, pool, alice, "attempts=2")
    alice.pay("o1")

    assert not call.done()
    alice.pay("o2")
    assert call.result(timeout=5).json()["attempts"] == 2


def test_only_attempts_of_the_own_account_count(server, pool, alice, bob) -> None:
    call = waits(server, pool, alice, "attempts=1")
    everybody = waits(server, pool, Admin(server.url), "attempts=1")
    bob.pay("o1")

    assert everybody.result(timeout=5).json()["attempts"] == 1
    assert not call.done()
    alice.pay("o1")
    assert call.result(timeout=5).json()["attempts"] == 1


def test_an_account_that_nobody_knew_yet_counts(server, pool) -> None:
    call = waits(server, pool, Admin(server.url), "attempts=2&ended=1")
    for name in ("carol", "dave"):
        Admin(server.url, f"sk_test_{name}").pay("o1")

    assert call.result(timeout=5).json() == {"attempts": 2, "ended": 2, "rules_fired": {}}


def test_a_point_and_the_end_are_waited_for(server, pool, alice) -> None:
    alice.call("PUT", "profile", data=HANG).raise_for_status()
    ended = waits(server, pool, alice, "ended=1")
    held = pool.submit(alice.pay, "o1")
    there = alice.call("GET", "wait", params={"point": "committed", "rule": "by-hand#0"})

    assert there.json() == {"attempts": 1, "ended": 0, "rules_fired": {"by-hand#0": 1}}
    assert not ended.done()
    server.call(server.port.wake_all)
    assert ended.result(timeout=5).json()["ended"] == 1
    assert isinstance(held.exception(timeout=5), requests.ConnectionError)


def test_a_rule_is_waited_for(server, pool, alice) -> None:
    alice.call("PUT", "profile", data=YAML).raise_for_status()
    call = waits(server, pool, alice, "rule=by-hand%230")
    with pytest.raises(requests.ConnectionError):
        alice.pay("o1")

    assert call.result(timeout=5).json()["rules_fired"] == {"by-hand#0": 1}


def test_what_does_not_come_in_time_is_a_408_that_says_what_did(alice) -> None:
    alice.pay("o1")
    answer = alice.call("GET", "wait?attempts=3&ended=1&timeout=10ms")

    assert answer.status_code == 408
    assert answer.json() == {
        "error": "after 10ms still awaited: 3 attempts that have ended",
        "attempts": 1,
        "ended": 1,
        "rules_fired": {},
    }


def test_a_server_that_stops_lets_everybody_go(server, pool, alice) -> None:
    call = waits(server, pool, alice, "attempts=1&timeout=60s")
    server.stop()
    answer = call.result(timeout=5)

    assert answer.status_code == 503
    assert answer.json()["error"] == "the server stops; still awaited: 1 attempt"


def test_an_account_that_is_reset_meanwhile_is_counted_anew(server, pool, alice) -> None:
    alice.pay("o1")
    call = waits(server, pool, alice, "attempts=2")
    alice.call("POST", "reset")
    alice.pay("o1")

    assert not call.done()
    alice.pay("o2")
    assert call.result(timeout=5).json()["attempts"] == 2


def test_nobody_is_told_once_nobody_waits(server, alice) -> None:
    alice.pay("o1")
    alice.call("GET", "wait?attempts=9&timeout=1ms")
    sinks = [account.bank.journal.sink for account in server.port.accounts]

    assert (len(server.port.waiting), sinks) == (0, [None])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("attempts=some", "attempts=some: write a whole number"),
        ("attempts=-1", "whole number"),
        ("timeout=5", "'5' is not a duration"),
        ("timeout=24h", "10m at most"),
        ("ended=yes", "ended=1"),
        ("point=commited", "there are listen, accept"),
        ("rule=x%230", "no profile with rules is set"),
        ("attempt=1", "attempt is no parameter"),
    ],
)
def test_what_cannot_be_waited_for_is_refused(alice, query, said) -> None:
    refused = alice.call("GET", f"wait?{query}")

    assert refused.status_code == 400
    assert said in refused.json()["error"]


def test_a_rule_that_is_in_no_profile_is_refused_with_those_that_are(alice) -> None:
    alice.call("PUT", "profile", data=YAML)

    assert "there are: by-hand#0" in alice.call("GET", "wait?rule=by-hand").json()["error"]


def test_a_test_waits_in_its_own_thread(control, pool) -> None:
    client = Admin(control.url, control.api_key)
    control.use("reset-after-commit")
    paid = [pool.submit(client.pay, order, "K1") for order in ("o1", "o1")]

    assert control.wait(attempts=2, timeout=10, ended=True) == 2
    assert control.wait(rule="reset-after-commit#0") == 2
    assert [each.exception(timeout=5) for each in paid].count(None) <= 1


def test_a_test_that_waits_in_vain_is_told_what_came(control) -> None:
    Admin(control.url, control.api_key).pay("o1")
    with pytest.raises(TimeoutError) as failure:
        control.wait(attempts=2, timeout=0.01)

    assert str(failure.value) == (
        "after 10ms, still awaited: 2 attempts; arrived: POST /v1/charges"
    )


def test_a_test_that_waits_for_what_cannot_come_is_told_so(control) -> None:
    with pytest.raises(ValueError, match="no profile with rules is set"):
        control.wait(rule="x#0")
    control.use("reset-after-commit")
    with pytest.raises(ValueError, match="there are reset-after-commit#0"):
        control.wait(rule="x#0")
    with pytest.raises(ValueError, match="there are listen, accept"):
        control.wait(point="commited")


def test_a_test_that_waits_when_the_server_stops_is_let_go() -> None:
    server = Server().start()
    control = Control(server.port, server)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(control.wait, 1, 60)
        while not len(server.port.waiting):
            pass
        server.stop()
        failure = waiting.exception(timeout=5)

    assert str(failure) == "the server stopped, still awaited: 1 attempt; arrived: nothing"


@pytest.mark.asyncio
async def test_a_loop_goes_on_while_a_test_in_it_waits(control) -> None:
    client = Admin(control.url, control.api_key)
    paying = asyncio.to_thread(client.pay, "o1")
    came, _ = await asyncio.gather(control.waited(ended=True), paying)

    assert came == 1
    with pytest.raises(TimeoutError, match="still awaited: 2 attempts; arrived: POST"):
        await control.waited(2, 0.01)


@pytest.mark.asyncio
async def test_in_the_serving_loop_only_waited_waits(aiohttp_client) -> None:
    app = fakestripe.create_app()
    client, control = await aiohttp_client(app), app[fakestripe.CONTROL]
    with pytest.raises(RuntimeError, match=r"await fakestripe.waited"):
        control.wait()
    waiting = asyncio.ensure_future(control.waited())
    await client.get("/v1/charges")

    assert await waiting == 1
