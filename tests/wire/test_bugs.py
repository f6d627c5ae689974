"""A mistake of ours is told as one, wherever in the server: it is no answer of Stripe's."""

import json

import pytest

from fakestripe.server.listener import Server


def full(line):
    """Take the first lines of a journal, as a disk does that is nearly full."""
    if line["kind"] == "attempt":
        raise OSError("no space left")


@pytest.fixture
def failing():
    """A server whose journal cannot be written any more."""
    with Server(sink=full) as server:
        yield server


def test_a_request_that_cannot_be_journalled_is_answered_as_our_bug(failing, raw):
    status, headers, body = raw(failing.url).send().answer()

    assert status == 500
    assert headers["fakestripe-bug"] == "OSError"
    assert json.loads(body)["error"]["message"] == "fakestripe has a bug: OSError: no space left"


def test_a_bug_is_kept_for_the_report_and_charges_nothing(failing, raw):
    raw(failing.url).send().answer()
    bank = failing.port.accounts.anyone().bank

    assert {type(bug) for bug in failing.call(lambda: list(bank.journal.bugs))} == {OSError}
    assert failing.call(lambda: bank.ledger.collection("charge").order) == []


def test_the_connection_serves_on_after_a_bug(failing, raw):
    client = raw(failing.url)

    assert [client.send().answer()[0] for _ in range(2)] == [500, 500]
