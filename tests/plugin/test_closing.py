"""What the end of a test complains of, word by word."""

import re

HEAD = "from client import pay, post\nimport pytest\n"


def without_port(text):
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)


def test_silence_is_asked_about(suite):
    report = suite.run("def test_it(fakestripe): pass")

    assert report.outcomes == {"passed": 1, "errors": 1}
    assert without_port(report.told("ERROR at teardown of test_it")) == (
        "no request reached fakestripe at http://127.0.0.1:PORT\n"
        "Is Stripe replaced by responses, respx, vcrpy, unittest.mock? "
        "Does the client still point at api.stripe.com?\n"
        "A test that means to send none says so by looking: assert fakestripe.charges == []"
    )


def test_stripe_replaced_by_responses_is_asked_about(suite):
    report = suite.run(
        """
        import requests, responses

        @responses.activate
        def test_it(fakestripe):
            responses.post(f"{fakestripe.url}/v1/charges", json={"id": "ch_made_up"})
            answer = requests.post(f"{fakestripe.url}/v1/charges", data={"amount": 2000})
            assert answer.json()["id"] == "ch_made_up"
        """
    )

    assert report.outcomes == {"passed": 1, "errors": 1}
    assert "Is Stripe replaced by responses, respx" in report.told("ERROR at teardown of test_it")


def test_silence_is_no_mistake_where_the_test_looked(suite):
    report = suite.run(
        """
        def test_charges(fakestripe): assert fakestripe.charges == []
        def test_journal(fakestripe): assert len(fakestripe.journal) == 1
        def test_verdict(fakestripe): assert "no_request" in fakestripe.verdict().reasons
        """
    )

    assert report.outcomes == {"passed": 3}


def test_silence_is_a_mistake_where_a_profile_waited_for_a_request(suite):
    report = suite.run(
        """
        def test_it(fakestripe):
            fakestripe.use("reset-after-commit")
            assert fakestripe.charges == []
        """
    )

    assert report.outcomes == {"passed": 1, "errors": 1}
    assert report.told("ERROR at teardown of test_it").startswith("no request reached fakestripe")


def test_a_rule_that_never_fired_is_named_with_what_arrived(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("stale-keep-alive")
    assert pay(fakestripe.url, "k1")[0] == 200
    assert pay(fakestripe.url, "k1")[0] == 200
"""
    )

    assert report.outcomes == {"passed": 1, "errors": 1}
    assert report.told("ERROR at teardown of test_it") == (
        "rule stale-keep-alive#0 (at received: reset) never fired: "
        "a fault never struck, so it tested nothing\n"
        "What arrived: POST /v1/charges\n"
        "Closest: arrival 1, POST /v1/charges: "
        "when.connection was fresh, the rule wants reused\n"
        "Use a profile whose rules match what this client sends, or send what they match; "
        "without a profile, choose one such as commit-then-timeout."
    )


def test_red_that_nobody_asked_for_is_told(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("reset-after-commit")
    fakestripe.intend("ord_1", amount=2000)
    assert pay(fakestripe.url, "k1", "k2")[0] == 200
"""
    )

    assert report.outcomes == {"passed": 1, "errors": 1}
    told = report.told("ERROR at teardown of test_it")
    assert told.startswith("duplicate (charged more often than intended)\n")
    assert told.endswith(
        "\nThe test never asked for the verdict: end it with fakestripe.assert_clean()"
    )


def test_red_that_the_test_asked_for_is_its_own_affair(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("reset-after-commit")
    fakestripe.intend("ord_1", amount=2000)
    pay(fakestripe.url, "k1", "k2")
    assert fakestripe.verdict().word == "duplicate"
"""
    )

    assert report.outcomes == {"passed": 1}


def test_red_that_the_profile_expects_passes(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("stored-500")
    with pytest.raises(AssertionError), fakestripe.paying("ord_1", 2000):
        assert pay(fakestripe.url, "k1")[0] == 200
    assert len(fakestripe.charges) == 1
"""
    )

    assert report.outcomes == {"passed": 1}


