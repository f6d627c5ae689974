"""One server and one client for the whole session, and a verdict for each test."""

CLIENT = """
import pytest, stripe

@pytest.fixture(scope="session")
def client(fakestripe_server):
    return stripe.StripeClient(
        fakestripe_server.api_key,
        base_addresses={"api": fakestripe_server.url},
        max_network_retries=2,
    )

def buy(client, order="ord_1", **options):
    return client.v1.charges.create(
        {
            "amount": 2000,
            "currency": "usd",
            "source": "tok_visa",
            "metadata": {"order_id": order},
        },
        options,
    )
"""


def test_each_test_is_judged_by_itself(suite):
    report = suite.run(
        CLIENT
        + """
def test_first(client, fakestripe):
    with fakestripe.paying("ord_1", 2000):
        buy(client, idempotency_key="order-1")
    assert len(fakestripe.charges) == 1

@pytest.mark.fakestripe(profile="reset-after-commit")
def test_same_key_and_order_again(client, fakestripe, fakestripe_server):
    assert fakestripe is fakestripe_server
    with fakestripe.paying("ord_1", 2000):
        buy(client, idempotency_key="order-1")
    fakestripe.assert_clean()
    assert len(fakestripe.charges) == 1

def test_no_fault_is_left_over(client, fakestripe):
    assert fakestripe.profile is None
    buy(client)
    assert [line["kind"] for line in fakestripe.journal] == ["header", "attempt"]

def test_two_payments_of_one_order(client, fakestripe):
    fakestripe.intend("ord_1", 2000)
    buy(client)
    buy(client)
"""
    )

    assert report.outcomes == {"passed": 4, "errors": 1}
    assert report.told("ERROR at teardown of test_two_payments_of_one_order").startswith(
        "duplicate (charged more often than intended)"
    )


def test_a_test_that_uses_only_the_client_is_judged_too(suite):
    report = suite.run(
        CLIENT
        + """
@pytest.fixture
def customer(client):
    return client.v1.customers.create({"email": "jenny@example.com"})

def test_silent(client): pass

@pytest.mark.fakestripe(profiles=["close-after-commit", "stale-keep-alive"])
@pytest.mark.parametrize("n", [1, 2])
def test_marked(client, customer, n):
    buy(client)

def test_customers_of_its_own_survive(customer, client, fakestripe):
    assert client.v1.customers.retrieve(customer.id).id == customer.id
    assert fakestripe.charges == []
""",
        "-v",
    )

    assert report.outcomes == {"passed": 6, "errors": 1}
    assert "no request reached fakestripe" in report.told("ERROR at teardown of test_silent")
    assert "test_it.py::test_marked[close-after-commit-1] PASSED" in report.text


def test_what_a_test_left_running_ends_before_the_next_one(suite):
    report = suite.run(
        """
        from concurrent.futures import ThreadPoolExecutor
        from client import post
        import pytest

        pool = ThreadPoolExecutor()
        left = []

        @pytest.fixture(scope="session")
        def url(fakestripe_server):
            return fakestripe_server.url

        @pytest.mark.fakestripe(profile="commit-then-timeout")
        def test_leaves_a_request(url, fakestripe):
            left.append(pool.submit(post, url, "k1", timeout=20))
            while not fakestripe.charges:
                pass

        def test_next(url, fakestripe):
            with pytest.raises(ConnectionError):
                left[0].result()
            assert fakestripe.charges == []
            assert fakestripe.verdict().attempts == 0
        """,
        "--timeout=10",
    )

    assert report.outcomes == {"passed": 2}


def test_four_workers_have_a_server_each(suite):
    report = suite.run_apart(
        CLIENT
        + """
@pytest.mark.parametrize("n", range(16))
def test_shared(client, fakestripe, n):
    with fakestripe.paying("ord_1", 2000):
        buy(client, idempotency_key="order-1")
    assert len(fakestripe.charges) == 1

@pytest.mark.parametrize("n", range(16))
@pytest.mark.fakestripe(profile="reset-after-commit")
def test_fresh(fakestripe, n):
    client = stripe.StripeClient(
        fakestripe.api_key, base_addresses={"api": fakestripe.url}, max_network_retries=2
    )
    with fakestripe.paying("ord_1", 2000):
        buy(client, idempotency_key="order-1")
    fakestripe.assert_clean()

def test_silent(fakestripe): pass

def test_sorcery(client, fakestripe):
    with pytest.raises(stripe.InvalidRequestError):
        client.raw_request("post", "/v1/sorcery")
""",
        "-n4",
    )

    assert report.outcomes == {"passed": 34, "errors": 1}
    assert "no request reached fakestripe" in report.told("ERROR at teardown of test_silent")
    assert "POST /v1/sorcery (test_it.py::test_sorcery)" in report.lines
