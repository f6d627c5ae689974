"""Recorded journals, good and bad: the word of each, who sent its attempts, and what caused it.

Beside the pairs of the causes: the cases of the product, payment intents, captures and refunds,
and every word that a run can end with. ``model/record.py`` says how each of them came about.
"""

from pathlib import Path

import capped  # noqa: F401  # its scenes
import flows  # noqa: F401  # its scenes
import pytest
from msgspec import json
from scenes import SCENES

from fakestripe import verdict
from fakestripe.verdict.causes import CAUSES
from fakestripe.verdict.words import WORDS

JOURNALS = Path(__file__).parent / "journals"
ONE = ("first",)
SDK = ("first", "sdk_retry")
APP = ("first", "app_retry")
COPY = ("first", "transport_resend")
INTENT = ("first", "first")
ANEW = (*INTENT, "app_retry", "app_retry")
FRESH, NO_KEY = "fresh_key_per_attempt", "no_key"
THREE = ("first", "replica", "replica")

TABLE = {
    "d01_refused": ("orphan", SDK, "parameters_drifted"),
    "d01_with_a_new_key": ("duplicate", (*SDK, "sdk_retry", "app_retry"), "parameters_drifted"),
    "d04_without_a_key": ("duplicate", COPY, "transport_resend"),
    "d04_with_a_key": ("clean", COPY, None),
    "d04_on_a_fresh_connection": ("orphan", ONE, None),
    "d06_python_retries": ("clean", SDK, None),
    "d06_node_gives_up": ("orphan", ONE, None),
    "d06_old_node_hangs": ("inconclusive", ONE, "client_hung"),
    "d08_old_node_without_retries": ("duplicate", APP, NO_KEY),
    "d08_node_without_retries": ("clean", SDK, None),
    "d08_old_node_in_silence": ("orphan", ONE, None),
    "d09_answers_mixed_up": ("orphan", ONE, None),
    "d10_urllib3_retries": ("duplicate", APP, NO_KEY),
    "d10_a_session_does_not": ("orphan", ONE, None),
    "d17_limited_and_never_resolved": (
        "duplicate",
        (*SDK, "app_retry"),
        "outcome_never_resolved",
    ),
    "d17_limited_at_first": ("clean", APP, None),
    "d18_one_key_for_two": ("missing", SDK, None),
    "d18_a_key_for_each": ("inconclusive", APP, "rule_never_fired"),
    "d18_no_key_at_all": ("inconclusive", APP, NO_KEY),
    "d19_a_script_by_ordinal": ("duplicate", (*COPY, "app_retry"), NO_KEY),
    "d19_a_script_by_ordinal_with_a_key": ("clean", (*COPY, "sdk_retry"), None),
    "d19_a_rule_that_never_fired": ("inconclusive", ONE, "rule_never_fired"),
    "d21_three_without_a_key": ("duplicate", THREE, "replicas"),
    "d21_three_keys": ("duplicate", THREE, "replicas"),
    "d21_one_key_of_the_form": ("clean", THREE, None),
    "d22_a_receiver_without_a_key": (
        "duplicate",
        (*APP, "app_retry"),
        "separate_submissions",
    ),
    "d22_a_receiver_whose_key_is_the_event": ("clean", (*SDK, "sdk_retry"), None),
    "d24_a_key_made_inside": ("duplicate", APP, FRESH),
    "d24_a_key_passed_in": ("clean", SDK, None),
    "intent_confirmed_again": ("clean", (*INTENT, "sdk_retry"), None),
    "intent_confirmed_again_without_a_key": ("clean", (*INTENT, "app_retry"), None),
    "intent_made_anew": ("duplicate", ANEW, FRESH),
    "intent_made_anew_before_it_charged": ("clean", ANEW, f"hazard {FRESH}"),
    "intent_held_and_captured_again": ("clean", (*INTENT, *APP), None),
    "intent_held_twice_and_one_captured": ("duplicate", (*ANEW, "first"), FRESH),
    "intent_held_twice_and_both_captured": ("duplicate", (*ANEW, *APP), FRESH),
    "intent_held_twice_and_one_released": ("duplicate", (*ANEW, "first"), FRESH),
    "authorised_twice": ("duplicate", (*APP, "first"), FRESH),
    "authorised_once_and_captured_again": ("clean", ("first", *SDK), None),
    "charged_twice_and_compensated": ("duplicate", APP, FRESH),
    "charged_twice_and_a_part_given_back": ("duplicate", APP, FRESH),
    "an_orphan_that_was_given_back": ("orphan", ONE, None),
    "refunded_again_under_its_key": ("clean", SDK, None),
    "refunded_again_under_another_key": ("duplicate", APP, FRESH),
    "amount_too_high": ("overcharged", APP, "hazard attempt_in_key"),
    "amount_too_low": ("undercharged", APP, "hazard attempt_in_key"),
    "never_paid": ("unpaid", SDK, None),
    "believed_paid_and_never_charged": ("missing", ONE, None),
    "a_purchase_that_nothing_tells_from_a_retry": ("inconclusive", APP, "ambiguous_repeat"),
    "a_wait_that_was_sat_out": ("inconclusive", ONE, "client_never_came_back"),
    "a_storm": ("clean", ("first", *["sdk_retry"] * 11), "warning storm"),
    "retries_without_a_pause": ("clean", ("first", *["sdk_retry"] * 3), "warning no_back_off"),
    "cap_stops_the_run": ("cap_exceeded", ONE, None),
    "cap_lets_a_duplicate_through": ("duplicate", APP, FRESH),
    "cap_is_paid_the_next_day": ("clean", (*SDK, "sdk_retry"), None),
    "cap_keeps_a_second_charge_away": ("orphan", APP, f"hazard {FRESH}"),
    "cap_that_is_believed_paid": ("missing", ONE, None),
    "cap_of_an_intent": ("cap_exceeded", INTENT, None),
    "cap_that_a_loop_runs_against": (
        "cap_exceeded",
        ("first", *["app_retry"] * 11),
        "warning storm",
    ),
}
"""Word, label of each attempt of the operation that decides it, and its cause or reason."""

