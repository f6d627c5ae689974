"""JAX-WS handlers behind Resilience4j: a retry passes them again, whoever holds the proxy."""

import pytest

SYSTEMS = ("jaxws-handler", "jaxws-singleton")
LOST = ("commit-then-timeout", "reset-after-commit")
TWICE = ("duplicate", ("fresh_key_per_attempt",))
CLEAN = ("clean", ())
FORGOTTEN = ("duplicate", ("key_older_than_retention",))
"""The duplicate of a server that has dropped the key: no key can help a client there."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_key_that_a_handler_makes_for_each_message_charges_twice(words, system):
    assert words(system, "unsafe", LOST) == dict.fromkeys(LOST, TWICE)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_key_that_is_made_outside_what_is_retried_charges_once_unless_stripe_forgets_it(
    words, system
):
    assert words(system, "remedied", ("late-commit", "key-after-retention")) == {
        "late-commit": CLEAN,
        "key-after-retention": FORGOTTEN,
    }


@pytest.mark.parametrize(("form", "told"), [("shared", TWICE), ("apart", CLEAN)])
def test_a_request_context_that_two_customers_share_gives_a_retry_the_key_of_the_other(
    words, form, told
):
    assert words("jaxws-singleton", form, LOST) == dict.fromkeys(LOST, told)
