"""Suites that stop the clock: the server's timers go on, and only ``clock`` moves the account's.

Each runs in a process of its own, so that the server is first imported while time stands still.
"""

import pytest

BODY = """
import datetime, time
from client import pay, post
import pytest
from fakestripe_time import frozen

@pytest.fixture(autouse=True, scope="session")
def ice():
    with frozen():
        yield

def test_the_test_itself_is_frozen():
    assert (time.time(), datetime.date.today().year) == (946684800.0, 2000)

def test_faults_that_take_time_end(fakestripe):
    fakestripe.use("./slow.yaml")
    with fakestripe.paying("ord_1", 2000):
        assert pay(fakestripe.url, "k1", "k1")[0] == 200
    fakestripe.assert_clean()
    first, second = (line for line in fakestripe.journal if line["kind"] == "attempt")
    assert first["ended_s"] - first["started_s"] >= 0.05
    assert second["ended_s"] - second["started_s"] >= 0.05

def test_a_client_that_times_out_is_noticed(fakestripe):
    fakestripe.use("commit-then-timeout")
    with fakestripe.paying("ord_1", 2000):
        with pytest.raises(TimeoutError):
            post(fakestripe.url, "k1", timeout=0.1)
        assert post(fakestripe.url, "k1")[0] == 200
    fakestripe.assert_clean()

def test_only_the_clock_moves_the_accounts_time(fakestripe):
    before = fakestripe.clock.now()
    assert before > 1_700_000_000
    charge = post(fakestripe.url, "k1")[1]
    fakestripe.clock.advance("25h")
    again = post(fakestripe.url, "k1")[1]
    assert charge["id"] != again["id"]
    assert round(again["created"] - charge["created"], -1) == 90_000
    fakestripe.clock.set(1_700_000_000)
    assert post(fakestripe.url, "k2")[1]["created"] == 1_700_000_000
    assert fakestripe.verdict().word == "duplicate"
"""

SLOW = """
name: slow
rules:
  - at: committed
    when: {attempt: 1}
    do: {hang: 50ms}
  - at: received
    when: {attempt: 2}
    do: {wait: 50ms}
"""

FREEZERS = {
    "freezegun": "from freezegun import freeze_time\n"
    "def frozen(): return freeze_time('2000-01-01')\n",
    "time_machine": "import time_machine\n"
    "def frozen(): return time_machine.travel(946684800, tick=False)\n",
}


@pytest.mark.parametrize("freezer", FREEZERS)
def test_a_suite_whose_time_stands_still(suite, freezer):
    suite.path.joinpath("slow.yaml").write_text(SLOW)
    suite.path.joinpath("fakestripe_time.py").write_text(FREEZERS[freezer])
    report = suite.run_apart(BODY, "--timeout=20")

    assert report.outcomes == {"passed": 4}
