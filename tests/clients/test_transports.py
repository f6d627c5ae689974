"""What happens below the program: transports that resend, sockets that lie, agents that re-plan.

The counts are the server's; the words are those of ``fakestripe check``.
"""

import pytest
from checking import check
from driving import command, drive, struck

RESET, CLOSE = "reset", "close"
SILENCE = "{hang: 3s}"
UNAVAILABLE = "{reply: {status: 503}}"


@pytest.fixture
def checked(tmp_path, tools):
    """Return a function that checks a program under one rule, and gives that run."""

    def run(words, rule, *flags):
        profile = tmp_path / "rule.yaml"
        profile.write_text(f"name: rule\nrules:\n  - {{{rule}}}\nexpect: [clean]\n")
        environment = tools(words[0])
        found = check(
            command(words), tmp_path, profiles=[profile], flags=flags, environment=environment
        )
        return found.runs["rule"]

    return run


def first(fault, at="committed"):
    return f"when: {{attempt: 1}}, at: {at}, do: {fault}"


def reused(fault, at="committed"):
    return f"when: {{attempt: 1, connection: reused}}, at: {at}, do: {fault}"


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_curl_resends_a_keyless_charge_by_itself_on_a_reused_connection(checked, fault):
    run = checked(["curl.sh", "--reused"], reused(fault))

    assert (run.verdict, run.charges, run.causes) == ("duplicate", 2, ("transport_resend",))
    assert run.exits == (0,)


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_what_curl_resends_with_a_key_is_a_replay(checked, fault):
    run = checked(["curl.sh", "--reused", "--key", "K1"], reused(fault))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


@pytest.mark.parametrize(("fault", "status"), [(RESET, 56), (CLOSE, 52)])
def test_curl_sends_once_on_a_fresh_connection_and_the_charge_is_orphaned(checked, fault, status):
    run = checked(["curl.sh"], first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)
    assert run.exits == (status,)


AGENT = "keep_alive_agent.cjs"


@pytest.mark.parametrize("point", ["received", "committed"])
def test_the_client_cannot_tell_a_reset_before_the_charge_from_one_after_it(point, tools):
    reset = struck(f"at: {point}, do: reset", when="{attempt: 1, connection: reused}")

    driven = drive([AGENT], reset, tools(AGENT))

    assert driven.said.splitlines()[0] == "ECONNRESET reused=true"
    assert [post.request_on_connection for post in driven.posts] == [2, 1]


def test_a_reset_of_a_reused_socket_that_came_before_the_charge_is_harmless(checked):
    run = checked([AGENT], reused(RESET, at="received"))

    assert (run.verdict, run.charges) == ("clean", 1)


def test_the_same_reset_after_the_charge_makes_a_second_one(checked):
    run = checked([AGENT], reused(RESET))

    assert (run.verdict, run.charges, run.causes) == ("duplicate", 2, ("no_key",))


def test_the_same_reset_after_a_keyed_charge_is_a_replay(checked):
    run = checked([AGENT, "--key", "K1"], reused(RESET))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


@pytest.mark.parametrize("fault", [UNAVAILABLE, SILENCE, RESET])
def test_a_retry_adapter_without_keys_charges_twice(checked, fault):
    run = checked(["requests_session.py", "--retry-adapter"], first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("duplicate", 2, 2)
    assert run.causes == ("no_key",)


@pytest.mark.parametrize("fault", [UNAVAILABLE, SILENCE, RESET])
def test_a_session_as_it_comes_sends_once_and_orphans_the_charge(checked, fault):
    run = checked(["requests_session.py"], first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)


NODE_18 = ("stripe_node.cjs", "--package", "stripe-18", "--retries", "0")
NODE_23 = ("stripe_node.cjs", "--retries", "0")


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_zero_retries_of_an_older_library_still_retry_and_without_a_key(checked, fault):
    run = checked(NODE_18, first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("duplicate", 2, 2)
    assert run.causes == ("no_key",)


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_zero_retries_of_the_current_library_retry_under_one_key(checked, fault):
    run = checked(NODE_23, first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


def test_zero_retries_of_an_older_library_give_up_at_a_silence(checked):
    run = checked(NODE_18, first(SILENCE))

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)


STALLED = "when: {attempt: 1}, at: replying, do: {truncate: {body: 20, then: hang}}"


def test_a_body_that_stalls_is_retried_by_stripe_python(checked):
    run = checked(["stripe_module.py"], STALLED)

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


def test_a_body_that_stalls_is_an_error_for_stripe_node(checked):
    run = checked(["stripe_node.cjs"], STALLED)

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)


def test_a_client_that_hangs_on_a_stalled_body_is_ended_and_proves_nothing(checked):
    run = checked([*NODE_18, "--stay"], STALLED, "--timeout", "4s")

    assert (run.verdict, run.attempts, run.charges) == ("inconclusive", 1, 1)
    assert "client_hung" in run.reasons
    assert run.exits == (None,)


def test_an_agent_that_replans_with_a_key_made_in_its_tool_charges_twice(checked):
    """Its first call is still in flight: to the server that is another sender, no retry."""
    run = checked(["agent.py", "--key-from", "call"], first("{wait: 3s}"))

    assert (run.verdict, run.attempts, run.charges) == ("duplicate", 2, 2)
    assert run.causes == ("replicas",)


def test_an_agent_that_replans_with_the_key_of_its_task_charges_once(checked):
    run = checked(["agent.py", "--key-from", "task"], first("{wait: 3s}"))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)
