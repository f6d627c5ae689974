"""What is to be heard of before the client is answered, stepped by hand."""

import pytest

from fakestripe.faults.kinds import Close
from fakestripe.protocol import effects
from fakestripe.protocol.effects import Await, Performed, Send


class Under:
    """Something under way that this test never waits for."""

    async def hold(self) -> None:
        raise AssertionError


@pytest.fixture
def heard(account):
    """An account one of whose endpoints is told of everything before the answer."""
    log, under = account.bank.ledger.events, Under()
    log.listener = lambda _: log.awaited.append(under)
    account.under = under
    return account


def test_an_answer_waits_after_the_commit_and_is_then_sent(heard):
    steps = heard.begin(key="K1")

    assert steps.at == Await((heard.under,))
    assert (len(heard.charges), steps.attempt.last_point) == (1, "committed")
    assert isinstance(steps.go_on().at, Send)
    assert steps.go_on().attempt.outcome == "answered"


def test_each_request_waits_for_its_own_events_only(heard):
    heard.begin(key="K1")
    replayed = heard.begin(key="K1")
    read = heard.begin(b"", path="/v1/charges", method="GET")

    assert [type(each) for each in (*replayed.effects, *read.effects)] == [Send, Send]


def test_a_twin_that_comes_meanwhile_is_told_the_outcome(heard):
    """The charge is committed and its key settled: only its own client waits."""
    first = heard.begin(key="K1")
    twin = heard.post(key="K1")

    assert isinstance(first.at, Await)
    assert (twin.status, twin.headers["Idempotent-Replayed"]) == (200, "true")


def test_a_fault_after_the_commit_strikes_once_the_event_was_heard(heard):
    heard.fault("committed", Close())
    steps = heard.begin(key="K1").go_on()

    assert [type(each) for each in steps.effects] == [Await, effects.Close]


def test_a_client_that_leaves_meanwhile_changes_nothing_of_the_charge(heard):
    steps = heard.begin(key="K1").go_on(Performed(left=True)).go_on(Performed(left=True))

    assert steps.attempt.client_left_at is not None
    assert (len(heard.charges), steps.attempt.delivery) == (1, "none")
