"""What strikes before any request is read proves little, and is told for what it is."""

import pytest

from fakestripe.verdict import edge, report


def struck(h, *faults: str, left: bool = False, connection: int = 100) -> None:
    """Let the rule at accept strike a connection."""
    fields = {"rule": "r#0", "connection": connection, "point": "accept", "client_left": left}
    h.note("connection", {**fields, "faults": list(faults)})


def opened(h) -> None:
    """Let the rule at listen open its window."""
    h.note("listen", {"rule": "r#0", "fault": "refuse for 2s", "until_s": None})


@pytest.fixture
def run(history):
    """A run of one payment under a rule at some point."""

    def begin(at: str, **header):
        h = history(**{"declared": True, **header})
        h.profile("r#0", at=at)
        h.intent("ord_1")
        return h

    return begin


def said(h):
    verdict = h.judge()
    return verdict.word, verdict.reasons, verdict.exercised


@pytest.mark.parametrize("fault", ["reset", "close", "hang 5s"])
def test_who_comes_back_with_a_key_after_a_lost_connection_is_clean_and_told_so(run, fault):
    h = run("accept")
    struck(h, fault)
    h.post("K1", charge="ch_A")
    verdict = h.judge()

    assert said(h) == ("clean", (), 1)
    assert (verdict.fired_rules, verdict.notes) == (("r#0",), (edge.NOTE,))
    assert "would do with a charge that was made is not tested" in report.FORMATS["text"].write(
        verdict
    ).replace("\n  ", " ")


def test_who_comes_back_without_a_key_has_shown_nothing(run):
    h = run("accept")
    struck(h, "reset")
    h.post(None, charge="ch_A")

    assert said(h) == ("inconclusive", ("no_key",), 0)


def test_a_connection_that_only_waited_was_not_lost(run):
    h = run("accept")
    struck(h, "wait 1s", connection=1)
    h.post("K1", charge="ch_A")

    assert said(h) == ("inconclusive", ("client_never_came_back",), 0)


def test_a_client_that_left_while_its_connection_waited_has_lost_it(run):
    h = run("accept")
    struck(h, "wait 9s", left=True)
    h.post("K1", charge="ch_A")

    assert said(h) == ("clean", (), 1)


def test_a_payment_before_the_connection_was_lost_proves_nothing(run):
    h = run("accept")
    h.post("K1", charge="ch_A")
    h.elapsed += 1
    struck(h, "reset")

    assert said(h) == ("inconclusive", ("client_never_came_back",), 0)


def test_the_last_version_of_a_line_counts(run):
    h = run("accept")
    struck(h, "hang")
    struck(h, "hang", left=True)
    h.post("K1", charge="ch_A")
    h.post("K1", key_state="replay", ids=("ch_A",))

    assert said(h) == ("clean", (), 1)


def test_who_gives_up_after_a_lost_connection_is_not_unseen(run):
    h = run("accept")
    struck(h, "reset")
    h.outcome("ord_1", "failed")

    assert said(h) == ("unpaid", (), 0)


def test_a_window_that_nobody_counted_proves_nothing(run):
    h = run("listen")
    opened(h)
    h.elapsed += 5
    h.post("K1", charge="ch_A")
    verdict = h.judge()

    assert said(h) == ("inconclusive", ("window_unseen",), 0)
    assert (verdict.fired_rules, verdict.unfired_rules) == (("r#0",), ())


def test_nobody_is_known_to_have_met_a_window_who_was_never_seen(run):
    h = run("listen")
    opened(h)
    h.outcome("ord_1", "failed")

    assert said(h) == ("inconclusive", ("no_request", "window_unseen"), 0)


def test_a_window_takes_nothing_from_what_another_rule_proves(run):
    h = run("listen")
    h.profile("r#0", "r#1")
    opened(h)
    h.post("K1", charge="ch_A", lost=True, rule="r#1")
    h.post("K1", key_state="replay", ids=("ch_A",))

    assert said(h) == ("clean", (), 1)


def test_where_nobody_said_what_was_intended_what_was_lost_may_have_been_another(history):
    h = history(declared=True)
    h.profile("r#0", at="accept")
    struck(h, "reset")
    h.post("K1", charge="ch_A")

    assert said(h) == ("inconclusive", ("nothing_to_compare",), 0)
