"""Undertow and XNIO themselves: what their retries do to a charge whose answer is lost.

The whole table is that of ``test_systems``; here is what takes seconds.
"""

import pytest
from checking import check
from services import FLAGS

TIMED_OUT, RESET, BAD_GATEWAY = (
    "commit-then-timeout",
    "reset-after-commit",
    "gateway-502-after-commit",
)
CLEAN = ("clean", ())
TWICE = ("duplicate", ("fresh_key_per_attempt",))
SUFFIXED = ("duplicate", ("attempt_in_key",))
UNSAFE = {
    "undertow-callback": {RESET: TWICE, BAD_GATEWAY: TWICE},
    "undertow-helper": {RESET: TWICE, BAD_GATEWAY: TWICE},
    "undertow-dispatch": {RESET: TWICE, BAD_GATEWAY: TWICE},
    "undertow-suffix": {RESET: SUFFIXED, BAD_GATEWAY: SUFFIXED},
    "xnio-recursion": {RESET: CLEAN, BAD_GATEWAY: TWICE},
    "xnio-reference": {RESET: CLEAN, BAD_GATEWAY: TWICE},
}
"""OkHttp sends what was reset on a kept connection again by itself, with the key that it has."""


@pytest.mark.parametrize("system", UNSAFE)
def test_a_key_that_is_made_where_a_retry_passes_charges_twice(words, system):
    assert words(system, "unsafe", UNSAFE[system]) == UNSAFE[system]


@pytest.mark.parametrize("system", UNSAFE)
def test_a_key_that_is_made_before_what_is_retried_charges_once(words, system):
    profiles = (RESET, BAD_GATEWAY)

    assert words(system, "remedied", profiles) == dict.fromkeys(profiles, CLEAN)


def test_a_client_of_undertow_that_is_told_no_time_out_waits_for_ever(services, tmp_path):
    """The article's is told none, so no exception ends the wait that is to be retried."""
    found = check(
        services.command("undertow-callback", "published"),
        tmp_path,
        profiles=[TIMED_OUT],
        flags=FLAGS,
    )

    said = " ".join(found.printed.split())
    assert "waited until the server gave up, and never timed out" in said
