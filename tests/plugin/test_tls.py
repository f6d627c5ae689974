"""TLS in a test suite: by marker, by option, by factory; and what clients trust."""

HEAD = """
import pytest, requests

FORM = {"amount": 2000, "currency": "usd", "source": "tok_visa", "metadata[order_id]": "ord_1"}

def pay(stripe, *keys):
    for key in keys:
        try:
            with requests.Session() as session:
                return session.post(
                    f"{stripe.url}/v1/charges", FORM, auth=(stripe.api_key, ""),
                    headers={"Idempotency-Key": key}, verify=stripe.ca_file, timeout=5,
                ).status_code
        except requests.exceptions.ConnectionError:
            pass
"""


def test_a_marker_asks_for_tls_and_a_client_trusts_the_file(suite):
    report = suite.run(
        HEAD
        + """
@pytest.mark.fakestripe(profile="reset-after-commit", tls=True)
def test_it(fakestripe):
    assert fakestripe.url.startswith("https://127.0.0.1:")
    assert pay(fakestripe, "K1", "K1") == 200
    fakestripe.assert_clean()
"""
    )

    assert report.outcomes == {"passed": 1}, report.text


def test_an_option_asks_for_all_and_a_marker_for_none(suite):
    suite.ini("fakestripe_tls = true")
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    assert pay(fakestripe, "K1") == 200

@pytest.mark.fakestripe(tls=False)
def test_plain(fakestripe):
    assert (fakestripe.url[:5], fakestripe.ca_file) == ("http:", None)
    assert pay(fakestripe, "K1") == 200

def test_session(fakestripe_server):
    assert pay(fakestripe_server, "K1") == 200
"""
    )

    assert report.outcomes == {"passed": 3}, report.text


def test_all_servers_of_a_session_have_one_authority(suite):
    report = suite.run(
        HEAD
        + """
import stripe

def test_it(fakestripe_factory):
    one, two = fakestripe_factory(tls=True), fakestripe_factory(tls=True)
    assert one.ca_file == two.ca_file
    assert [pay(each, "K1") for each in (one, two)] == [200, 200]

def test_an_sdk(fakestripe_factory, monkeypatch):
    one = fakestripe_factory(tls=True)
    monkeypatch.setattr(stripe, "ca_bundle_path", one.ca_file)
    client = stripe.StripeClient(one.api_key, base_addresses={"api": one.url})
    assert client.v1.charges.create({"amount": 2000, "currency": "usd", "source": "tok_visa"})
"""
    )

    assert report.outcomes == {"passed": 2}, report.text


def test_the_server_of_the_session_changes_for_no_marker(suite):
    report = suite.run(
        """
import pytest

@pytest.mark.fakestripe(tls=True)
def test_it(fakestripe_server):
    pass
"""
    )

    assert report.outcomes == {"errors": 1}
    assert (
        "tls=True: the server of the session is there already; set the ini option" in report.text
    )


def test_a_wrong_word_is_told(suite):
    report = suite.run(
        """
import pytest

@pytest.mark.fakestripe(tls="yes")
def test_it(fakestripe):
    pass
"""
    )

    assert report.told("ERROR at setup of test_it").strip() == "tls='yes': write True or False"


def test_without_trustme_the_remedy_is_said(suite):
    suite.pytester.makepyfile(trustme="raise ImportError")
    report = suite.run_apart(
        """
import pytest

@pytest.mark.fakestripe(tls=True)
def test_it(fakestripe):
    pass
"""
    )

    assert report.told("ERROR at setup of test_it").strip() == (
        "TLS needs trustme, which is not installed: pip install 'fakestripe[tls]'"
    )
