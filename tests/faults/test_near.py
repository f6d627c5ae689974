"""Which arrival came nearest to a rule that never struck, and what kept it from being struck."""

import json

import pytest

from fakestripe.exchange import Exchange
from fakestripe.faults.kinds import Reset, Wait
from fakestripe.faults.line import line_of
from fakestripe.faults.rules import Match, Profile, Rule, When
from fakestripe.verdict import judge, merged, records_of

ORDER_7 = Match(method="POST", path="/v1/charges", params={"metadata.order_id": "ord_7"})
READ = {"method": "GET", "path": "/v1/charges"}
SECRET = "sk_test_" + "s3cr3t" * 4
TOKEN = {"path": "/v1/tokens", "body": b"card[number]=4000000000000002&card[exp_year]=2030"}


def rule(match: Match = ORDER_7, at: str = "claimed", name: str = "p#0", **when) -> Rule:
    return Rule(name, at, (Reset(),), match, When(**when))


def near(port):
    """Return the lines about near misses, without the time."""
    lines = [line for line in port.bank.lines() if line["kind"] == "near_miss"]
    return [{k: v for k, v in line.items() if k not in ("kind", "elapsed_s")} for line in lines]


def closest(port) -> list[str]:
    return [str(miss) for miss in judge(records_of(port.bank.journal)).near_misses]


@pytest.fixture
def under(wire):
    """A wire whose journal knows the rules that hold: ``under(rule, …)``."""

    def declared(*rules: Rule):
        port = wire(Profile("p", rules))
        port.bank.journal.note("profile", line_of(port.profile))
        return port

    return declared


CASES = [
    (
        rule(),
        [{"order": "ord_6"}, {"order": "ord_8"}],
        (
            "arrival 1, POST /v1/charges: params.metadata.order_id was 'ord_6', "
            "the rule wants 'ord_7'"
        ),
    ),
    (
        rule(),
        [READ, {"path": "/v1/refunds", "order": "ord_7"}, {"order": "ord_8"}],
        (
            "arrival 3, POST /v1/charges: params.metadata.order_id was 'ord_8', "
            "the rule wants 'ord_7'"
        ),
    ),
    (
        rule(),
        [READ],
        (
            "arrival 1, GET /v1/charges: method was GET, the rule wants POST; "
            "params.metadata.order_id was absent, the rule wants 'ord_7'"
        ),
    ),
    (
        rule(Match(moves="money")),
        [READ],
        "arrival 1, GET /v1/charges: it moves no money",
    ),
    (
        rule(Match(idempotency_key="present")),
        [{}],
        "arrival 1, POST /v1/charges: idempotency_key was absent, the rule wants present",
    ),
    (
        rule(Match(idempotency_key="K-*")),
        [{"key": "L-1"}],
        "arrival 1, POST /v1/charges: idempotency_key was 'L-1', the rule wants 'K-*'",
    ),
    (
        rule(Match(headers={"X-Run": "7"})),
        [{}, {"headers": {"x-run": "8"}}],
        "arrival 2, POST /v1/charges: headers.X-Run was '8', the rule wants '7'",
    ),
    (
        rule(Match(account="acct_other")),
        [{}],
        "arrival 1, POST /v1/charges: account was acct_test, the rule wants acct_other",
    ),
    (
        rule(attempt=(2, 3)),
        [{"order": "ord_8"}, {"order": "ord_7"}],
        "arrival 2, POST /v1/charges: when.attempt was 1, the rule wants 2 or 3",
    ),
    (
        rule(operation=5),
        [{"order": "ord_7"}],
        "arrival 1, POST /v1/charges: when.operation was 1, the rule wants 5",
    ),
    (
        rule(nth=(3,)),
        [{"order": "ord_7"}, {"order": "ord_7"}],
        "arrival 1, POST /v1/charges: when.nth was 1, the rule wants 3",
    ),
    (
        rule(connection="reused"),
        [{"order": "ord_7"}],
        "arrival 1, POST /v1/charges: when.connection was fresh, the rule wants reused",
    ),
    (
        rule(request_on_connection=2, connection="reused"),
        [{"order": "ord_7"}, {"order": "ord_7", "request_on_connection": 3}],
        "arrival 2, POST /v1/charges: when.request_on_connection was 3, the rule wants 2",
    ),
    (
        rule(Match(any=True)),
        [READ],
        (
            "arrival 1, GET /v1/charges: it matched, but never reached claimed "
            "(a GET commits nothing)"
        ),
    ),
    (
        rule(Match(idempotency_key="K"), request_on_connection=2),
        [{"key": "K"}, {"key": "K", "request_on_connection": 2}],
        "arrival 2, POST /v1/charges: it matched, but never reached claimed (it was a replay)",
    ),
    (
        rule(Match(method="POST")),
        [{"body": b"amount=-1&currency=usd&source=tok_visa"}],
        "arrival 1, POST /v1/charges: it matched, but never reached claimed (it was answered 400)",
    ),
]


