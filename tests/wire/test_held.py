"""Who is held is let go by its own client, its own reset, and nobody else's."""

import pytest

from fakestripe.faults.kinds import Hang, Resend, Wait
from fakestripe.faults.rules import EVERY, Profile, Rule, When
from fakestripe.server.control.home import settle

WHILE_HELD = 3000
"""Requests that follow a held one on its connection: more than a server takes in advance."""


def ended(served, place: int) -> bool:
    attempts = served.attempts
    return len(attempts) > place and attempts[place].ended_s is not None


def test_a_wait_of_a_client_that_left_is_not_cut_short_by_a_neighbour_that_leaves(
    served_both_ways,
) -> None:
    """The one waits for its time alone; that another waits for its client is no matter of it."""
    served = served_both_ways
    waits = Rule("p#0", "received", (Wait(3600),), EVERY, When(nth=(1,)))
    hangs = Rule("p#1", "received", (Hang(),), EVERY, When(nth=(2,)))
    served.server.call(lambda: served.account.use(Profile("p", (waits, hangs))))
    for place in range(2):
        client = served.raw().send()
        served.until(lambda place=place: len(served.attempts) == place + 1)
        client.close()
    served.until(lambda: ended(served, 1))

    assert served.attempts[0].ended_s is None
    assert served.charges == 0


@pytest.mark.parametrize("at", ["received", "committed"])
def test_a_client_that_leaves_is_noticed_though_nothing_of_it_is_read(served, at) -> None:
    """What it sent behind its request fills the memory, and its FIN stands behind that."""
    served.fault(at, Hang())
    client = served.raw().send()
    client.write(b"GET /v1/balance HTTP/1.1\r\nhost: x\r\n\r\n" * WHILE_HELD)
    served.until(lambda: len(served.attempts) == 1)
    client.close()

    served.until(lambda: ended(served, 0))
    assert served.attempts[0].left_s is not None


def test_what_was_held_at_a_reset_is_sent_once_more_to_nobody(served) -> None:
    """Its account has been forgotten: a second delivery would be a charge that nobody made."""
    served.fault("received", Wait(3600), Resend())
    served.raw().send()
    served.until(lambda: len(served.attempts) == 1)
    port = served.server.port
    served.server.call(lambda: (port.accounts.reset(served.account), port.wake_all()))
    served.until(lambda: served.server.call(lambda: not port._running))

    assert [list(a.bank.journal.attempts) for a in port.accounts] in ([], [[]])


def test_a_verdict_waits_for_what_a_proxy_is_to_send_once_more(served) -> None:
    """Its client has left after the commit, and the second copy commits once more."""
    served.fault("committed", Wait(0.2), Resend(), attempt=(1,))
    client = served.raw().send()
    served.until(lambda: bool(served.attempts) and served.attempts[0].last_point == "committed")
    client.close()
    settle(served.server, served.server.port)

    assert served.charges == 2
