"""The page over HTTP: what it shows, to whom, under which policy, and when it is told of more."""

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from admin_client import YAML, Admin  # conftest finds it

from fakestripe.server.listener import Server

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(shared=False, mode="serve") as server:
        yield server


@pytest.fixture
def alice(server) -> Admin:
    return Admin(server.url, "sk_test_alice")


@pytest.fixture
def bob(server) -> Admin:
    return Admin(server.url, "sk_test_bob")


@pytest.fixture
def nobody(server) -> Admin:
    return Admin(server.url)


def seen(text: str) -> str:
    return re.search(r'data-seen="([^"]+)"', text)[1]


def shown(text: str) -> list[str]:
    return re.findall(r"<h2>(acct_\w+)</h2>", text)


def test_before_anything_came_it_says_so(nobody) -> None:
    answer = nobody.call("GET", "")

    assert (answer.status_code, answer.headers["Content-Type"]) == (
        200,
        "text/html; charset=utf-8",
    )
    assert "no request has arrived yet" in answer.text


def test_it_may_load_nothing_and_stand_in_no_frame(nobody) -> None:
    headers = nobody.call("GET", "").headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))

    assert policy["default-src"] == "'none'"
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["script-src"].startswith("'sha256-")
    assert headers["Cache-Control"] == "no-store"


def test_it_needs_nothing_beside_it(alice, nobody) -> None:
    alice.charge()
    text = nobody.call("GET", "").text

    assert re.findall(r'(?:src|href)="(?!#|data:)([^"]+)"', text) == [
        "verdict?format=text",
        "verdict",
        "journal",
    ]
    assert "url(" not in text
    assert "@import" not in text


def test_a_lost_answer_and_its_keyless_retry_are_drawn(alice, nobody) -> None:
    alice.call("PUT", "profile", data=YAML).raise_for_status()
    with pytest.raises(requests.ConnectionError):
        alice.charge()
    alice.charge().raise_for_status()
    text = nobody.call("GET", "").text

    assert "duplicate so far: charged more often than intended" in text
    for said in ("ch_A", "ch_B", "reset at committed", "no answer", "answered 200", "no key"):
        assert said in text


def test_without_a_key_it_shows_all_accounts_and_with_one_its_own(alice, bob, nobody) -> None:
    alice.charge()
    bob.charge()
    (mine,) = shown(alice.call("GET", "").text)
    everybody = shown(nobody.call("GET", "").text)

    assert len(everybody) == 2
    assert mine in everybody


def test_reading_it_opens_no_account(server, nobody) -> None:
    Admin(server.url, "sk_test_carol").call("GET", "").raise_for_status()

    assert nobody.call("GET", "profile").json() == []


def test_what_a_client_sent_is_text(alice, nobody) -> None:
    alice.pay(EVIL, f"key {EVIL}", description=EVIL).raise_for_status()
    requests.post(
        f"{alice.url}/v1/charges/{EVIL}\"'",
        {f"metadata[{EVIL}]": EVIL},
        headers={**alice.headers, "User-Agent": EVIL},
        timeout=15,
    )
    text = nobody.call("GET", "").text

    assert EVIL not in text
    assert text.count("<script>") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_no_key_is_shown_whole(alice, nobody) -> None:
    secret = "sk_test_abcdefghijklmnopqrstuvwxyz"
    alice.pay(f"order-{secret}", f"key-{secret}", description=secret).raise_for_status()
    text = nobody.call("GET", "").text

    assert secret not in text
    assert "sk_test_" in text


def test_a_further_port_is_linked_and_has_a_page_of_its_own(alice, nobody) -> None:
    opened = alice.call("POST", "ports").json()
    alice.charge()

    assert f'href="{opened["url"]}/_fakestripe/"' in nobody.call("GET", "").text
    assert "no request has arrived yet" in Admin(opened["url"]).call("GET", "").text


def test_who_has_seen_this_state_waits_for_the_next(alice, nobody) -> None:
    alice.charge()
    known = seen(nobody.call("GET", "").text)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(nobody.call, "GET", "", params={"part": "1", "seen": known})
        while alice.call("GET", "wait", params={"timeout": "0s"}).json()["attempts"] < 2:
            alice.charge()
        answer = waiting.result()

    assert answer.status_code == 200
    assert answer.text.startswith("<main")
    assert seen(answer.text) != known


def test_who_has_seen_another_state_is_answered_at_once(alice, nobody) -> None:
    before = seen(nobody.call("GET", "").text)
    alice.charge()
    text = nobody.call("GET", "", params={"part": "1", "seen": before}).text

    assert "1 attempt" in text
    assert "<style" not in text


def test_a_reset_is_another_state(alice, nobody) -> None:
    alice.charge()
    before = seen(nobody.call("GET", "").text)
    alice.call("POST", "reset").raise_for_status()
    text = nobody.call("GET", "", params={"part": "1", "seen": before}).text

    assert "no request has arrived yet" in text


def test_where_nothing_is_new_the_answer_is_empty(monkeypatch, alice, nobody) -> None:
    monkeypatch.setattr("fakestripe.server.admin.page_verb.PATIENCE", 0.05)
    alice.charge()
    known = seen(nobody.call("GET", "").text)
    answer = nobody.call("GET", "", params={"part": "1", "seen": known})

    assert (answer.status_code, answer.text) == (204, "")


def test_a_server_that_stops_lets_go_of_who_watches(server, nobody) -> None:
    known = seen(nobody.call("GET", "").text)
    ended = []

    def watch() -> None:
        try:
            ended.append(nobody.call("GET", "", params={"part": "1", "seen": known}).status_code)
        except requests.ConnectionError:
            ended.append(503)

    watching = threading.Thread(target=watch)
    watching.start()
    while not server.call(lambda: len(server.port.waiting)):
        pass
    server.stop()
    watching.join(10)

    assert ended == [503]


def test_what_is_under_way_is_drawn_as_such(alice, nobody) -> None:
    held = YAML.replace("do: reset", "do: {hang: 60s}")
    alice.call("PUT", "profile", data=held).raise_for_status()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(alice.charge)
        alice.call("GET", "wait", params={"point": "committed", "attempts": "1"})
        text = nobody.call("GET", "").text
        alice.call("POST", "reset")

    assert "under way" in text


@pytest.mark.parametrize(
    ("query", "said"), [({"part": "2"}, "part=2"), ({"parts": "1"}, "parts is no parameter")]
)
def test_a_parameter_that_is_none_is_refused(nobody, query, said) -> None:
    answer = nobody.call("GET", "", params=query)

    assert answer.status_code == 400
    assert said in answer.json()["error"]


def test_of_many_operations_the_newest_are_drawn_and_the_rest_is_counted(alice, nobody) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: alice.pay(f"o{n}", f"k{n}"), range(100)))
    text = nobody.call("GET", "").text

    assert text.count('class="operation') == 40
    assert "Drawn are the 40 worst and newest operations. 60 more: 60 inconclusive" in text
