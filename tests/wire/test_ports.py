"""Further ports of one server: opened, used and closed while their neighbours go on."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from admin_client import YAML, Admin  # conftest finds it

import fakestripe
from fakestripe.server import ports
from fakestripe.server.listener import Server
from fakestripe.verdict import judge

HANG = YAML.replace("do: reset", "do: hang")
ACCEPT = "name: deaf\nrules:\n  - at: accept\n    when: {nth: 2}\n    do: reset\n"


@pytest.fixture
def lines() -> list[dict]:
    """The lines of the server's journal, as its file would hold them."""
    return []


@pytest.fixture
def server(lines, request) -> Iterator[Server]:
    with Server(shared=False, mode="serve", sink=lines.append) as serving:
        yield serving


@pytest.fixture
def main(server) -> Admin:
    return Admin(server.url)


def opened(admin: Admin, **body: object) -> Admin:
    answer = admin.call("POST", "ports", json=body)
    answer.raise_for_status()
    return Admin(answer.json()["url"], "sk_test_any")


def number(admin: Admin) -> int:
    return int(admin.url.rpartition(":")[2])


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_port_that_is_bound_everywhere_is_named_as_its_caller_names_the_server(name) -> None:
    with Server(host="0.0.0.0", shared=False, mode="serve") as server:
        caller = Admin(f"http://{name}:{server.url.rpartition(':')[2]}")
        said = caller.call("POST", "ports").json()

        assert said["url"] == f"http://{name}:{said['port']}"
        assert caller.call("GET", "ports").json() == [said]
        assert requests.get(f"{said['url']}/_fakestripe/health", timeout=5).status_code == 200


def test_a_port_says_where_it_is(main) -> None:
    first, second = (main.call("POST", "ports").json() for _ in range(2))

    assert first == {
        "port": first["port"],
        "url": f"http://127.0.0.1:{first['port']}",
        "id": "port_1",
    }
    assert second["id"] == "port_2"
    assert main.call("GET", "ports").json() == [first, second]
    assert requests.get(f"{first['url']}/_fakestripe/health", timeout=5).status_code == 200


def test_all_keys_of_a_port_are_one_account(main) -> None:
    port = opened(main)
    port.pay("o1")
    Admin(port.url, "sk_test_other").pay("o2")

    assert len(Admin(port.url).charges) == 2
    assert main.charges == []


def test_keys_of_a_port_are_accounts_of_their_own_where_asked(main) -> None:
    port = opened(main, shared=False)
    port.pay("o1")

    assert Admin(port.url, "sk_test_other").charges == []
    assert Admin(port.url).call("POST", "reset").status_code == 400


def test_on_a_port_of_one_s_own_a_write_needs_no_key(main) -> None:
    client = opened(main)
    nobody = Admin(client.url)
    nobody.call("PUT", "profile", data=YAML).raise_for_status()
    with pytest.raises(requests.ConnectionError):
        client.pay("o1")
    nobody.call("DELETE", "profile").raise_for_status()
    nobody.call("POST", "reset").raise_for_status()

    assert client.charges == []
    assert client.pay("o1").status_code == 200


@pytest.mark.parametrize(
    "profile",
    [
        "reset-after-commit",
        YAML,
        {"name": "reset-after-commit"},
        {"name": "made", "rules": [{"at": "committed", "do": "reset", "when": {"attempt": 1}}]},
    ],
    ids=["name", "yaml", "named", "json"],
)
def test_a_port_opens_with_a_profile(main, profile) -> None:
    port = opened(main, profile=profile)
    with pytest.raises(requests.ConnectionError):
        port.pay("o1", key="K1")

    assert port.pay("o1", key="K1").status_code == 200
    assert port.call("GET", "profile").json()[0]["fired"] != {}
    assert main.call("GET", "profile").json() == []


def test_a_port_has_customers_of_its_own(main) -> None:
    lenient, strict = opened(main, customers="any"), opened(main)

    assert lenient.pay("o1", customer="cus_whoever", source="card_any").status_code == 200
    assert strict.pay("o1", customer="cus_whoever", source="card_any").status_code == 400