FLAGS = {
    "charged_twice_and_compensated": ("compensated",),
    "an_orphan_that_was_given_back": ("compensated",),
    "authorised_twice": ("authorised_only",),
    "intent_held_twice_and_one_captured": ("authorised_only",),
    "intent_held_twice_and_one_released": ("compensated", "authorised_only"),
}
"""The journals whose operation is flagged; all others are not."""


def judged(name):
    lines = (JOURNALS / f"{name}.jsonl").read_bytes().splitlines()
    return verdict.judge(json.decode(line) for line in lines)


def decisive(found):
    """Return the operation that decides the word; of several clean ones, the one tried most."""
    alike = [one for one in found.operations if one.verdict == found.word]
    return max(alike or found.operations, key=lambda one: len(one.attempts))


def caused(found):
    """Return what the run is put down to: cause, hazard, reason, warning."""
    if found.hazard is not None and found.word != "inconclusive":
        return f"hazard {found.hazard}"
    warnings = (f"warning {each.kind}" for each in found.warnings)
    own = [found.cause, *reversed(found.reasons), *warnings]
    return next((each for each in own if each is not None), None)


@pytest.mark.parametrize("name", TABLE)
def test_a_recorded_journal_is_judged_as_the_table_says(name):
    found = judged(name)
    operation = decisive(found)

    labels = tuple(seen.label for seen in operation.attempts)
    assert (found.word, labels, caused(found)) == TABLE[name]
    assert operation.flags == FLAGS.get(name, ())


CAUSED = {
    "server_lost_record": "sdk_retry",
    "cache_write_window": "sdk_retry",
    "key_under_another_account": "app_retry",
    "key_older_than_retention": "sdk_retry",
    "transport_resend": "transport_resend",
    "replicas": "replica",
}
"""The label of the attempt that made ch_B, by cause: of every other, ``app_retry``."""


@pytest.mark.parametrize("cause", CAUSES)
def test_the_attempt_that_charged_again_is_labelled(cause):
    worst = judged(f"{cause}-bad").worst
    label = next(seen.label for seen in worst.attempts if seen.attempt.arrival == worst.pair[1])

    assert label == CAUSED.get(cause, "app_retry")


def test_every_journal_is_in_a_table():
    pairs = {f"{cause}-{kind}" for cause in CAUSES for kind in ("bad", "good")}

    assert {path.stem for path in JOURNALS.glob("*.jsonl")} == pairs | TABLE.keys()


def test_every_word_ends_a_journal():
    assert {word for word, _, _ in TABLE.values()} == WORDS.keys()


CAPPED = {
    "cap_stops_the_run": (1, 0, 1, 0, "ord_2"),
    "cap_lets_a_duplicate_through": (2, 1, 1, 0, "ord_2"),
    "cap_is_paid_the_next_day": (0, 0, 1, 0, "ord_1"),
    "cap_keeps_a_second_charge_away": (1, 0, 1, 1, "ord_1"),
    "cap_that_is_believed_paid": (0, 0, 1, 0, "ord_1"),
    "cap_of_an_intent": (0, 0, 1, 0, "ord_1"),
    "cap_that_a_loop_runs_against": (0, 0, 12, 0, "ord_1"),
}
"""What each cap let through, how much of it twice, what it stopped, spared, and where."""


@pytest.mark.parametrize("name", CAPPED)
def test_what_a_cap_did_is_told_of_a_recorded_journal(name):
    (cap,) = judged(name).caps

    told = (cap.let_through, len(cap.duplicates), cap.stopped, cap.would_have_doubled)
    assert (*told, cap.stop.operation) == CAPPED[name]


CASES = ("d01", "d04", "d06", "d08", "d09", "d10", "d17", "d18", "d19", "d21", "d22", "d24")


@pytest.mark.parametrize("case", CASES)
def test_every_case_that_wants_one_has_a_journal(case):
    assert [name for name in TABLE if name.startswith(case)]


@pytest.mark.parametrize("name", TABLE)
def test_a_scene_that_is_played_again_ends_as_it_was_recorded(name):
    """A journal is no relic: the server of today writes one that is judged alike."""
    again, recorded = SCENES[name]().judge(), judged(name)

    assert (again.word, again.charges) == (recorded.word, recorded.charges)
    assert (again.cause, again.hazard) == (recorded.cause, recorded.hazard)
