"""Journals as evidence: read from lines, taken from memory, split by account."""

import pytest
from history import BASE, NOON, ORDER

from fakestripe import verdict
from fakestripe.bank.journal import Journal
from fakestripe.protocol.attempt import Attempt, to_line
from fakestripe.verdict.records import Moved


def test_later_lines_of_an_arrival_supersede_earlier_ones(history):
    h = history()
    h.intent("ord_1")
    first = h.post("K1", charge="ch_1", lost=True)
    early = {"kind": "attempt", **to_line(first), "moved": None, "ended_s": None}
    records = verdict.read([early, *h.lines])

    assert len(records.attempts) == 1
    assert records.attempts[0] == first


def test_later_headers_supersede_earlier_ones_field_by_field(history):
    h = history(mode="check", replicas=3)
    h.header(client_exits=[0, None], seed=7)
    header = h.records().header

    assert (header.mode, header.replicas, header.client_exits, header.seed) == (
        "check",
        3,
        (0, None),
        7,
    )


def test_the_order_of_lines_is_the_order_of_arrival(history):
    h = history()
    h.post("K1")
    h.post("K2", params=BASE)

    assert [a.arrival for a in verdict.read(reversed(h.lines)).attempts] == [1, 2]


def test_kinds_of_a_later_version_are_passed_over(history):
    h = history()
    h.note("weather", {"sky": "blue"})
    h.header(a_field_to_come=1)

    assert h.records().attempts == []


def test_moves_of_the_clock_and_outcomes_know_when(history):
    h = history()
    h.elapsed = 3.0
    h.advance(60, "rule")
    h.note("clock", {"now": 5.0, "by": "admin"})
    h.outcome("ord_1", "paid", "ch_1")
    records = h.records()

    assert records.clock == [
        Moved(elapsed_s=3.0, advance=60, by="rule"),
        Moved(elapsed_s=3.0, now=5.0, by="admin"),
    ]
    assert (records.reports[0].outcome.charge, records.reports[0].elapsed_s) == ("ch_1", 3.0)


def test_of_several_profiles_all_rules_count_and_the_last_expects(history):
    h = history()
    h.profile("a#0", operation="metadata.order_id")
    h.profile("b#0", expect=["clean", "orphan"])
    records = h.records()

    assert list(records.rules) == ["a#0", "b#0"]
    assert records.profile.expect == ("clean", "orphan")
    assert records.selector == "metadata.order_id"


def test_the_selector_of_the_run_goes_before_that_of_a_profile(history):
    h = history(selector="customer")
    h.profile("a#0", operation="metadata.order_id")

    assert h.records().selector == "customer"
    assert history().records().selector is None


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "attempt"},
        {"kind": "attempt", "arrival": 1},
        {"kind": "attempt", "arrival": 1, "account": 7},
        {"kind": "header", "replicas": "three"},
        {"kind": "intent", "operation": 1},
        {"kind": "outcome", "operation": "ord_1", "outcome": "payed"},
        {"kind": "clock", "advance": "25h"},
        {"kind": "profile"},
        "no mapping",
        7,
    ],
    ids=str,
)
def test_what_is_no_journal_line_is_said_to_be_none(line):
    with pytest.raises(verdict.JournalError, match="is no journal line"):
        verdict.read([line])


