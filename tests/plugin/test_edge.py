"""Rules at listen and accept in a test: the fixture has a port of its own, an application none."""

import pytest

from fakestripe import CONTROL, create_app
from fakestripe.profiles import parse

ACCEPT = "name: edge\\nrules: [{at: accept, when: {nth: 1}, do: close}]\\n"
LISTEN = "name: edge\\nrules: [{at: listen, do: {refuse: 200ms}}]\\n"
HEAD = """
import time
from client import pay, post
from fakestripe.profiles import parse
"""


def test_the_first_connection_of_a_test_is_struck(suite):
    report = suite.run(
        HEAD
        + f"""
def test_it(fakestripe):
    fakestripe.use(parse("{ACCEPT}", "edge"))
    with fakestripe.paying("ord_1", 2000):
        assert pay(fakestripe.url, "K1", "K1")[0] == 200
    fakestripe.assert_clean()

def test_anew(fakestripe):
    fakestripe.use(parse("{ACCEPT}", "edge"))
    assert pay(fakestripe.url, "K1", "K1")[0] == 200
    fakestripe.reset()
    assert pay(fakestripe.url, "K1", "K1")[0] == 200
    (line,) = (line for line in fakestripe.journal if line["kind"] == "connection")
    assert line["connection"] == 3
"""
    )

    assert report.outcomes == {"passed": 2}, report.text


def test_a_window_is_met(suite):
    report = suite.run(
        HEAD
        + f"""
def test_it(fakestripe):
    fakestripe.use(parse("{LISTEN}", "edge"))
    with fakestripe.paying("ord_1", 2000):
        for _ in range(1000):
            try:
                assert post(fakestripe.url, "K1")[0] == 200
                break
            except ConnectionRefusedError:
                time.sleep(0.01)
    assert fakestripe.verdict().word == "inconclusive"
"""
    )

    assert report.outcomes == {"passed": 1}, report.text


def test_the_next_test_of_a_session_has_no_window_left(suite):
    report = suite.run(
        HEAD
        + """
def test_it(fakestripe_server):
    fakestripe_server.use(
        parse("name: edge\\nrules: [{at: listen, do: {blackhole: 1h}}]\\n", "edge")
    )
    assert fakestripe_server.charges == []

def test_next(fakestripe_server):
    assert post(fakestripe_server.url, "K1")[0] == 200
"""
    )

    assert report.outcomes == {"passed": 2}, report.text


@pytest.mark.parametrize("text", [ACCEPT, LISTEN])
def test_an_application_has_no_port_of_its_own(text):
    profile = parse(text.replace("\\n", "\n"), "edge")
    at = profile.rules[0].at
    said = f"edge#0 strikes at {at}: create_app\\(\\) has no port of its own, so use the fixture"

    with pytest.raises(ValueError, match=said):
        create_app(profile)
    with pytest.raises(ValueError, match=said):
        create_app()[CONTROL].use(profile)
