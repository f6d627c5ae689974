"""What happens between two ends: a proxy that sends once more, an answer that trickles or lies."""

import json

import pytest

from fakestripe.faults.kinds import Close, ContentLength, Drip, Resend, Reset, Truncate, Wait


def facts(attempt):
    return attempt.connection, attempt.outcome, attempt.delivery, attempt.key_state


@pytest.mark.parametrize(("at", "kept"), [("received", 1), ("claimed", 1), ("committed", 2)])
def test_without_a_key_what_was_committed_before_the_resend_is_committed_twice(
    served_both_ways, at, kept
):
    served = served_both_ways
    served.fault(at, Resend(), attempt=(1,))
    status, _, body = served.raw().send().answer()

    assert (status, served.charges) == (200, kept)
    first, second = served.attempts
    assert facts(first) == (1, "lost", "none", "absent")
    assert facts(second) == (2, "answered", "intact", "absent")
    assert json.loads(body)["id"] == second.charge
    assert first.digest == second.digest


def test_with_a_key_the_answer_is_the_replay_of_the_second_arrival(served_both_ways):
    served = served_both_ways
    served.fault("committed", Resend(), attempt=(1,))
    client = served.raw().send(idempotency_key="K1")
    status, headers, body = client.answer()

    assert (status, headers["idempotent-replayed"], served.charges) == (200, "true", 1)
    first, second = served.attempts
    assert facts(first) == (1, "lost", "none", "new")
    assert facts(second) == (2, "answered", "intact", "replay")
    assert json.loads(body)["id"] == first.charge == second.charge
    assert client.send(idempotency_key="K1").answer()[2] == body
    assert facts(served.attempts[2]) == (1, "answered", "intact", "replay")


@pytest.mark.parametrize("at", ["received", "claimed", "committed"])
def test_a_proxy_sends_once_more_and_not_for_ever(served, at):
    """Where the rule strikes every arrival, that of a proxy's second copy is let through."""
    served.fault(at, Resend())

    assert served.raw().send().answer()[0] == 200
    assert len(served.attempts) == 2


def test_a_client_that_left_before_the_resend_changes_nothing_of_it(served):
    served.fault("committed", Wait(5, until_left=True), Resend(), attempt=(1,))
    client = served.raw().send()
    served.until(lambda: bool(served.attempts) and served.attempts[0].last_point == "committed")
    client.close()
    served.until(lambda: len(served.attempts) == 2 and served.attempts[1].ended_s is not None)

    assert served.charges == 2
    assert [attempt.delivery for attempt in served.attempts] == ["none", "none"]


@pytest.mark.parametrize(("at", "kept"), [("received", 0), ("claimed", 0), ("committed", 1)])
def test_a_request_executes_after_its_client_has_left(served_both_ways, at, kept):
    """The late arrival: the client gives up, and is charged afterwards."""
    served = served_both_ways
    served.fault(at, Wait(5, until_left=True), attempt=(1,))
    client = served.raw().send(idempotency_key="K1")
    served.until(lambda: bool(served.attempts) and served.attempts[0].last_point == at)
    assert served.charges == kept
    client.close()
    served.until(lambda: served.attempts[0].ended_s is not None)

    assert served.charges == 1
    assert (served.attempts[0].delivery, served.attempts[0].bytes_sent) == ("none", 0)
    assert served.attempts[0].left_s is not None
    assert served.raw().send(idempotency_key="K1").answer()[1]["idempotent-replayed"] == "true"


def test_a_reply_drips_in_pieces_of_one_size(served_both_ways):
    served = served_both_ways
    served.fault("replying", Drip(1000, 0.02))
    client = served.raw().send(idempotency_key="K1")
    pieces = []
    while not client.data.endswith(b"\n}"):
        pieces.append(client._some())
        client.data += pieces[-1]

    assert len(pieces) > 2
    assert {len(piece) % 1000 for piece in pieces[:-1]} == {0}
    served.until(lambda: served.attempts[0].ended_s is not None)
    assert served.attempts[0].bytes_sent == len(client.data)


def test_a_client_that_leaves_while_it_drips_got_a_part(served_both_ways):
    served = served_both_ways
    served.fault("replying", Drip(100, 0.01))
    client = served.raw().send()
    client._some()
    client.close()
    served.until(lambda: served.attempts[0].ended_s is not None)

    first = served.attempts[0]
    assert first.note is None
    assert (first.delivery, first.outcome, first.last_point) == ("partial", "lost", "replying")
    assert first.left_s is not None


@pytest.mark.parametrize(
    ("at", "fault"),
    [
        ("committed", Reset()),
        ("committed", Close()),
        ("replying", Truncate(body=100, then="reset")),
        ("replying", Drip(1000, 0.001)),
    ],
)
def test_clients_that_leave_while_a_fault_strikes_are_no_bug_of_ours(served_both_ways, at, fault):
    """A reset waits ten milliseconds for a client to read: long enough to leave."""
    served = served_both_ways
    served.fault(at, fault)
    for number in range(20):
        served.raw().send(idempotency_key=f"K{number}").close()
    served.until(
        lambda: len(served.attempts) == 20 and all(each.ended_s for each in served.attempts)
    )

    assert {(each.outcome, each.note) for each in served.attempts} <= {
        ("lost", None),
        ("answered", None),
    }
    assert served.server.call(lambda: served.account.bank.journal.bugs) == []


def test_a_length_too_long_takes_the_next_answer_for_the_rest_of_this_one(served_both_ways):
    served = served_both_ways
    served.fault("replying", ContentLength(1.1), attempt=(1,))
    client = served.raw().send(idempotency_key="K1")
    while not client.data.endswith(b"\n}"):
        client.data += client._some()
    first = client.data.partition(b"\r\n\r\n")[2]
    status, headers, body = client.send(idempotency_key="K1").answer()

    assert (status, int(headers["content-length"])) == (200, int(len(first) * 1.1))
    assert body[: len(first)] == first
    assert body[len(first) :].startswith(b"HTTP/1.1 200 OK\r\nServer: nginx\r\n")


def test_a_length_too_short_begins_the_next_answer_with_the_rest_of_this_one(served_both_ways):
    served = served_both_ways
    served.fault("replying", ContentLength(100), attempt=(1,))
    client = served.raw().send(idempotency_key="K1")
    _, _, first = client.answer()
    while not client.data.endswith(b"\n}"):
        client.data += client._some()
    rest = client.data
    client.send(idempotency_key="K2")

    assert len(first) == 100
    assert json.loads(first + rest)["object"] == "charge"
    assert served.raw().send(idempotency_key="K1").answer()[2] == first + rest


@pytest.mark.parametrize(("fault", "ended"), [(Reset(), "RST"), (Close(), "FIN")])
def test_a_request_on_a_connection_that_ended_while_idle_never_arrives(
    served_both_ways, fault, ended
):
    served = served_both_ways
    served.fault("sent", fault, attempt=(1,))
    client = served.raw().send(idempotency_key="K1")
    assert client.answer()[0] == 200
    assert client.end() == ended
    client.send(idempotency_key="K2")

    assert len(served.attempts) == 1
    assert served.raw().send(idempotency_key="K2").answer()[0] == 200
    assert served.charges == 2
