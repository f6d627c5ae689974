"""The route, stepped by hand: points of the lifecycle against states of the key, and the laws.

No thread, no sleep: an exchange that waits is one that has not been told to go on.
"""

import pytest

from fakestripe.faults.fate import Fate
from fakestripe.faults.kinds import Close, Hang, Reply, Reset, Wait
from fakestripe.protocol.effects import Close as EndsInFin
from fakestripe.protocol.effects import Hang as Hangs
from fakestripe.protocol.effects import Performed, Send
from fakestripe.protocol.effects import Reset as EndsInRst
from fakestripe.protocol.effects import Wait as Waits

LEFT = Performed(left=True)
OTHER = "amount=3000&currency=usd&source=tok_visa"

ENDINGS = [(Reset(), EndsInRst), (Close(), EndsInFin), (Hang(), Hangs), (Hang(5.0), Hangs)]
BEFORE, AFTER = ["received", "claimed"], ["committed"]
TWINS = {
    "same request": {},
    "other parameters": {"form": OTHER},
    "other endpoint": {"form": "", "path": "/v1/customers"},
}
FINISHED = {"same request": 200, "other parameters": 400, "other endpoint": 400}


@pytest.mark.parametrize("twin", TWINS)
@pytest.mark.parametrize(
    ("point", "answers"),
    [
        ("received", dict.fromkeys(TWINS, 200)),
        ("claimed", dict.fromkeys(TWINS, 409)),
        ("committed", FINISHED),
    ],
)
def test_what_a_twin_hears_while_the_first_stands_at_a_point(
    account, charge_form, point, answers, twin
):
    """Nothing is bound at ``received``; all is bound from ``claimed``; all is known after."""
    account.fault(point, Wait(0.3), nth=(1,))
    first = account.begin(charge_form, "K1")

    assert (first.at, first.attempt.last_point) == (Waits(0.3), point)
    assert account.post(**{"form": charge_form, "key": "K1"} | TWINS[twin]).status == answers[twin]


@pytest.mark.parametrize("twin", TWINS)
@pytest.mark.parametrize("point", ["claimed", "committed"])
def test_a_key_in_flight_is_answered_by_what_it_became(account, charge_form, point, twin):
    """The twin that heard a 409 asks again once the first has ended."""
    account.fault(point, Wait(0.3), nth=(1,))
    account.begin(charge_form, "K1").to_the_end()

    assert (
        account.post(**{"form": charge_form, "key": "K1"} | TWINS[twin]).status == FINISHED[twin]
    )
    assert len(account.charges) == 1


@pytest.mark.parametrize(("fault", "effect"), ENDINGS)
@pytest.mark.parametrize("point", BEFORE)
def test_an_end_before_the_commit_releases_the_key(account, charge_form, point, fault, effect):
    """The retry executes, whatever it sends and wherever."""
    account.fault(point, fault, nth=(1,))
    first = account.begin(charge_form, "K1")

    assert isinstance(first.at, effect)

    first.go_on(LEFT)

    assert (len(first.effects), len(account.charges)) == (1, 0)
    assert (first.attempt.outcome, first.attempt.last_point) == ("lost", point)
    assert (first.attempt.moved, first.attempt.status) == (None, None)
    assert account.post(OTHER, "K1").stored_under("K1")


@pytest.mark.parametrize(("fault", "effect"), ENDINGS)
@pytest.mark.parametrize("point", AFTER)
def test_an_end_after_the_commit_leaves_everything(account, charge_form, point, fault, effect):
    """The retry hears of the charge that was made."""
    account.fault(point, fault, nth=(1,))
    first = account.begin(charge_form, "K1")

    assert isinstance(first.at, effect)

    first.go_on()
    made = account.charges[0]
    retry = account.begin(charge_form, "K1").to_the_end()

    assert (first.attempt.outcome, first.attempt.last_point) == ("lost", "committed")
    assert (first.attempt.moved.id, first.attempt.charge, first.attempt.ids) == (
        made.id,
        made.id,
        (),
    )
    assert (retry.answer.json["id"], retry.attempt.key_state) == (made.id, "replay")
    assert retry.answer.headers["Idempotent-Replayed"] == "true"
    assert (retry.attempt.replayed_from, retry.attempt.ids) == (1, (made.id,))
    assert len(account.charges) == 1


@pytest.mark.parametrize(
    ("form", "fault"),
    [("amount=abc&currency=usd&source=tok_visa", None), (OTHER, Reply(status=503))],
)
def test_a_key_is_free_before_its_refusal_is_sent(account, charge_form, form, fault):
    """The client may be faster with its next request than the server with its last byte."""
    if fault is not None:
        account.fault("claimed", fault, nth=(1,))
    refused = account.begin(form, "K1")
    retry = account.post(charge_form, "K1")
    refused.go_on()

    assert refused.answer.status in (400, 503)
    assert retry.stored_under("K1")
    assert account.post(charge_form, "K1").replays(retry)


