"""Which arrivals a rule strikes: the table of selections, and how rules share arrivals."""

import pytest

from fakestripe.bank.ids import account_id
from fakestripe.exchange import Exchange
from fakestripe.faults import plan
from fakestripe.faults.kinds import Close, Reset, Wait
from fakestripe.faults.limits import capped
from fakestripe.faults.rules import Match, Profile, Rule, When
from fakestripe.protocol.declared import Intent
from fakestripe.protocol.effects import Performed, Send
from fakestripe.protocol.effects import Reset as Rst

MONEY = {"order": "ord_1"}
READ = {"method": "GET", "path": "/v1/charges"}
SENT = Performed(bytes_sent=1, delivered=True)
CUSTOMER = {"path": "/v1/customers", "body": b"email=a%40b.c"}

MATCHES = [
    (Match(moves="money"), MONEY, True),
    (Match(moves="money"), READ, False),
    (Match(moves="money"), CUSTOMER, False),
    (Match(moves="money"), {"path": "/v1/charges/ch_1/capture", "body": b""}, True),
    (Match(any=True), READ, True),
    (Match(any=True), {"method": "DELETE", "path": "/v1/nothing"}, True),
    (Match(method="GET"), READ, True),
    (Match(method="GET"), MONEY, False),
    (Match(method="*"), MONEY, True),
    (Match(path="/v1/charges"), MONEY, True),
    (Match(path="/v1/charges"), READ, True),
    (Match(path="/v1/c*"), CUSTOMER, True),
    (Match(path="/v1/charges"), {"path": "/v1/charges/ch_1/capture", "body": b""}, False),
    (Match(path="/v1/charges/*/capture"), {"path": "/v1/charges/ch_1/capture"}, True),
    (Match(params={"amount": "2000"}), MONEY, True),
    (Match(params={"amount": "200"}), MONEY, False),
    (Match(params={"metadata.order_id": "ord_1"}), MONEY, True),
    (Match(params={"metadata.order_id": "ord_*"}), MONEY, True),
    (Match(params={"metadata.order_id": "ord_2"}), MONEY, False),
    (Match(params={"metadata.order_id": "ord_1", "amount": "1"}), MONEY, False),
    (Match(params={"metadata.other": "*"}), MONEY, False),
    (Match(params={"limit": "3"}), {**READ, "query": "limit=3"}, True),
    (Match(headers={"User-Agent": "Stripe/*"}), {"headers": {"user-agent": "Stripe/v1 x"}}, True),
    (Match(headers={"user-agent": "Stripe/*"}), {"headers": {"user-agent": "curl/8"}}, False),
    (Match(headers={"user-agent": "*"}), MONEY, False),
    (Match(idempotency_key="present"), {"key": "K1"}, True),
    (Match(idempotency_key="present"), {}, False),
    (Match(idempotency_key="absent"), {}, True),
    (Match(idempotency_key="absent"), {"key": "K1"}, False),
    (Match(idempotency_key="K*"), {"key": "K1"}, True),
    (Match(idempotency_key="K2"), {"key": "K1"}, False),
    (Match(idempotency_key="*"), {}, False),
    (Match(account="acct_test"), MONEY, True),
    (Match(account="acct_*"), MONEY, True),
    (Match(account="acct_other"), MONEY, False),
    (Match(account="sk_test_other"), MONEY, False),
    (Match(method="POST", path="/v1/charges", idempotency_key="absent"), MONEY, True),
    (Match(method="POST", path="/v1/charges", idempotency_key="present"), MONEY, False),
]


def of(match=None, when=None, do=None, at="received"):
    faults, selected = (do or Reset(),), match or Match(moves="money")
    return Profile(name="p", rules=(Rule("p#0", at, faults, selected, when or When()),))


def struck(port, *requests):
    """Which of the requests met the rule, from 1."""
    return [n for n, more in enumerate(requests, 1) if port.arrive(**more).attempt.rules]


@pytest.mark.parametrize(("match", "request_of", "fits"), MATCHES)
def test_a_match_is_about_what_all_its_fields_say(match, request_of, fits, wire):
    assert struck(wire(of(match)), request_of) == ([1] if fits else [])


def test_an_account_may_be_named_by_a_key_of_it(wire):
    port = wire(of(Match(account="sk_test_mine")))
    port.bank.account = account_id("sk_test_mine")

    assert struck(port, MONEY) == [1]


def test_the_first_attempt_of_each_operation_is_struck(wire):
    orders = [{"order": "ord_1", "key": "A"}, {"order": "ord_2", "key": "B"}]

    assert struck(wire(of(when=When(attempt=(1,)))), *orders, *orders) == [1, 2]


def test_several_attempts_may_be_named(wire):
    port = wire(of(when=When(attempt=(1, 3))))

    assert struck(port, *[{"key": "K1"}] * 4) == [1, 3]


def test_attempts_are_counted_where_no_rule_fires_too(wire):
    port = wire()
    port.arrive(key="K1")
    port.profile = of(when=When(attempt=(1,)))

    assert struck(port, {"key": "K1"}, {"key": "K2", "order": "ord_2"}) == [2]


def test_only_the_nth_operation_is_struck_and_all_its_attempts(wire):
    port = wire(of(when=When(operation=2)))
    orders = [{"order": f"ord_{n}", "key": f"K{n}"} for n in (1, 2, 3)]

    assert struck(port, *orders, *reversed(orders)) == [2, 5]


