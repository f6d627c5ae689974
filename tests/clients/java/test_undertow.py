"""Undertow and XNIO themselves: what their retries do to a charge whose answer is lost."""

import pytest

TIMED_OUT, RESET, BUSY = "commit-then-timeout", "reset-after-commit", "503-before-commit"
BAD_GATEWAY = "gateway-502-after-commit"
CLEAN = ("clean", ())
ORPHAN = ("orphan", ())
TWICE = ("duplicate", ("fresh_key_per_attempt",))
SUFFIXED = ("duplicate", ("attempt_in_key",))
UNSAFE = {
    "undertow-callback": {TIMED_OUT: TWICE, RESET: TWICE},
    "undertow-helper": {TIMED_OUT: TWICE, RESET: TWICE},
    "undertow-dispatch": {TIMED_OUT: TWICE, RESET: TWICE},
    "undertow-suffix": {TIMED_OUT: SUFFIXED, RESET: SUFFIXED},
    "xnio-recursion": {TIMED_OUT: TWICE, RESET: CLEAN},
    "xnio-reference": {TIMED_OUT: TWICE, RESET: CLEAN},
}
"""OkHttp sends what was reset on a kept connection again by itself, with the key that it has."""


@pytest.mark.parametrize("system", UNSAFE)
def test_a_key_that_is_made_where_a_retry_passes_charges_twice(words, system):
    assert words(system, "unsafe", UNSAFE[system]) == UNSAFE[system]


@pytest.mark.parametrize("system", UNSAFE)
def test_a_key_that_is_made_before_what_is_retried_charges_once(words, system):
    assert words(system, "remedied", (TIMED_OUT, RESET)) == {TIMED_OUT: CLEAN, RESET: CLEAN}


def test_a_reference_that_only_the_first_attempt_can_fill_charges_once_by_accident(words):
    assert words("xnio-reference", "compare-and-set", [TIMED_OUT]) == {TIMED_OUT: CLEAN}


def test_the_callback_that_a_request_is_sent_with_hears_of_no_lost_answer(words):
    """A retry from there, as the article has it, is never made: the charge is an orphan."""
    assert words("undertow-callback", "published", [RESET]) == {RESET: ORPHAN}


def test_a_lost_answer_leaves_no_connection_to_send_the_retry_on(words):
    """Only an answer that leaves the connection open lets a retry charge twice there."""
    found = words("undertow-helper", "published", [RESET, BAD_GATEWAY])

    assert found == {RESET: ORPHAN, BAD_GATEWAY: TWICE}


def test_a_handler_that_returns_before_its_scheduled_retry_has_answered_200(words):
    """Undertow ends what is not dispatched: told paid, nothing charged, the retry not begun."""
    assert words("xnio-recursion", "undispatched", [BUSY]) == {BUSY: ("missing", ())}