def test_ids_depend_on_the_seed_and_not_on_how_many_ports_there_are(main) -> None:
    made = [opened(main, seed=seed).pay("o1").json()["id"] for seed in (7, 7, 8)]

    assert made[0] == made[1] != made[2]


def test_a_connection_is_struck_only_on_a_port_of_one_s_own(main) -> None:
    refused = Admin(main.url, "sk_test_a").call("PUT", "profile", data=ACCEPT)
    port = opened(main, profile=ACCEPT)
    assert port.call("GET", "health").status_code == 200
    with pytest.raises(requests.ConnectionError):
        port.call("GET", "health")

    assert (refused.status_code, "POST /_fakestripe/ports" in refused.text) == (400, True)
    assert port.call("GET", "health").status_code == 200


def test_a_port_that_is_closed_is_gone_and_its_neighbours_are_not(main, server) -> None:
    kept, closed = opened(main, profile=HANG), opened(main, profile=HANG)
    with ThreadPoolExecutor() as pool:
        held = [pool.submit(admin.pay, "o1") for admin in (kept, closed)]
        for admin in (kept, closed):
            admin.call("GET", "wait?point=committed").raise_for_status()
        answer = main.call("DELETE", f"ports/{number(closed)}")
        with pytest.raises(requests.ConnectionError):
            held[1].result(timeout=5)

        assert answer.json()["closed"] is True
        assert not held[0].done()
        main.call("DELETE", f"ports/{number(kept)}").raise_for_status()
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", number(closed)))
    assert main.call("GET", "ports").json() == []


def test_a_number_may_be_used_again_and_is_another_port(main) -> None:
    first = opened(main)
    first.pay("o1")
    main.call("DELETE", f"ports/{number(first)}").raise_for_status()
    again = main.call("POST", "ports", json={"port": number(first)}).json()

    assert (again["port"], again["id"]) == (number(first), "port_2")
    assert Admin(again["url"]).charges == []


def test_a_port_opens_from_a_port(main) -> None:
    inner = opened(opened(main))
    inner.pay("o1")

    assert len(main.call("GET", "ports").json()) == 2
    assert main.call("DELETE", f"ports/{number(inner)}").status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"port": 70_000}, 400, "from 0 to 65535"),
        ({"port": "12"}, 400, "$.port"),
        ({"ports": 1}, 400, "unknown field"),
        ([], 400, "object"),
        ("12200", 400, "object"),
        ({"customers": "some"}, 400, "customers"),
        ({"customers": 0}, 400, "ask for 1 to"),
        ({"seed": -1}, 400, "0 or more"),
        ({"profile": "rest-after-commit"}, 400, "reset-after-commit"),
        ({"profile": "./reset.yaml"}, 400, "is a path"),
        ({"profile": "name: x\nrules: 7"}, 400, "rules"),
        ({"profile": 7}, 400, "profile"),
    ],
)
def test_a_port_that_cannot_be_is_refused(main, body, status, said) -> None:
    refused = main.call("POST", "ports", json=body)

    assert refused.status_code == status
    assert said in refused.json()["error"]
    assert main.call("GET", "ports").json() == []


def test_a_port_that_is_taken_is_refused(main) -> None:
    port = opened(main)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        for taken in (number(main), number(port), other.getsockname()[1]):
            refused = main.call("POST", "ports", json={"port": taken})

            assert refused.status_code == 409
            assert refused.json()["error"].startswith(f"port {taken} is taken")


def test_what_is_no_further_port_is_not_closed(main) -> None:
    own = main.call("DELETE", f"ports/{number(main)}")
    strange = main.call("DELETE", "ports/9")
    port = opened(main)
    itself = port.call("DELETE", f"ports/{number(port)}")

    assert (own.status_code, strange.status_code, itself.status_code) == (409, 404, 409)
    assert "the server's own" in own.json()["error"]
    assert main.call("DELETE", "ports/x").status_code == 404
    assert main.call("DELETE", "ports").status_code == 404
    assert port.call("GET", "health").status_code == 200


