"""The fixture in sync tests, in async tests, from threads, and what is left when it ends."""

import threading
from pathlib import Path

import pytest

HEAD = "from client import pay, post\nimport pytest\n"


def sockets() -> list[str]:
    """Return the sockets that this process has open."""
    links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    targets = [str(link.readlink()) for link in links if link.exists() or True]
    return sorted(target for target in targets if target.startswith("socket:"))


def test_a_client_is_pointed_at_it_and_judged(suite):
    report = suite.run(
        HEAD
        + """
import stripe
from fakestripe import judge
from fakestripe.verdict.report import as_json

@pytest.mark.fakestripe(profile="reset-after-commit")
def test_it(fakestripe):
    client = stripe.StripeClient(
        fakestripe.api_key, base_addresses={"api": fakestripe.url}, max_network_retries=2
    )
    with fakestripe.paying("ord_1", 2000):
        charge = client.v1.charges.create(
            {
                "amount": 2000,
                "currency": "usd",
                "source": "tok_visa",
                "metadata": {"order_id": "ord_1"},
            }
        )
    fakestripe.assert_clean()
    (kept,) = fakestripe.charges
    assert (kept["id"], kept["amount"], kept["status"]) == (charge.id, 2000, "succeeded")
    attempts = [line for line in fakestripe.journal if line["kind"] == "attempt"]
    assert [line["key_state"] for line in attempts] == ["new", "replay"]
    assert [line["status"] for line in attempts] == [None, 200]
    assert as_json(judge(fakestripe.journal)) == as_json(fakestripe.verdict())
"""
    )

    assert report.outcomes == {"passed": 1}


def test_each_test_has_a_server_and_an_account_of_its_own(suite):
    report = suite.run(
        HEAD
        + """
seen = []

@pytest.mark.parametrize("n", [1, 2])
def test_it(fakestripe, n):
    assert post(fakestripe.url, "k1", amount=1000 * n)[0] == 200
    assert [charge["amount"] for charge in fakestripe.charges] == [1000 * n]
    assert fakestripe.url not in seen
    seen.append(fakestripe.url)
"""
    )

    assert report.outcomes == {"passed": 2}


def test_a_factory_makes_more_servers_each_judged_by_itself(suite):
    report = suite.run(
        HEAD
        + """
def test_good(fakestripe_factory):
    one = fakestripe_factory("reset-after-commit")
    two = fakestripe_factory(customers="any")
    assert one.url != two.url
    pay(one.url, "k1", "k1")
    assert post(two.url, customer="cus_whoever", source=None)[0] == 200
    one.assert_clean()

def test_bad(fakestripe_factory):
    fakestripe_factory("reset-after-commit")
    fakestripe_factory()

def test_wrong(fakestripe_factory):
    fakestripe_factory(customers="some")
"""
    )

    assert report.outcomes == {"passed": 2, "failed": 1, "errors": 1}
    assert report.told("ERROR at teardown of test_bad").count("no request reached") == 2
    assert "customers='some': write strict or any, or how many there are" in report.lines


def test_it_serves_async_tests(suite):
    report = suite.run(
        """
        import aiohttp, asyncio, httpx, pytest

        FORM = {"amount": "2000", "currency": "usd", "source": "tok_visa"}

        @pytest.mark.asyncio
        @pytest.mark.fakestripe(profile="close-after-commit")
        async def test_asyncio(fakestripe):
            headers = {"Authorization": f"Bearer {fakestripe.api_key}", "Idempotency-Key": "k1"}
            async with httpx.AsyncClient(base_url=fakestripe.url, headers=headers) as client:
                with fakestripe.paying("ord_1", 2000):
                    form = FORM | {"metadata[order_id]": "ord_1"}
                    with pytest.raises(httpx.RemoteProtocolError):
                        await client.post("/v1/charges", data=form)
                    assert (await client.post("/v1/charges", data=form)).status_code == 200
            fakestripe.assert_clean()

        @pytest.mark.asyncio
        async def test_in_parallel(fakestripe):
            headers = {"Authorization": "Bearer sk_test_parallel", "Idempotency-Key": "k1"}
            async with aiohttp.ClientSession(fakestripe.url, headers=headers) as client:
                async def post():
                    async with client.post("/v1/charges", data=FORM) as answer:
                        return answer.status
                assert set(await asyncio.gather(*[post() for _ in range(5)])) <= {200, 409}
            assert len(fakestripe.charges) == 1
        """
    )

    assert report.outcomes == {"passed": 2}


