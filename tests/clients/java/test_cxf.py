"""Apache CXF itself: what retries around its interceptors do to a charge whose answer is lost."""

import pytest
from checking import check
from services import FLAGS

SYSTEMS = ("cxf-interceptor", "cxf-async")
LOST = ("commit-then-timeout", "reset-after-commit")
TWICE = ("duplicate", ("fresh_key_per_attempt",))
CLEAN = ("clean", ())
FORGOTTEN = ("duplicate", ("key_older_than_retention",))
"""The duplicate of a server that has dropped the key: no key can help a client there."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_key_that_an_interceptor_makes_for_each_message_charges_twice(words, system):
    assert words(system, "unsafe", LOST) == dict.fromkeys(LOST, TWICE)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_key_that_is_made_before_the_first_message_charges_once_unless_stripe_forgets_it(
    words, system
):
    assert words(system, "remedied", ("late-commit", "key-after-retention")) == {
        "late-commit": CLEAN,
        "key-after-retention": FORGOTTEN,
    }


def test_an_interceptor_that_is_handed_over_as_a_provider_never_runs(words):
    assert words("cxf-async", "provider", LOST) == dict.fromkeys(LOST, ("duplicate", ("no_key",)))


@pytest.mark.parametrize(
    ("form", "word", "charges"), [("shared", "duplicate", 4), ("apart", "clean", 2)]
)
def test_a_header_of_a_shared_client_keeps_the_key_of_whom_it_served_before(
    services, tmp_path, form, word, charges
):
    found = check(
        services.command("cxf-async", form),
        tmp_path,
        profiles=["reset-after-commit"],
        flags=(*FLAGS, "--replicas", "2"),
    )

    [run] = found.runs.values()
    assert (run.verdict, run.charges) == (word, charges)


@pytest.mark.parametrize(
    ("retry_post", "told"), [("true", CLEAN), ("false", TWICE)], ids=["as-it-comes", "told-not-to"]
)
def test_a_conduit_on_httpurlconnection_sends_a_post_again_below_the_interceptor(
    words, monkeypatch, retry_post, told
):
    conduit = "-Dorg.apache.cxf.transport.http.forceURLConnection=true"
    monkeypatch.setenv("JDK_JAVA_OPTIONS", f"{conduit} -Dsun.net.http.retryPost={retry_post}")

    assert words("cxf-async", "unsafe", ["reset-after-commit"]) == {"reset-after-commit": told}