@pytest.mark.parametrize("point", ["received", "claimed", "committed"])
def test_a_wait_is_answered_afterwards_even_where_the_client_left(account, charge_form, point):
    account.fault(point, Wait(2.0))
    late = account.begin(charge_form, "K1").go_on(LEFT)

    assert isinstance(late.at, Send)
    assert late.attempt.client_left_at == account.now

    late.go_on(LEFT)

    assert (late.attempt.outcome, late.attempt.delivery) == ("lost", "none")
    assert len(account.charges) == 1


def test_a_charge_committed_late_carries_the_time_of_its_commit(account, charge_form):
    account.fault("claimed", Wait(30.0))
    late = account.begin(charge_form, "K1")
    account.now += 30
    late.to_the_end()

    assert account.charges[0].created == int(account.now)
    assert late.attempt.at == account.now - 30


@pytest.mark.parametrize("point", ["claimed", "committed"])
def test_a_replay_passes_neither_claimed_nor_committed(account, charge_form, point):
    account.post(charge_form, "K1")
    account.fault(point, Reset(), times=5)
    replay = account.begin(charge_form, "K1")

    assert isinstance(replay.at, Send)
    assert account.bank.fired == {}


def test_a_declined_charge_passes_all_points(account):
    """Lost after the commit, the decline is replayed: the same failed charge, no second one."""
    account.fault("committed", Reset(), nth=(1,))
    first = account.begin("amount=2000&currency=usd&source=tok_chargeDeclined", "K1").go_on()
    retry = account.post("amount=2000&currency=usd&source=tok_chargeDeclined", "K1")

    assert (first.attempt.moved.status, retry.status) == ("failed", 402)
    assert retry.error["charge"] == first.attempt.moved.id
    assert len(account.charges) == 1


def broken(account, monkeypatch, part: str) -> ValueError:
    """Let a room fail at a part of the route, as a bug of ours would."""
    bug = ValueError("no \udcff")

    def fail(*_args, **_kwargs):
        raise bug

    account.fault("sent", Close())
    target = {"claim": account.bank.idempotency, "place": account.bank.operations}
    owner = target.get(part, account.bank)
    monkeypatch.setattr(type(owner), part, fail)
    return bug


@pytest.mark.parametrize("part", ["place", "claim", "commit"])
def test_a_bug_of_ours_never_looks_like_stripe_failing(account, charge_form, monkeypatch, part):
    with monkeypatch.context() as patch:
        bug = broken(account, patch, part)
        failed = account.begin(charge_form, "K1").to_the_end()

    assert failed.answer.status == 500
    assert failed.answer.headers == {"Fakestripe-Bug": "ValueError"}
    assert failed.answer.error["message"] == "fakestripe has a bug: ValueError: no ?"
    assert (failed.attempt.outcome, failed.attempt.status) == ("bug", 500)
    assert failed.attempt.note == "ValueError: no ?"
    assert (account.bank.journal.bugs, len(account.charges)) == ([bug], 0)
    assert account.post(charge_form, "K1").stored_under("K1")


def test_a_bug_on_the_wire_before_the_commit_releases_the_key(account, charge_form):
    account.fault("claimed", Wait(1.0), nth=(1,))
    first = account.begin(charge_form, "K1")
    first.throw(OSError("wire")).to_the_end()

    assert (first.attempt.outcome, len(account.charges)) == ("bug", 0)
    assert account.post(charge_form, "K1").stored_under("K1")


def test_a_bug_after_the_first_byte_sends_no_second_reply(account, charge_form, monkeypatch):
    first = account.begin(charge_form, "K1")
    monkeypatch.setattr(Fate, "meets", None)
    first.go_on()

    assert [type(effect) for effect in first.effects] == [Send]
    assert (first.attempt.outcome, len(account.bank.journal.bugs)) == ("bug", 1)


@pytest.mark.parametrize(("point", "charges"), [("claimed", 0), ("committed", 1)])
def test_an_exchange_that_is_abandoned_obeys_the_same_law(account, charge_form, point, charges):
    """The server is shut down: before the commit the key is free, after it all stays."""
    account.fault(point, Wait(30.0), nth=(1,))
    first = account.begin(charge_form, "K1")
    first.close()
    retry = account.post(charge_form, "K1")

    assert (first.attempt.outcome, len(account.charges)) == ("lost", 1)
    assert ("Idempotent-Replayed" in retry.headers) == bool(charges)
