"""The route, stepped by hand: points of the lifecycle against states of the key, and the laws.

No thread, no sleep: an exchange that waits is one that has not been told to go on.
"""

import pytest
from msgspec import structs

from fakestripe.faults import rules
from fakestripe.faults.rules import Close, Hang, Reply, Reset, Truncate, Wait
from fakestripe.protocol.effects import Barrier, Cut, Performed, Send
from fakestripe.protocol.effects import Close as EndsInFin
from fakestripe.protocol.effects import Hang as Hangs
from fakestripe.protocol.effects import Reset as EndsInRst
from fakestripe.protocol.effects import Wait as Waits
from fakestripe.protocol.headers import refused_key

LEFT = Performed(left=True)
OTHER = "amount=3000&currency=usd&source=tok_visa"
INVALID = "amount=abc&currency=usd&source=tok_visa"

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


def test_a_client_that_is_seen_to_have_left_changes_nothing(account, charge_form):
    account.fault("claimed", Wait(30.0))
    first = account.begin(charge_form, "K1")
    account.elapsed = 2.0
    first.exchange.client_left()
    first.to_the_end()

    assert (first.attempt.left_s, first.attempt.client_left_at) == (2.0, account.now)
    assert len(account.charges) == 1


def test_faults_of_one_rule_follow_each_other(account, charge_form):
    account.fault("received", Wait(1.0), rules.Barrier(3, 5.0), Reply(status=503))
    held = account.begin(charge_form, "K1")

    assert held.at == Waits(1.0)

    held.go_on()

    assert held.at == Barrier("p#0", 3, 5.0)

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
    account.fault("claimed", Wait(1.0), Reset(), times=1)
    first = account.begin(charge_form, "K1")
    second = account.begin(OTHER, "K2")

    assert (first.at, type(second.at)) == (Waits(1.0), Send)
    assert (second.attempt.rules, account.bank.fired) == ((), {"p#0": 1})


@pytest.mark.parametrize("key", ["K1", None])
def test_a_server_that_lost_the_record_charges_again(account, charge_form, key):
    """Without a key there was nothing that anyone could have kept."""
    account.fault("committed", rules.LoseRecord(), Reset(), nth=(1,))
    account.begin(charge_form, key).go_on()
    again = account.begin(charge_form, key).to_the_end()

    assert len(account.charges) == 2
    assert again.attempt.key_state == ("new" if key else "absent")
    assert again.attempt.forgotten_by == ("server_lost_record" if key else None)


def test_a_key_forgotten_on_arrival_executes_again(account, charge_form):
    account.post(charge_form, "K1")
    account.fault("received", rules.ForgetKey(), nth=(1,))
    again = account.begin(charge_form, "K1").to_the_end()

    assert (again.attempt.key_state, again.attempt.forgotten_by) == ("new", "server_lost_record")
    assert len(account.charges) == 2


def test_a_key_expired_on_arrival_executes_again(account, charge_form):
    account.post(charge_form, "K1")
    account.fault("received", rules.ExpireKey(), nth=(1,))
    again = account.begin(charge_form, "K1").to_the_end()

    assert (again.attempt.key_state, again.attempt.replayed_from) == ("expired", 1)
    assert len(account.charges) == 2


def test_a_rule_may_move_the_accounts_clock(account, charge_form):
    account.fault("committed", rules.AdvanceClock(90_000), nth=(1,))
    account.post(charge_form, "K1")

    assert account.bank.clock.now() == account.now + 90_000
    assert account.bank.journal.events[-1] == {
        "kind": "clock",
        "elapsed_s": 0.0,
        "advance": 90_000,
        "by": "rule",
    }
    assert account.post(charge_form, "K1").stored_under("K1")


def test_a_store_that_shows_a_key_late_lets_a_twin_execute(account, charge_form):
    account.bank.idempotency.write_window = 0.05
    account.post(charge_form, "K1")
    twin = account.begin(charge_form, "K1").to_the_end()

    assert (twin.attempt.key_state, twin.attempt.forgotten_by) == ("new", "cache_write_window")
    assert len(account.charges) == 2