def test_what_judge_is_given_may_be_the_lines_themselves(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_1", lost=True)
    h.post("K2", charge="ch_2")

    assert verdict.judge(h.lines) == verdict.judge(h.records())


def test_a_judgement_changes_no_attempt(history):
    h = history()
    h.intent("ord_1")
    attempt = h.post("K1", charge="ch_1")
    journal = Journal(lambda: 0.0)
    journal.attempts, journal.events = h.attempts, h.notes
    before = to_line(attempt)

    assert verdict.judge(verdict.records_of(journal)).operations[0].operation == "ord_1"
    assert to_line(attempt) == before
    assert attempt.operation is None


def journal(account, key, *arrivals, intent=True, mode="serve"):
    """The journal of one account of a shared server."""
    kept = Journal(lambda: 0.0, account=account)
    kept.note("header", {"mode": mode})
    kept.note("profile", {"name": key, "rules": [{"name": f"{key}#0", "at": "committed"}]})
    if intent:
        kept.note("intent", {"operation": "ord_1", "amount": 2000})
    for arrival in arrivals:
        kept.attempts.append(_charge(arrival, account, key))
    return kept


def _charge(arrival, account, key):
    from urllib.parse import urlencode

    from fakestripe.protocol.attempt import Moved as Made

    made = Made(kind="charge", id=f"ch_{arrival}", amount=2000, currency="usd")
    return Attempt(
        arrival=arrival,
        account=account,
        at=NOON + arrival,
        connection=arrival,
        request_on_connection=1,
        method="POST",
        path="/v1/charges",
        form=urlencode(ORDER).encode(),
        idempotency_key=f"{key}-{arrival}",
        step="create",
        moves=True,
        status=200,
        delivery="intact",
        ids=(made.id,),
        moved=made,
        started_s=float(arrival),
        ended_s=arrival + 0.1,
    )


def lines_of(*journals):
    return [line for kept in journals for line in kept.lines()]


def test_accounts_of_one_server_are_judged_each_by_itself():
    """Two tests at once, both with an ord_1 of their own: nobody charged twice."""
    one, two = journal("acct_1", "A", 1), journal("acct_2", "B", 2)
    found = verdict.judge(verdict.read(lines_of(one, two)))

    assert [(o.operation, len(o.charges)) for o in found.operations] == [
        ("ord_1", 1),
        ("ord_1", 1),
    ]
    assert (found.word, found.attempts, found.charges) == ("inconclusive", 2, 2)
    assert found.unfired_rules == ("A#0", "B#0")


def test_the_worst_account_gives_the_word():
    one, two = journal("acct_1", "A", 1, 3), journal("acct_2", "B", 2)
    found = verdict.judge(verdict.merged([verdict.records_of(one), verdict.records_of(two)]))

    assert (found.word, found.reasons) == ("duplicate", ())
    assert [o.verdict for o in found.operations] == ["duplicate", "inconclusive"]


def test_one_account_alone_is_judged_as_it_is():
    records = verdict.records_of(journal("acct_1", "A", 1))

    assert verdict.merged([records]) is records
    assert records.parts == []


def test_an_account_that_only_declared_something_is_told_too():
    found = verdict.judge(verdict.records_of(journal("acct_1", "A", 1), journal("acct_2", "B")))

    assert [o.charges for o in found.operations] == [("ch_1",), ()]


def test_accounts_of_which_nobody_did_anything_say_nothing():
    quiet = verdict.records_of(journal("acct_2", "B", intent=False))
    found = verdict.judge(verdict.merged([verdict.records_of(journal("acct_1", "A", 1)), quiet]))

    assert len(found.operations) == 1
    assert verdict.judge(verdict.merged([quiet, quiet])).reasons == (
        "no_request",
        "rule_never_fired",
    )


def test_lines_that_say_no_account_are_about_all():
    one, two = journal("acct_1", "A", 1, intent=False), journal("acct_2", "B", 2, intent=False)
    everybody = {"kind": "intent", "operation": "ord_1", "amount": 2000}
    found = verdict.judge(verdict.read([everybody, *lines_of(one, two)]))

    assert [o.intended.count for o in found.operations] == [1, 1]


def test_accounts_of_one_run_are_judged_together():
    one, two = journal("acct_1", "A", 1, mode="fixture"), journal("acct_2", "B", 2, mode="fixture")
    found = verdict.judge(verdict.read(lines_of(one, two)))

    assert [(o.operation, o.charges) for o in found.operations] == [("ord_1", ("ch_1", "ch_2"))]
