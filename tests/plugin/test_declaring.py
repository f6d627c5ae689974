"""What a test declares by mistake is refused, with the call and what to write instead."""

from datetime import UTC, datetime, timedelta

import pytest

from fakestripe.server.control.control import Control
from fakestripe.server.listener import Server


@pytest.fixture(scope="module")
def control():
    with Server() as server:
        yield Control(server.port, server)


AMOUNT = "fakestripe.intend('ord_1', …): amount={}: write minor units, 2000 for 20.00"
REFUSED = {
    "no name": (lambda c: c.intend(2000), TypeError),
    "empty name": (lambda c: c.outcome("", "paid"), TypeError),
    "major units": (lambda c: c.intend("ord_1", amount=20.0), TypeError),
    "text": (lambda c: c.intend("ord_1", amount="2000"), TypeError),
    "truth": (lambda c: c.intend("ord_1", amount=True), TypeError),
    "nothing": (lambda c: c.intend("ord_1", amount=0), TypeError),
    "count": (lambda c: c.intend("ord_1", count=0), TypeError),
    "currency": (lambda c: c.intend("ord_1", currency="dollars"), ValueError),
    "customer": (lambda c: c.intend("ord_1", customer={"id": "cus_1"}), TypeError),
    "match": (lambda c: c.intend("ord_1", match="POST"), TypeError),
    "match field": (lambda c: c.intend("ord_1", match={"pth": "/v1/charges"}), ValueError),
    "outcome": (lambda c: c.outcome("ord_1", "payed"), ValueError),
    "strange outcome": (lambda c: c.outcome("ord_1", "refund"), ValueError),
    "charge": (lambda c: c.outcome("ord_1", "paid", charge={"id": "ch_1"}), TypeError),
    "duration": (lambda c: c.clock.advance("25 hours"), ValueError),
    "no duration": (lambda c: c.clock.advance(None), TypeError),
    "instant": (lambda c: c.clock.set("2026-01-31"), TypeError),
    "naive instant": (lambda c: c.clock.set(datetime(2026, 1, 31)), ValueError),  # noqa: DTZ001
}
SAID = {
    "no name": 'fakestripe.intend(2000, …): the operation is a name, such as "ord_1"',
    "empty name": "fakestripe.outcome('', …): the operation is a name, such as \"ord_1\"",
    "major units": AMOUNT.format("20.0"),
    "text": AMOUNT.format("'2000'"),
    "truth": AMOUNT.format("True"),
    "nothing": AMOUNT.format("0"),
    "count": "fakestripe.intend('ord_1', …): count=0: write how many payments, 1 or more",
    "currency": "fakestripe.intend('ord_1', …): currency='dollars': "
    "write a three-letter code, such as usd",
    "customer": "fakestripe.intend('ord_1', …): customer={'id': 'cus_1'}: "
    "pass the id, such as cus_…",
    "match": "fakestripe.intend('ord_1', …): match='POST': "
    "write a mapping, as a rule of a profile has it",
    "match field": "fakestripe.intend('ord_1', …): match.pth: "
    "'pth' is no field; did you mean 'path'?",
    "outcome": "fakestripe.outcome('ord_1', …): 'payed' is no outcome (did you mean 'paid'?): "
    'write "paid" or "failed"',
    "strange outcome": "fakestripe.outcome('ord_1', …): 'refund' is no outcome: "
    'write "paid" or "failed"',
    "charge": "fakestripe.outcome('ord_1', …): charge={'id': 'ch_1'}: pass the id, such as ch_…",
    "duration": "fakestripe.clock.advance('25 hours'): '25 hours' is not a duration: "
    "write a number and a unit, such as 30s, 250ms or 25h",
    "no duration": "fakestripe.clock.advance(None): "
    'write a duration, such as "25h", a timedelta, or seconds',
    "instant": "fakestripe.clock.set('2026-01-31'): "
    "write epoch seconds, or a datetime with a time zone",
    "naive instant": "fakestripe.clock.set(datetime.datetime(2026, 1, 31, 0, 0)): "
    "the datetime has no time zone; add tzinfo=timezone.utc",
}


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_mistake_is_refused_with_its_remedy(control, mistake):
    call, kind = REFUSED[mistake]

    with pytest.raises(kind) as refused:
        call(control)

    assert str(refused.value) == SAID[mistake]
    assert [line["kind"] for line in control.journal] == ["header"]


def test_an_intent_says_what_will_be_paid(control):
    control.reset()
    control.intend(
        "ord_1", 2000, currency="USD", count=2, customer="cus_1", match={"method": "post"}
    )

    (line,) = [line for line in control.journal if line["kind"] == "intent"]
    del line["elapsed_s"]
    assert line == {
        "kind": "intent",
        "operation": "ord_1",
        "amount": 2000,
        "currency": "usd",
        "count": 2,
        "customer": "cus_1",
        "match": {"method": "POST"},
    }


def test_paying_reports_paid_or_failed_and_raises_again(control):
    control.reset()
    with control.paying("ord_1", 2000):
        pass
    with pytest.raises(TimeoutError, match="too late"), control.paying("ord_2"):
        raise TimeoutError("too late")

    told = [(line["operation"], line["outcome"]) for line in control.journal if "outcome" in line]
    assert told == [("ord_1", "paid"), ("ord_2", "failed")]


@pytest.mark.parametrize("by", ["25h", timedelta(hours=25), 90_000, 90_000.0])
def test_the_clock_moves_by_a_duration(control, by):
    control.reset()
    before = control.clock.now()
    control.clock.advance(by)

    assert round(control.clock.now() - before, -1) == 90_000
    assert [line["by"] for line in control.journal if line["kind"] == "clock"] == ["test"]


@pytest.mark.parametrize("to", [1_700_000_000, datetime.fromtimestamp(1_700_000_000, UTC)])
def test_the_clock_is_set_to_an_instant(control, to):
    control.reset()
    control.clock.set(to)

    assert round(control.clock.now(), -1) == 1_700_000_000


def test_reset_forgets_everything_but_the_profile(control):
    control.use("reset-after-commit")
    control.intend("ord_1", 2000)
    control.clock.advance("25h")
    control.reset()

    assert [line["kind"] for line in control.journal] == ["header", "profile"]
    assert control.profile.name == "reset-after-commit"
    control.begin(None)
    assert control.profile is None