@pytest.mark.parametrize(
    ("form", "key", "state"),
    [(None, None, "absent"), (None, "K1", "new"), (None, "", "refused"), (INVALID, "K1", "new")],
)
def test_the_state_of_a_key_is_journalled(account, charge_form, form, key, state):
    steps = account.begin(form or charge_form, key).to_the_end()

    assert steps.attempt.key_state == state


@pytest.mark.parametrize(
    ("twin", "state"), [("other parameters", "mismatch"), ("other endpoint", "mismatch")]
)
def test_a_mismatch_is_journalled_with_the_request_that_bound_the_key(
    account, charge_form, twin, state
):
    account.post(charge_form, "K1")
    steps = account.begin(**{"key": "K1"} | TWINS[twin]).to_the_end()

    assert (steps.attempt.key_state, steps.attempt.replayed_from) == (state, 1)
    assert (steps.attempt.error_type, steps.attempt.error_code) == ("idempotency_error", None)


def test_a_conflict_is_journalled_with_the_request_that_holds_the_key(account, charge_form):
    account.fault("claimed", Wait(1.0))
    first = account.begin(charge_form, "K1")
    twin = account.begin(charge_form, "K1").to_the_end()

    assert (twin.attempt.key_state, twin.attempt.replayed_from) == ("in_flight", 1)
    assert twin.attempt.error_code == "idempotency_key_in_use"
    assert first.attempt.ended_s is None


def test_an_answer_put_in_place_of_the_truth_is_altered(account, charge_form):
    account.fault("committed", Reply(stripe="rate_limit"))
    first = account.begin(charge_form, "K1").to_the_end()

    assert (first.attempt.delivery, first.attempt.outcome) == ("altered", "refused")
    assert (first.attempt.status, first.attempt.error_code) == (429, "rate_limit")
    assert (first.attempt.ids, first.attempt.charge) == ((), account.charges[0].id)


def test_who_is_refused_in_front_is_journalled_as_such(account, charge_form):
    account.refusal = refused_key("sk_live_0123456789")
    refused = account.begin(charge_form, "K1").to_the_end()

    assert (refused.attempt.outcome, refused.attempt.status) == ("refused", 401)
    assert (refused.attempt.key_state, len(account.charges)) == ("absent", 0)


def test_a_parameter_that_is_not_emulated_is_unsupported(account, charge_form):
    refused = account.begin(f"{charge_form}&on_behalf_of=acct_1").to_the_end()

    assert (refused.attempt.outcome, refused.answer.status) == ("unsupported", 400)
    assert refused.answer.headers["Fakestripe-Unsupported"] == "on_behalf_of"


def test_a_list_tells_of_every_payment_on_it(account, charge_form):
    made = [account.post(charge_form).json["id"] for _ in range(3)]
    listed = account.begin(b"", path="/v1/charges", method="GET").to_the_end()

    assert listed.attempt.ids == tuple(reversed(made))
    assert listed.attempt.operation is None


def test_a_customer_is_no_payment(account):
    made = account.begin("", path="/v1/customers").to_the_end()

    assert (made.attempt.ids, made.attempt.charge, made.attempt.moved) == ((), None, None)


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
    assert failed.attempt.note == "ValueError: no \udcff"
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
    monkeypatch.setattr(type(account.bank.journal), "reach", None)
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


def test_a_path_beyond_utf_8_is_an_unknown_object(account):
    answer = account.get("/v1/charges/\udcff")

    assert (answer.status, answer.error["message"]) == (404, "No such charge: 'ÿ'")
    assert account.bank.journal.attempts[-1].path == "/v1/charges/ÿ"


def test_parameters_of_a_post_may_stand_in_the_query(account):
    answer = account.post("currency=usd&source=tok_visa", query="amount=2000")

    assert answer.json["amount"] == 2000
    assert account.bank.journal.attempts[-1].parameters["amount"] == "2000"


def test_a_profile_without_rules_decides_nothing(account, charge_form):
    account.profile = structs.replace(account.profile, rules=())

    assert account.post(charge_form).status == 200
    assert account.bank.matched == {}
