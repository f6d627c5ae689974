"""A fault of an event proves something where somebody met it who could go wrong."""

import pytest

NAME = "webhook-x#deliveries"


@pytest.fixture
def told(history):
    """A run of one payment under a profile whose only fault is one of deliveries."""
    h = history(declared=True)
    deliveries = {"name": NAME, "at": "webhook", "faults": ["late 5s"]}
    h.note("profile", {"name": "webhook-x", "deliveries": deliveries})
    h.intent("ord_1")
    h.post("K1", charge="ch_A")
    return h


def line(h, *faults: str, delivered: bool = True, event: str = "evt_1", endpoint: str = "we_1"):
    fields = {"event": event, "type": "charge.succeeded", "endpoint": endpoint, "url": "http://x"}
    tried = {"attempt": 1, "status": 200, "problem": None, "delivered": delivered}
    rules = [NAME] if faults else []
    h.note("webhook", {**fields, **tried, "faults": list(faults), "rules": rules})


def said(h):
    verdict = h.judge()
    return verdict.word, verdict.reasons


def test_an_event_that_nobody_was_told_of_fires_nothing(told):
    verdict = told.judge()

    assert (verdict.word, verdict.reasons) == ("inconclusive", ("rule_never_fired",))
    assert (verdict.fired_rules, verdict.unfired_rules) == ((), (NAME,))


@pytest.mark.parametrize("fault", ["before_answer", "out_of_order"])
def test_an_event_at_the_wrong_moment_is_met_by_who_answers_it(told, fault):
    line(told, fault)
    verdict = told.judge()

    assert (verdict.word, verdict.exercised, verdict.exercisable) == ("clean", 1, 1)
    assert (verdict.fired_rules, verdict.unfired_rules) == ((NAME,), ())


@pytest.mark.parametrize("fault", ["before_answer", "out_of_order", "copies 2"])
def test_a_receiver_that_refuses_has_met_nothing(told, fault):
    line(told, fault, delivered=False)

    assert said(told) == ("inconclusive", ("event_unmet",))


def test_copies_are_met_where_two_of_them_were_taken(told):
    line(told, "copies 2")
    once = said(told)
    line(told, "copies 2")

    assert once == ("inconclusive", ("event_unmet",))
    assert said(told) == ("clean", ())


def test_copies_for_two_endpoints_are_none_for_each(told):
    line(told, "copies 2", endpoint="we_1")
    line(told, "copies 2", endpoint="we_2")

    assert said(told) == ("inconclusive", ("event_unmet",))


def test_copies_that_are_late_are_met_as_copies_too(told):
    line(told, "copies 2", "late 5s", delivered=False)
    for _ in range(2):
        line(told, "copies 2", "late 5s")

    assert said(told) == ("clean", ())


@pytest.mark.parametrize("fault", ["late 5s", "never"])
def test_who_sits_out_an_event_that_is_kept_back_meets_nothing(told, fault):
    line(told, fault, delivered=False)
    told.elapsed += 5
    line(told, fault, delivered=fault != "never")

    assert said(told) == ("inconclusive", ("event_unmet",))


@pytest.mark.parametrize("fault", ["late 5s", "never"])
@pytest.mark.parametrize("act", ["reads back", "reports", "retries"])
def test_who_acts_while_an_event_is_kept_back_meets_it(told, fault, act):
    line(told, fault, delivered=False)
    deeds = {
        "reads back": lambda: told.get("/v1/charges", "ch_A"),
        "reports": lambda: told.outcome("ord_1", "paid", "ch_A"),
        "retries": lambda: told.post("K1", key_state="replay", ids=("ch_A",)),
    }
    deeds[act]()
    told.elapsed += 5
    line(told, fault, delivered=fault != "never")

    assert said(told) == ("clean", ())


def test_who_acts_once_a_late_event_is_there_was_not_kept_waiting(told):
    line(told, "late 5s", delivered=False)
    told.elapsed += 5
    line(told, "late 5s")
    told.get("/v1/charges", "ch_A")

    assert said(told) == ("inconclusive", ("event_unmet",))


@pytest.mark.parametrize(
    ("fault", "exit_at", "word"),
    [
        ("late 5s", 3.0, "clean"),
        ("late 5s", 9.0, "inconclusive"),
        ("never", 3.0, "clean"),
        ("never", 9.0, "clean"),
    ],
)
def test_a_client_that_exits_reports_what_it_believes(history, fault, exit_at, word):
    h = history(mode="check", client_exits=[0], client_lives=[[0.0, exit_at]])
    h.intent("ord_1")
    h.post("K1", charge="ch_A")
    line(h, fault, delivered=False)
    h.elapsed += 5
    line(h, fault, delivered=fault != "never")

    assert h.judge().word == word


def test_no_more_is_exercised_than_there_are_operations(told):
    for event in ("evt_1", "evt_2", "evt_3"):
        line(told, "before_answer", event=event)

    assert told.judge().exercised == 1


def test_a_keyless_client_is_in_danger_whatever_its_receiver_meets(history):
    h = history()
    h.intent("ord_1")
    h.post(None, charge="ch_A")
    line(h, "before_answer")

    assert (h.judge().word, h.judge().hazard) == ("clean", "no_key")


def test_a_lost_answer_is_not_made_good_by_an_event(history):
    """With a rule declared, what the rule took away must have been met."""
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    line(h, "before_answer")

    assert said(h) == ("inconclusive", ("client_never_came_back", "outcome_unknown"))


def test_what_an_older_server_noted_of_a_delivery_is_read(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A")
    known = {"event": "evt_1", "type": "x", "endpoint": "we_1", "url": "http://x"}
    h.note("webhook", {**known, "attempt": 1, "status": 200, "problem": None, "delivered": True})

    assert said(h) == ("inconclusive", ("rule_never_fired",))
