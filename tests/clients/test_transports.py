"""What happens below the program: transports that resend, sockets that lie, agents that re-plan.

The counts are the server's; the words are those of ``fakestripe check``.
"""

import re

import pytest
from checking import check
from columns import Line
from driving import command, run
from rows import Row

RESET, CLOSE = "reset", "close"
SILENCE = "{hang: 3s}"
UNAVAILABLE = "{reply: {status: 503}}"


@pytest.fixture
def examined(tmp_path, tools):
    """Return a function that checks a program under one rule, and gives the whole check."""

    def examined(words, rule, *flags):
        profile = tmp_path / "rule.yaml"
        profile.write_text(f"name: rule\nrules:\n  - {{{rule}}}\nexpect: [clean]\n")
        environment = tools(words[0])
        return check(
            command(words), tmp_path, profiles=[profile], flags=flags, environment=environment
        )

    return examined


@pytest.fixture
def checked(examined):
    """Return a function that checks a program under one rule, and gives that run."""

    def checked(words, rule, *flags):
        return examined(words, rule, *flags).runs["rule"]

    return checked


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
def test_what_curl_tells_of_a_charge_that_it_resent_is_the_second_one_alone(fault, tools):
    line = Line(command(["curl.sh"]), tools("curl.sh"))

    ran = run(line, [Row(f"at: committed, do: {fault}", "reused")])
    first, second = ran.charges[0].posts

    assert (first.connection, second.connection) == (1, 2)
    assert (ran.said, ran.exit) == (f"0 ok {second.charge}", 0)


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_what_curl_resends_with_a_key_is_a_replay(checked, fault):
    run = checked(["curl.sh", "--reused", "--key", "K1"], reused(fault))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_both_copies_of_what_curl_resends_carry_its_key(fault, tools):
    line = Line(command(["curl.sh", "--key", "K1"]), tools("curl.sh"))

    ran = run(line, [Row(f"at: committed, do: {fault}", "reused")])
    first, second = ran.charges[0].posts

    assert (first.idempotency_key, second.idempotency_key) == ("K1", "K1")
    assert second.replayed_from == first.arrival
    assert (ran.said, ran.exit) == (f"0 ok {first.charge}", 0)


@pytest.mark.parametrize(("fault", "status"), [(RESET, 56), (CLOSE, 52)])
def test_curl_sends_once_on_a_fresh_connection_and_the_charge_is_orphaned(checked, fault, status):
    run = checked(["curl.sh"], first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)
    assert run.exits == (status,)


AGENT = ("http_agent.cjs", "--retry-reused")
WARM = (*AGENT, "--reused")


@pytest.mark.parametrize("point", ["received", "committed"])
def test_the_client_cannot_tell_a_reset_before_the_charge_from_one_after_it(point, tools):
    line = Line(command(AGENT), tools(AGENT[0]))

    ran = run(line, [Row(f"at: {point}, do: reset", "reused")])

    assert ran.said.splitlines()[0] == "ECONNRESET reused=true"
    assert [post.request_on_connection for post in ran.charges[0].posts] == [2, 1]


@pytest.mark.parametrize(("request_on_connection", "attempts"), [(1, 1), (2, 2), (3, 1)])
def test_a_reset_can_be_aimed_at_the_nth_request_of_a_connection(
    request_on_connection, attempts, checked
):
    """The charge is the second request of its connection; sent again, the first of another."""
    when = f"{{request_on_connection: {request_on_connection}, times: 1}}"

    assert checked(WARM, f"when: {when}, at: committed, do: reset").attempts == attempts


def test_a_reset_of_a_reused_socket_that_came_before_the_charge_is_harmless(checked):
    run = checked(WARM, reused(RESET, at="received"))

    assert (run.verdict, run.charges) == ("clean", 1)


def test_the_same_reset_after_the_charge_makes_a_second_one(checked):
    run = checked(WARM, reused(RESET))

    assert (run.verdict, run.charges, run.causes) == ("duplicate", 2, ("no_key",))