def test_a_bug_of_ours_fails_whatever_the_test_says(suite):
    report = suite.run(
        HEAD
        + """
from fakestripe.resources import routes

def broken(*_):
    raise ZeroDivisionError("money divided by nothing")

@pytest.fixture
def breakage(monkeypatch):
    from msgspec import structs
    found = routes.find("POST", "/v1/charges")
    route = structs.replace(found.route, make=broken)
    monkeypatch.setattr(routes, "find", lambda *_: structs.replace(found, route=route))

def test_it(fakestripe, breakage):
    status, body = post(fakestripe.url, "k1")
    assert status == 500
    assert fakestripe.verdict() is not None

def test_failed(fakestripe, breakage):
    post(fakestripe.url, "k1")
    assert False
"""
    )

    assert report.outcomes == {"passed": 1, "failed": 1, "errors": 2}
    for name in ("test_it", "test_failed"):
        lines = report.told(f"ERROR at teardown of {name}").splitlines()
        assert lines[0] == (
            "fakestripe has a bug. It is not your client's fault, and this test proves nothing."
        )
        assert lines[-2] == "ZeroDivisionError: money divided by nothing"
        assert lines[-1] == "Please report it with this text."


def test_a_test_that_failed_is_not_blamed_twice(suite):
    report = suite.run(
        """
        import pytest

        def test_failed(fakestripe): assert False
        def test_skipped(fakestripe): pytest.skip("not today")
        @pytest.mark.xfail(strict=True)
        def test_expected_to_fail(fakestripe): assert False
        """
    )

    assert report.outcomes == {"failed": 1, "skipped": 1, "xfailed": 1}


def test_a_failed_test_shows_the_verdict_beside_its_own_words(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("reset-after-commit")
    fakestripe.intend("ord_1", amount=2000)
    pay(fakestripe.url, "k1", "k2")
    assert fakestripe.verdict().word == "clean"
"""
    )

    assert report.outcomes == {"failed": 1}
    assert "E       AssertionError: assert 'duplicate' == 'clean'" in report.lines
    assert "Captured fakestripe call" in report.text
    assert "duplicate (charged more often than intended)" in report.lines


def test_assert_clean_shows_the_verdict_and_no_line_of_ours(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("reset-after-commit")
    fakestripe.intend("ord_1", amount=2000)
    pay(fakestripe.url, "k1", "k2")
    fakestripe.assert_clean()
"""
    )

    assert report.outcomes == {"failed": 1}
    told = report.told("test_it").splitlines()
    shown = [line for line in told if line.startswith("E ")]
    assert told[told.index(shown[0]) - 1] == ">       fakestripe.assert_clean()"
    assert shown[0] == "E       AssertionError: duplicate (charged more often than intended)"
    assert "control.py" not in report.text
    assert "Captured fakestripe" not in report.text


def test_a_hazard_is_not_clean_although_nobody_was_charged_twice(suite):
    """Two keys for one payment: the reset came before the commit, another might come after it."""
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("reset-before-commit")
    fakestripe.intend("ord_1", amount=2000)
    pay(fakestripe.url, "7f3c81d0", "b24e9a6f")
    fakestripe.assert_clean()
"""
    )

    assert report.outcomes == {"failed": 1}
    assert (
        "E       AssertionError: hazard fresh_key_per_attempt: "
        "no second charge yet, but another fault would make one" in report.lines
    )


def test_an_endpoint_that_fakestripe_does_not_have_is_named(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe):
    fakestripe.use("reset-after-commit")
    assert post(fakestripe.url, path="/v1/sorcery")[0] == 404
    fakestripe.intend("ord_1", amount=2000)
    assert pay(fakestripe.url, "k1", "k1")[0] == 200

def test_clean(fakestripe):
    assert post(fakestripe.url, path="/v1/sorcery")[0] == 404
    fakestripe.assert_clean()
"""
    )

    assert report.outcomes == {"passed": 1, "failed": 1}
    assert (
        "E       fakestripe does not have POST /v1/sorcery: what the client does there is untested"
        in report.lines
    )
    at = report.lines.index("POST /v1/sorcery (test_it.py::test_clean)")
    assert report.lines[at - 1].strip("= ") == "fakestripe: endpoints it does not have"
    assert report.lines[at + 1] == "POST /v1/sorcery (test_it.py::test_it)"
