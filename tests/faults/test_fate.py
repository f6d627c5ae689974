"""What befalls one exchange: each fault journalled before it acts, used up at its point."""

import pytest

from fakestripe.faults import kinds
from fakestripe.faults.kinds import Close, Hang, Reply, Reset, Truncate, Wait
from fakestripe.protocol.effects import Barrier, Cut, Performed, Send
from fakestripe.protocol.effects import Close as EndsInFin
from fakestripe.protocol.effects import Hang as Hangs
from fakestripe.protocol.effects import Wait as Waits

OTHER = "amount=3000&currency=usd&source=tok_visa"


@pytest.mark.parametrize(
    ("cut", "sent", "delivery"),
    [
        (Truncate(body=0.5), Performed(bytes_sent=900), "partial"),
        (Truncate(head=10), Performed(bytes_sent=10), "partial"),
        (Truncate(body=10, then="reset"), Performed(left=True), "none"),
    ],
)
def test_a_cut_reply_ends_the_exchange_and_leaves_the_truth(
    account, charge_form, cut, sent, delivery
):
    account.fault("replying", cut, nth=(1,))
    first = account.begin(charge_form, "K1")

    assert isinstance(first.at, Cut)

    first.go_on(sent)

    assert (first.attempt.outcome, first.attempt.delivery) == ("lost", delivery)
    assert (first.attempt.bytes_sent, first.attempt.status) == (sent.bytes_sent, 200)
    assert account.post(charge_form, "K1").headers["Idempotent-Replayed"] == "true"


def test_a_fault_after_the_reply_takes_nothing_back(account, charge_form):
    account.fault("sent", Close())
    first = account.begin(charge_form, "K1").go_on()

    assert isinstance(first.at, EndsInFin)

    first.go_on()

    assert (first.attempt.outcome, first.attempt.delivery) == ("answered", "intact")
    assert (first.attempt.last_point, first.attempt.faults) == ("sent", ("close",))


def test_a_reply_not_delivered_is_not_sent(account, charge_form):
    account.fault("sent", Close())
    first = account.begin(charge_form, "K1").go_on(Performed(left=True, bytes_sent=50))

    assert (first.attempt.outcome, first.attempt.delivery) == ("lost", "partial")
    assert (first.attempt.last_point, first.attempt.faults) == ("replying", ())


def test_a_fault_that_its_point_does_not_know_does_nothing(account, charge_form):
    """No profile can say this: the loader refuses it."""
    account.fault("received", Truncate(body=1))

    assert account.post(charge_form).status == 200

    account.fault("replying", Wait(1.0), times=1)

    assert account.post(charge_form).status == 200


def test_faults_of_one_rule_follow_each_other(account, charge_form):
    account.fault("received", Wait(1.0), kinds.Barrier(3, 5.0), Reply(status=503))
    held = account.begin(charge_form, "K1")

    assert held.at == Waits(1.0)

    held.go_on()

    assert held.at == Barrier("p#0", 3, 5.0, "p#0")

    held.go_on(Performed(parties=2))

    assert held.attempt.faults == ("wait 1s", "barrier 2 of 3", "reply 503")
    assert (held.attempt.rules, held.answer.status) == (("p#0",), 503)


def test_a_fault_is_journalled_before_it_acts(account, charge_form):
    lines = []
    account.bank.journal.sink = lines.append
    account.fault("committed", Hang())
    steps = account.begin(charge_form, "K1")

    assert steps.at == Hangs()
    assert [line["last_point"] for line in lines] == [
        "received",
        "received",
        "claimed",
        *["committed"] * 2,
    ]
    assert (lines[-1]["rules"], lines[-1]["faults"]) == (("p#0",), ("hang",))
    assert lines[-1]["moved"]["id"] == account.charges[0].id


def test_a_rule_strikes_no_more_often_than_it_may(account, charge_form):
    """Two arrivals have met it; the one that reaches the point first uses it up."""
    account.fault("sent", Close(), times=1)
    first, second = account.begin(charge_form, "K1"), account.begin(OTHER, "K2")
    first.go_on()
    second.go_on()

    assert (type(first.at), type(second.at)) == (EndsInFin, Send)
    assert (first.attempt.rules, second.attempt.rules) == (("p#0",), ())
    assert account.bank.fired == {"p#0": 1}


@pytest.mark.parametrize("key", ["K1", None])
def test_a_server_that_lost_the_record_charges_again(account, charge_form, key):
    """Without a key there was nothing that anyone could have kept."""
    account.fault("committed", kinds.LoseRecord(), Reset(), nth=(1,))
    account.begin(charge_form, key).go_on()
    again = account.begin(charge_form, key).to_the_end()

    assert len(account.charges) == 2
    assert again.attempt.key_state == ("new" if key else "absent")
    assert again.attempt.forgotten_by == ("server_lost_record" if key else None)


def test_a_key_forgotten_on_arrival_executes_again(account, charge_form):
    account.post(charge_form, "K1")
    account.fault("received", kinds.ForgetKey(), nth=(1,))
    again = account.begin(charge_form, "K1").to_the_end()

    assert (again.attempt.key_state, again.attempt.forgotten_by) == ("new", "server_lost_record")
    assert len(account.charges) == 2


def test_a_key_expired_on_arrival_executes_again(account, charge_form):
    account.post(charge_form, "K1")
    account.fault("received", kinds.ExpireKey(), nth=(1,))
    again = account.begin(charge_form, "K1").to_the_end()

    assert (again.attempt.key_state, again.attempt.replayed_from) == ("expired", 1)
    assert len(account.charges) == 2


def test_a_rule_may_move_the_accounts_clock(account, charge_form):
    account.fault("committed", kinds.AdvanceClock(90_000), nth=(1,))
    account.post(charge_form, "K1")

    assert account.bank.clock.now() == account.now + 90_000
    assert account.bank.journal.events[-1] == {
        "kind": "clock",
        "elapsed_s": 0.0,
        "advance": 90_000,
        "by": "rule",
    }
    assert account.post(charge_form, "K1").stored_under("K1")