def test_declared_operations_are_numbered_as_declared_not_as_they_arrive(wire):
    port = wire(of(when=When(operation=1)))
    for name in ("ord_1", "ord_2"):
        intent = Intent(operation=name, amount=2000, currency="usd")
        port.bank.journal.intents.append(intent)
        port.bank.operations.declare(intent)

    assert struck(port, {"order": "ord_2"}, {"order": "ord_1"}) == [2]


def test_a_read_is_no_operation(wire):
    assert struck(wire(of(Match(any=True), When(operation=1))), READ, MONEY) == [2]


def test_nth_counts_all_matches(wire):
    port = wire(of(when=When(nth=(2, 4))))

    assert struck(port, MONEY, READ, MONEY, CUSTOMER, MONEY, MONEY) == [3, 6]


def test_nth_counts_an_arrival_that_an_earlier_rule_strikes(wire):
    first = Rule("p#0", "received", (Reset(),), when=When(nth=(1,)))
    second = Rule("p#1", "received", (Close(),), when=When(nth=(1, 2)))
    port = wire(Profile(name="p", rules=(first, second)))

    assert [port.arrive().attempt.rules for _ in range(3)] == [("p#0",), ("p#1",), ()]


def test_times_limits_how_often_a_rule_fires(wire):
    assert struck(wire(of(when=When(times=2))), *[MONEY] * 4) == [1, 2]


def test_the_first_rule_that_strikes_is_the_only_one(wire):
    rules = tuple(Rule(f"p#{n}", "received", (Reset(),)) for n in (0, 1))

    assert wire(Profile(name="p", rules=rules)).arrive().attempt.rules == ("p#0",)


def test_a_later_rule_is_tried_where_the_first_has_had_its_times(wire):
    first = Rule("p#0", "received", (Reset(),), when=When(times=1))
    second = Rule("p#1", "received", (Close(),))
    port = wire(Profile(name="p", rules=(first, second)))

    assert [port.arrive().attempt.rules for _ in range(2)] == [("p#0",), ("p#1",)]


@pytest.mark.parametrize(
    ("when", "numbers"),
    [
        (When(connection="fresh"), [1]),
        (When(connection="reused"), [2, 3]),
        (When(request_on_connection=2), [2]),
        (When(connection="reused", request_on_connection=3), [3]),
    ],
)
def test_connections_are_told_apart(when, numbers, wire):
    requests = [{"connection": 1, "request_on_connection": n} for n in (1, 2, 3)]

    assert struck(wire(of(when=when)), *requests) == numbers


def test_everything_that_when_says_must_hold(wire):
    port = wire(of(when=When(attempt=(1,), connection="reused")))
    fresh = {"key": "K1", "request_on_connection": 1}
    reused = {"key": "K2", "order": "ord_2", "request_on_connection": 2}

    assert struck(port, fresh, reused, reused) == [2]


def test_a_rule_is_not_used_up_by_an_arrival_that_never_reaches_its_point(wire):
    port = wire(of(when=When(times=1), at="committed"))
    refused = {"body": b"amount=2000"}

    assert struck(port, refused, MONEY) == [2]


def test_a_rule_whose_times_ran_out_meanwhile_does_not_fire(wire):
    port = wire(of(when=When(times=1), at="sent"))
    requests = [port.request(key=f"K{n}", order=f"ord_{n}") for n in (1, 2)]
    both = [Exchange(request, port.bank, port.profile).run() for request in requests]

    assert [type(next(steps)) for steps in both] == [Send, Send]
    assert isinstance(both[1].send(SENT), Rst)
    with pytest.raises(StopIteration):
        both[0].send(SENT)
    assert port.bank.fired == {"p#0": 1}
    both[1].close()


def test_a_retry_during_a_wait_does_not_meet_the_wait_again(wire):
    port = wire(of(when=When(times=1), do=Wait(5.0)))
    held = Exchange(port.request(key="K1"), port.bank, port.profile).run()
    next(held)

    assert struck(port, {"key": "K1"}) == []
    held.close()


def test_only_chosen_operations_are_touched(wire):
    port = wire()
    attempts = [port.arrive(order=f"ord_{n}", key=f"K{n}").attempt for n in range(3)]
    port.bank.place()
    port.profile = Profile(
        name="p",
        rules=of(Match(any=True)).rules,
        only=frozenset({attempts[1].operation}),
    )
    retries = [{"order": f"ord_{n}", "key": f"K{n}"} for n in range(3)]

    assert struck(port, *retries, READ) == [2]


def test_the_same_facts_decide_alike_in_any_order(wire):
    orders = [{"order": f"ord_{n}", "key": f"K{n}"} for n in (1, 2, 3)]
    wanted = of(Match(params={"metadata.order_id": "ord_2"}), When(attempt=(1,)))

    forward = {m["key"]: bool(wire(wanted).arrive(**m).attempt.rules) for m in orders}
    port = wire(wanted)
    backward = {m["key"]: bool(port.arrive(**m).attempt.rules) for m in reversed(orders)}

    assert forward == backward == {"K1": False, "K2": True, "K3": False}


def test_without_rules_nothing_is_counted(wire):
    port = wire()
    port.arrive()

    assert port.bank.matched == {}


def test_a_capped_profile_decides_as_before(wire):
    assert struck(wire(capped(of(when=When(nth=(2,))), 3.0)), MONEY, MONEY) == [2]


def test_decide_names_the_rule(wire):
    port = wire(of())
    exchange = Exchange(port.request(), port.bank, Profile(name="none"))

    met = plan.decide(port.profile, port.request(), exchange.attempt, port.bank)

    assert met is port.profile.rules[0]
