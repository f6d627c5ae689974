"""The attempts of an operation as a drawing shows them, from journals written by hand."""

import pytest
from history import History

from fakestripe.protocol.attempt import Moved
from fakestripe.verdict.lanes import Key, Mark, chart
from fakestripe.verdict.scale import Fold

REPLAY = {"charge": None, "ids": ("ch_1",), "key_state": "replay", "replayed_from": 1}


def drawn(history, **options):
    found = history.judge()
    (operation,) = found.operations
    return chart(operation, found.points, **options)


def stops(lane):
    return {stop.point: stop.state for stop in lane.stops}


@pytest.fixture
def history():
    made = History()
    made.intent("ord_1")
    made.profile("p#0")
    return made


def lost(history, key, charge, **facts):
    return history.post(key, charge=charge, lost=True, rule="p#0", faults=("reset",), **facts)


def test_two_keys_have_two_names_and_the_second_charge_is_the_wrong_one(history):
    lost(history, "a", "ch_1")
    history.post("b", charge="ch_2")
    first, second = drawn(history).lanes

    assert (first.key, second.key) == (Key("K1", "a", ""), Key("K2", "b", ""))
    assert first.marks == (Mark("ch_A", "ch_1", "made", wrong=False),)
    assert second.marks == (Mark("ch_B", "ch_2", "made", wrong=True),)
    assert (first.answer, second.answer) == ("no answer", "answered 200")


def test_a_fault_is_shown_at_the_point_where_it_struck(history):
    lost(history, "a", "ch_1")
    (lane,) = drawn(history).lanes

    assert stops(lane) == {
        **dict.fromkeys(("received", "claimed", "committed"), "passed"),
        **dict.fromkeys(("replying", "sent"), "ahead"),
    }
    assert [stop.point for stop in lane.stops if stop.struck] == ["committed"]
    assert [stop.point for stop in lane.stops if stop.commits] == ["committed"]


def test_a_replay_skips_the_commit_and_gives_the_charge_again(history):
    lost(history, "a", "ch_1")
    history.post("a", **REPLAY)
    _, again = drawn(history).lanes

    assert again.marks == (Mark("ch_A", "ch_1", "replayed"),)
    assert again.key == Key("K1", "a", "replayed")
    assert {point for point, state in stops(again).items() if state == "skipped"} == {
        "claimed",
        "committed",
    }


def test_a_decline_is_recorded_and_makes_nothing_that_stands(history):
    history.post("a", charge="ch_1", status=402, error_code="card_declined")
    (lane,) = drawn(history).lanes

    assert lane.marks == (Mark("charge", "ch_1", "failed"),)
    assert (lane.said, stops(lane)["committed"]) == ("card_declined", "passed")
    assert not any(stop.commits for stop in lane.stops)


def test_what_is_refused_at_the_door_skips_what_it_never_did(history):
    history.post("a", status=429)
    (lane,) = drawn(history).lanes

    assert (stops(lane)["committed"], stops(lane)["sent"]) == ("skipped", "passed")


def test_a_client_that_left_is_shown_where_it_left(history):
    lost(history, "a", "ch_1", lasts=4.0, left_s=2.0)
    (lane,) = drawn(history).lanes

    assert (lane.start, lane.left, lane.end) == (0.0, 25.0, 100.0)
    assert lane.answer == "no answer, the client left after 1.0 s"


def test_what_has_not_ended_is_under_way(history):
    lost(history, "a", "ch_1", lasts=None)
    (lane,) = drawn(history).lanes

    assert (lane.told, lane.answer, lane.end) == ("waiting", "under way", 100.0)


def test_a_day_between_two_attempts_is_folded(history):
    lost(history, "a", "ch_1", lasts=0.5)
    history.advance(90_000)
    history.post("a", charge="ch_2", lasts=0.5)
    told = drawn(history)

    assert told.folds == (Fold(50.0, 90_000.5),)
    assert [lane.start for lane in told.lanes] == [0.0, 70.0]


def test_attempts_beyond_the_most_are_not_drawn(history):
    for _ in range(5):
        lost(history, "a", None)

    assert [lane.attempt.arrival for lane in drawn(history, most=3).lanes] == [1, 2, 3]


def test_an_intent_without_attempts_has_an_empty_drawing(history):
    assert drawn(history).lanes == ()


def test_a_key_that_holds_an_api_key_is_masked(history):
    lost(history, "x-sk_test_abcdefghijklmnopqrst", "ch_1")
    (lane,) = drawn(history).lanes

    assert lane.key is not None
    assert "abcdefghijklmnop" not in lane.key.text


def test_a_wrong_amount_makes_the_only_charge_a_wrong_one():
    history = History()
    history.intent("ord_1", amount=1000)
    history.post("a", charge="ch_1")
    (lane,) = drawn(history).lanes

    assert lane.marks == (Mark("ch_A", "ch_1", "made", wrong=True),)


def test_a_capture_and_a_confirmed_intent_are_named_for_what_they_are(history):
    history.post("a", moved=Moved(kind="capture", id="ch_9", amount=2000, currency="usd"))
    (lane,) = drawn(history).lanes

    assert lane.marks == (Mark("capture", "ch_9", "made"),)


def test_refunds_have_names_of_their_own():
    history = History()
    made = history.post("a", charge="ch_1")
    back = Moved(kind="refund", id="re_1", amount=500, currency="usd", charge=made.moved.id)
    history.post("b", path="/v1/refunds", params={"charge": "ch_1"}, moved=back, ids=("re_1",))
    found = history.judge()
    (lane,) = chart(found.operations[-1], found.points).lanes

    assert lane.marks == (Mark("re_A", "re_1", "made"),)


def test_the_charge_that_was_committed_later_is_the_wrong_one(history):
    lost(history, "a", "ch_2", lasts=9.0)
    history.post("b", charge="ch_1")
    first, second = drawn(history).lanes

    assert [mark.wrong for mark in first.marks + second.marks] == [
        mark.name == "ch_B" for mark in first.marks + second.marks
    ]