def test_the_same_reset_after_a_keyed_charge_is_a_replay(checked):
    run = checked([*WARM, "--key", "K1"], reused(RESET))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


@pytest.mark.parametrize("fault", [UNAVAILABLE, SILENCE, RESET])
def test_a_retry_adapter_without_keys_charges_twice(checked, fault):
    run = checked(["requests_session.py", "--retries", "any"], first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("duplicate", 2, 2)
    assert run.causes == ("no_key",)


@pytest.mark.parametrize("fault", [UNAVAILABLE, SILENCE, RESET])
def test_a_session_as_it_comes_sends_once_and_orphans_the_charge(checked, fault):
    run = checked(["requests_session.py"], first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)
    assert run.exits == (1,)


NODE_18 = ("stripe_node.cjs", "--package", "stripe-18", "--retries", "0")
NODE_23 = ("stripe_node.cjs", "--retries", "0")


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_zero_retries_of_an_older_library_still_retry_and_without_a_key(checked, fault):
    run = checked(NODE_18, first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("duplicate", 2, 2)
    assert run.causes == ("no_key",)


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_the_caller_of_an_older_library_gets_the_second_charge_of_two_without_keys(fault, tools):
    line = Line(command(NODE_18), tools(NODE_18[0]))

    ran = run(line, [Row(f"at: committed, do: {fault}")])
    first, second = ran.charges[0].posts

    assert (first.idempotency_key, second.idempotency_key) == (None, None)
    assert ran.said == f"0 ok {second.charge}"


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_zero_retries_of_the_current_library_retry_under_one_key(checked, fault):
    run = checked(NODE_23, first(fault))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


@pytest.mark.parametrize("fault", [RESET, CLOSE])
def test_the_key_of_the_current_library_is_its_own_and_the_same_twice(fault, tools):
    line = Line(command(NODE_23), tools(NODE_23[0]))

    ran = run(line, [Row(f"at: committed, do: {fault}")])
    first, second = ran.charges[0].posts

    assert first.idempotency_key.startswith("stripe-node-retry-")
    assert second.idempotency_key == first.idempotency_key
    assert ran.said == f"0 ok {first.charge}"


def test_zero_retries_of_an_older_library_give_up_at_a_silence(checked):
    run = checked(NODE_18, first(SILENCE))

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)
    assert run.exits == (1,)


STALLED = "when: {attempt: 1}, at: replying, do: {truncate: {body: 20, then: hang}}"


def test_a_body_that_stalls_is_retried_by_stripe_python(checked):
    run = checked(["stripe_module.py"], STALLED)

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)


def test_a_body_that_stalls_is_an_error_for_stripe_node(checked):
    run = checked(["stripe_node.cjs"], STALLED)

    assert (run.verdict, run.attempts, run.charges) == ("orphan", 1, 1)
    assert run.exits == (1,)


def test_a_client_that_hangs_on_a_stalled_body_is_ended_and_proves_nothing(checked):
    run = checked([*NODE_18, "--stay"], STALLED, "--timeout", "4s")

    assert (run.verdict, run.attempts, run.charges) == ("inconclusive", 1, 1)
    assert "client_hung" in run.reasons
    assert run.exits == (None,)


def test_an_agent_that_replans_with_a_key_made_in_its_tool_charges_twice(examined):
    """Its first call is still in flight: to the server that is another sender, no retry."""
    found = examined(["agent.py", "--key-from", "call"], first("{wait: 6s}"))
    run = found.runs["rule"]

    assert (run.verdict, run.attempts, run.charges) == ("duplicate", 2, 2)
    assert run.causes == ("replicas",)
    [one, other] = re.findall(r"POST /v1/charges .* key (\S+)", found.printed)
    assert one != other
    assert re.search(r"#2 +\+[234]\.\d+ s", found.printed)


def test_an_agent_that_replans_with_the_key_of_its_task_charges_once(checked):
    run = checked(["agent.py", "--key-from", "task"], first("{wait: 6s}"))

    assert (run.verdict, run.attempts, run.charges) == ("clean", 2, 1)
