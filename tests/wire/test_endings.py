"""What a raw client sees of a connection that a fault ends, and what the ledger keeps."""

import pytest

from fakestripe.faults.kinds import Close, Hang, Reset, Wait


@pytest.mark.parametrize("fault", [Reset(), Close(), Hang(0.01)])
@pytest.mark.parametrize(("point", "kept"), [("received", 0), ("claimed", 0), ("committed", 1)])
def test_before_the_commit_nothing_stays_and_after_it_everything(
    served, fault, point, kept
) -> None:
    served.fault(point, fault, attempt=(1,))
    first = served.raw()
    ended = first.send(idempotency_key="K1").end()
    status, headers, _ = served.raw().send(idempotency_key="K1").answer()

    assert ended == ("RST" if fault == Reset() else "FIN")
    assert first.data == b""
    assert status == 200
    assert ("idempotent-replayed" in headers) == (kept == 1)
    assert served.charges == 1
    assert [a.last_point for a in served.attempts] == [point, "sent"]
    assert [a.outcome for a in served.attempts] == ["lost", "answered"]


def test_a_fault_after_the_reply_ends_an_idle_connection(served) -> None:
    served.fault("sent", Reset(), attempt=(1,))
    client = served.raw()
    status, _, _ = client.send().answer()

    assert status == 200
    assert client.end() == "RST"


def test_a_reset_on_a_reused_connection_alone(served) -> None:
    """The stale keep-alive: the request arrives on a used connection and dies unread."""
    served.fault("received", Reset(), connection="reused")
    client = served.raw()
    assert client.send(idempotency_key="K1").answer()[0] == 200

    assert client.send(idempotency_key="K2").end() == "RST"
    assert served.charges == 1
    assert served.raw().send(idempotency_key="K2").answer()[0] == 200
    assert served.charges == 2


def test_a_wait_answers_afterwards_on_the_same_connection(served) -> None:
    served.fault("committed", Wait(0.05), attempt=(1,))
    client = served.raw()

    assert client.send().answer()[0] == 200
    assert client.send().answer()[0] == 200


def test_the_exchange_of_a_client_that_left_runs_to_its_end(served) -> None:
    """Law 2: a wait at ``claimed`` commits although nobody is there any more."""
    served.fault("claimed", Wait(0.05), attempt=(1,))
    gone = served.raw()
    gone.send(idempotency_key="K1")
    gone.close()
    served.until(lambda: bool(served.attempts) and served.attempts[0].ended_s is not None)
    status, headers, _ = served.raw().send(idempotency_key="K1").answer()

    assert (status, headers["idempotent-replayed"]) == (200, "true")
    assert served.attempts[0].delivery == "none"
    assert served.attempts[0].left_s is not None


def test_a_hang_ends_when_the_client_leaves(served) -> None:
    served.fault("committed", Hang(), attempt=(1,))
    client = served.raw()
    client.send()
    served.until(lambda: bool(served.attempts) and served.attempts[0].last_point == "committed")
    client.close()
    served.until(lambda: served.attempts[0].ended_s is not None)

    assert served.attempts[0].left_s is not None
    assert served.attempts[0].outcome == "lost"