def test_it_is_called_from_any_thread(suite):
    report = suite.run(
        HEAD
        + """
from concurrent.futures import ThreadPoolExecutor

def test_it(fakestripe):
    def buy(n):
        with fakestripe.paying(f"ord_{n}", 2000):
            assert post(fakestripe.url, f"k{n}", order=f"ord_{n}")[0] == 200
        return len(fakestripe.charges)

    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(buy, range(40)))
    assert max(counts) == len(fakestripe.charges) == 40
    assert len([line for line in fakestripe.journal if line["kind"] == "outcome"]) == 40
"""
    )

    assert report.outcomes == {"passed": 1}


def test_the_verdict_waits_for_a_charge_that_commits_after_its_client_has_left(suite):
    report = suite.run(
        HEAD
        + """
from fakestripe.faults.kinds import Wait
from fakestripe.faults.rules import Profile, Rule

def test_it(fakestripe):
    fakestripe.use(Profile(name="late", rules=(Rule("late#0", "claimed", (Wait(0.3),)),)))
    with pytest.raises(TimeoutError):
        post(fakestripe.url, "k1", timeout=0.05)
    assert fakestripe.verdict().charges == 1
    assert len(fakestripe.charges) == 1
"""
    )

    assert report.outcomes == {"passed": 1}


def test_a_hung_client_holds_up_neither_the_verdict_nor_the_end(suite):
    report = suite.run(
        HEAD
        + """
import socket
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor()

def test_it(fakestripe):
    fakestripe.use("commit-then-timeout")
    host, port = fakestripe.url.removeprefix("http://").split(":")
    hung = socket.create_connection((host, int(port)), timeout=5)
    body = b"amount=2000&currency=usd&source=tok_visa"
    head = "POST /v1/charges HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer sk_test_x\\r\\n"
    hung.sendall(f"{head}Content-Length: {len(body)}\\r\\n\\r\\n".encode() + body)
    while not fakestripe.charges:
        pass
    with hung:
        assert fakestripe.verdict().charges == 1
        fakestripe.reset()
        assert hung.recv(1) == b""

def test_left_hanging(fakestripe):
    fakestripe.use("commit-then-timeout")
    pool.submit(post, fakestripe.url, "k1", timeout=20)
    while not fakestripe.charges:
        pass

def test_end(fakestripe):
    fakestripe.use("commit-then-timeout")
    with pytest.raises(TimeoutError):
        post(fakestripe.url, "k1", timeout=0.1)
    assert fakestripe.verdict().charges == 1
""",
        "--timeout=5",
    )

    assert report.outcomes == {"passed": 3}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_nothing_is_left_when_it_ends(suite):
    before = sockets(), threading.enumerate()
    report = suite.run(
        HEAD
        + """
import socket
kept = []

@pytest.mark.parametrize("n", range(3))
def test_it(fakestripe, fakestripe_factory, n):
    fakestripe.use("commit-then-timeout")
    with pytest.raises(TimeoutError):
        post(fakestripe.url, "k1", timeout=0.05)
    assert post(fakestripe_factory().url)[0] == 200
    fakestripe.verdict()
"""
    )

    assert report.outcomes == {"passed": 3}
    assert (sockets(), threading.enumerate()) == before


def test_a_live_key_near_it_is_refused_by_its_name(suite, monkeypatch):
    monkeypatch.setenv("OUR_BILLING_KEY", "sk_live_51NeverShownAnywhere")
    report = suite.run(
        """
        def test_it(fakestripe): pass
        def test_server(fakestripe_server): pass
        def test_factory(fakestripe_factory): fakestripe_factory()
        def test_other(): pass
        """
    )

    assert report.outcomes == {"passed": 1, "failed": 1, "errors": 2}
    said = (
        "the environment variable OUR_BILLING_KEY holds a live Stripe key, so fakestripe does not "
        "start: unset it for the tests, or give it a key that begins with sk_test_"
    )
    assert report.told("ERROR at setup of test_it") == said
    assert report.told("ERROR at setup of test_server") == said
    assert report.told("test_factory") == said
    assert "NeverShown" not in report.text


def test_unittest_classes_use_it_too(suite):
    report = suite.run(
        HEAD
        + """
import unittest

class TestBilling(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def stripe(self, fakestripe):
        self.fakestripe = fakestripe

    def test_pays(self):
        assert post(self.fakestripe.url)[0] == 200

    def test_fails(self):
        self.fail("for a reason of its own")

    def test_is_silent(self):
        pass
"""
    )

    assert report.outcomes == {"passed": 2, "failed": 1, "errors": 1}
    assert "no request reached" in report.told("ERROR at teardown of TestBilling.test_is_silent")