def test_a_port_belongs_to_the_key_that_opened_it(server) -> None:
    alice, bob = (Admin(server.url, f"sk_test_{name}") for name in ("alice", "bob"))
    port = alice.call("POST", "ports").json()

    assert alice.call("GET", "ports").json() == [port]
    assert bob.call("GET", "ports").json() == []
    assert bob.call("DELETE", f"ports/{port['port']}").status_code == 404
    assert Admin(server.url).call("DELETE", f"ports/{port['port']}").status_code == 404
    assert alice.call("DELETE", f"ports/{port['port']}").status_code == 200


def test_only_so_many_ports_are_opened(main, monkeypatch) -> None:
    monkeypatch.setattr(ports, "MOST", 2)
    for _ in range(2):
        opened(main)
    refused = main.call("POST", "ports")

    assert (refused.status_code, "close some" in refused.json()["error"]) == (409, True)


def test_only_numbers_of_the_range_are_handed_out(main, server) -> None:
    probes = [socket.socket() for _ in range(2)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    first = probes[0].getsockname()[1]
    for probe in probes:
        probe.close()
    server.ports.within = range(first, first + 1)
    outside = main.call("POST", "ports", json={"port": first + 1})
    only = main.call("POST", "ports").json()
    none = main.call("POST", "ports")

    assert only["port"] == first
    assert (outside.status_code, none.status_code) == (400, 409)
    assert f"the range {first}-{first}" in outside.json()["error"]


def test_the_journal_of_the_server_tells_its_ports_apart(main, lines) -> None:
    """Arrivals are counted on each port: what neighbours do changes no line of a test."""
    first, second = opened(main, profile=YAML), opened(main)
    Admin(main.url, "sk_test_a").pay("o1")
    with pytest.raises(requests.ConnectionError):
        first.pay("o1", key="K1")
    first.pay("o1", key="K1")
    second.pay("o1", key="K1")
    seen = {(line.get("port"), line["arrival"]) for line in lines if line["kind"] == "attempt"}
    verdict = judge(lines)

    assert seen == {(None, 1), ("port_1", 1), ("port_1", 2), ("port_2", 1)}
    assert verdict.attempts == 4
    assert [len(one.attempts) for one in verdict.operations] == [1, 2, 1]
    assert verdict.fired_rules == ("by-hand#0",)


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_server_that_stops_leaves_no_port_open(loop, new_loops) -> None:
    server = Server(shared=False, mode="serve", new_loop=new_loops[loop]).start()
    many = [opened(Admin(server.url), profile=HANG) for _ in range(10)]
    with ThreadPoolExecutor(20) as pool:
        held = [pool.submit(admin.pay, "o1") for admin in many]
        for admin in many:
            admin.call("GET", "wait?point=committed").raise_for_status()
        server.stop()
        ended = [type(each.exception(timeout=5)) for each in held]

    assert set(ended) <= {requests.ConnectionError}
    assert not [t for t in threading.enumerate() if t.name == "fakestripe"]
    for admin in many:
        with socket.socket() as again:
            again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            again.bind(("127.0.0.1", number(admin)))


def test_a_port_speaks_tls_where_its_server_does() -> None:
    with Server(shared=False, mode="serve", tls=True) as server:
        trust = {"verify": str(server.ca_file)}
        port = requests.post(f"{server.url}/_fakestripe/ports", timeout=5, **trust).json()
        health = requests.get(f"{port['url']}/_fakestripe/health", timeout=5, **trust)

    assert port["url"].startswith("https://")
    assert health.json()["status"] == "ok"


@pytest.mark.asyncio
async def test_an_application_has_no_further_ports(aiohttp_client) -> None:
    client = await aiohttp_client(fakestripe.create_app())
    refused = await client.post("/_fakestripe/ports")

    assert refused.status == 404
    assert "fakestripe serve" in (await refused.json())["error"]