@pytest.mark.parametrize(("declared", "requests", "said"), CASES)
def test_the_nearest_arrival_is_named_with_what_it_lacked(declared, requests, said, under):
    port = under(declared)
    for request in requests:
        port.arrive(**request)

    assert closest(port) == [f"rule p#0 never fired; closest: {said}"]


def test_a_rule_that_another_forestalls_says_which(under):
    port = under(rule(at="received"), rule(at="received", name="p#1"))
    port.arrive(order="ord_7")

    assert closest(port) == [
        (
            "rule p#1 never fired; closest: arrival 1, POST /v1/charges: "
            "it matched, but rule p#0 struck it first"
        )
    ]


def test_a_rule_that_fires_in_the_end_was_never_missed(under):
    port = under(rule())
    for order in ("ord_6", "ord_7", "ord_8"):
        port.arrive(order=order)

    assert [line["arrival"] for line in near(port)] == [1]
    assert closest(port) == []


def test_only_a_nearer_arrival_is_written_down(under):
    """A thousand others that are no nearer leave no line, and are not looked at to their end."""
    port = under(rule(attempt=(9,)))
    for request in [
        READ,
        *[{"order": f"ord_{n}"} for n in range(8, 60)],
        {"order": "ord_7"},
        READ,
    ]:
        port.arrive(**request)

    assert [(line["arrival"], line["stage"]) for line in near(port)] == [
        (1, "match"),
        (2, "match"),
        (54, "when"),
    ]


def test_a_line_says_all_that_differed(under):
    port = under(rule())
    port.arrive(path="/v1/refunds")

    assert near(port) == [
        {
            "rule": "p#0",
            "stage": "match",
            "at": "claimed",
            "arrival": 1,
            "method": "POST",
            "path": "/v1/refunds",
            "differs": [
                {"field": "path", "was": "/v1/refunds", "wants": "/v1/charges"},
                {"field": "params.metadata.order_id", "was": "ord_1", "wants": "ord_7"},
            ],
        }
    ]


def test_no_whole_key_and_no_card_number_is_told(under):
    match = Match(
        headers={"authorization": "Bearer sk_test_other", "x-note": "none"},
        params={"card.number": "4242424242424242"},
        account=SECRET,
    )
    port = under(rule(match))
    port.arrive(headers={"authorization": f"Bearer {SECRET}", "x-note": SECRET}, **TOKEN)
    told = json.dumps(near(port))

    assert SECRET not in told
    assert "4000000000000002" not in told
    assert "4242424242424242" not in told
    assert "************0002" in told


def test_a_rule_at_reading_is_missed_by_what_went_on_to_be_received(under):
    match = Match(method="POST", path="/v1/refunds")
    port = under(rule(match, at="reading"))
    port.arrive()

    assert closest(port) == [
        (
            "rule p#0 never fired; closest: arrival 1, POST /v1/charges: "
            "path was '/v1/charges', the rule wants '/v1/refunds'"
        )
    ]


def test_a_rule_at_accept_knows_only_how_many_connections_came(under):
    port = under(Rule("p#0", "accept", (Reset(),), Match(any=True), When(nth=(5, 6))))
    port.arrive()
    port.arrive()

    assert closest(port) == [
        (
            "rule p#0 never fired; closest: arrival 2, POST /v1/charges: "
            "connection was 2, the rule wants 5 or 6"
        )
    ]


def test_a_reset_of_an_idle_connection_that_nobody_used_again_says_so(under):
    port = under(rule(Match(moves="money"), at="sent"))
    port.arrive()

    assert closest(port) == [
        (
            "rule p#0 never fired; closest: arrival 1, POST /v1/charges: it was struck, but "
            "no other request came on connection 1 afterwards"
        )
    ]


def test_a_journal_that_is_judged_later_says_the_same(under):
    port = under(
        rule(), rule(name="p#1", attempt=(5,)), rule(Match(idempotency_key="L"), name="p#2")
    )
    for request in (READ, {"order": "ord_8"}, {"order": "ord_7", "key": "K"}, {"key": "K"}):
        port.arrive(**request)
    lines = [json.loads(json.dumps(line)) for line in port.bank.lines()]

    assert judge(lines).near_misses == judge(records_of(port.bank.journal)).near_misses
    assert [miss.rule for miss in judge(lines).near_misses] == ["p#1", "p#2"]


def test_of_several_accounts_the_nearest_counts(under):
    far, near_by = under(rule()), under(rule())
    far.arrive(**READ)
    near_by.arrive(order="ord_8")
    found = judge(merged([records_of(far.bank.journal), records_of(near_by.bank.journal)]))

    assert [(miss.rule, miss.path, len(miss.differs)) for miss in found.near_misses] == [
        ("p#0", "/v1/charges", 1)
    ]


def test_an_arrival_still_under_way_was_not_missed(under):
    port = under(Rule("p#0", "received", (Wait(5.0),)))
    exchange = Exchange(port.request(), port.bank, port.profile)
    steps = exchange.run()
    next(steps)

    assert near(port) == []
    steps.close()


def test_without_rules_nothing_is_compared(under):
    port = under()
    port.arrive()

    assert (port.bank.near, near(port)) == ({}, [])
