"""Windows in which a port refuses connections, or lets nobody in and says nothing."""

import socket
from contextlib import suppress

import pytest

from fakestripe.faults.kinds import Blackhole, Refuse
from fakestripe.faults.rules import EVERY, FAULT_FREE, Profile, Rule
from fakestripe.faults.wording import shown

LONG = 60.0


@pytest.fixture
def windows(served_both_ways):
    """A served account with windows, in the order of their rules."""

    def use(*faults):
        rules = tuple(
            Rule(f"window#{place}", "listen", (fault,), EVERY)
            for place, fault in enumerate(faults)
        )
        served = served_both_ways
        served.server.call(lambda: served.server.port.accounts.use(Profile("windows", rules)))
        return served

    return use


def place_of(served) -> tuple[str, int]:
    host, port = served.server.url.partition("://")[2].split(":")
    return host, int(port)


def refused(served) -> bool:
    with suppress(ConnectionRefusedError), socket.create_connection(place_of(served), 5):
        return False
    return True


def swallowed(served) -> bool:
    """Whether a connection is still under way after a moment, and neither made nor refused."""
    with suppress(TimeoutError), socket.create_connection(place_of(served), 0.05):
        return False
    return True


def lines(served) -> list[tuple[str, str, bool]]:
    found = served.server.call(lambda: list(served.account.bank.journal.events))
    return [
        (line["rule"], line["fault"], line["until_s"] is not None)
        for line in found
        if line["kind"] == "listen"
    ]


def test_a_port_refuses_for_its_time_and_then_serves(windows) -> None:
    served = windows(Refuse(0.2))

    assert refused(served)
    served.until(lambda: lines(served) == [("window#0", "refuse for 200ms", True)])
    assert served.raw().send().answer()[0] == 200


def test_a_port_swallows_connections_for_its_time_and_then_serves(windows) -> None:
    served = windows(Blackhole(0.3))

    assert [swallowed(served) for _ in range(3)] == [True] * 3
    served.until(lambda: lines(served) == [("window#0", "blackhole for 300ms", True)])
    assert served.raw().send().answer()[0] == 200
    assert [attempt.connection for attempt in served.attempts] == [1]


@pytest.mark.parametrize("fault", [Refuse(LONG), Blackhole(LONG)])
def test_connections_that_are_there_live_on(windows, fault) -> None:
    served = windows()
    before = served.raw().send()
    before.answer()
    windows(fault)

    assert refused(served) if isinstance(fault, Refuse) else swallowed(served)
    assert before.send().answer()[0] == 200


@pytest.mark.parametrize("fault", [Refuse(LONG), Blackhole(LONG)])
def test_another_profile_ends_a_window(windows, fault) -> None:
    served = windows(fault)
    served.server.call(lambda: served.server.port.accounts.use(FAULT_FREE))

    assert served.raw().send().answer()[0] == 200


@pytest.mark.parametrize("fault", [Refuse(LONG), Blackhole(LONG)])
def test_stopping_in_a_window_leaves_the_port_free(windows, fault) -> None:
    served = windows(fault)
    served.server.stop()

    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(place_of(served))
        again.listen()


def test_nobody_else_gets_a_port_that_refuses(windows) -> None:
    served = windows(Refuse(LONG))

    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with pytest.raises(OSError, match="Address already in use"):
            other.bind(place_of(served))
    served.server.call(lambda: served.server.port.accounts.use(FAULT_FREE))
    assert served.raw().send().answer()[0] == 200


def test_a_window_begins_so_long_after_its_profile(windows) -> None:
    window = Refuse(LONG, after=0.2)
    served = windows(window)

    assert served.raw().send().answer()[0] == 200
    assert lines(served) == []
    served.until(lambda: lines(served) == [("window#0", shown(window), False)])
    assert refused(served)


def test_one_window_follows_another(windows) -> None:
    served = windows(Refuse(0.2), Blackhole(LONG, after=0.2))

    assert refused(served)
    served.until(lambda: len(lines(served)) == 2)
    assert swallowed(served)
    assert [closed for _, _, closed in lines(served)] == [True, False]


def test_a_rule_has_fired_when_its_window_opens(windows) -> None:
    served = windows(Refuse(LONG), Refuse(LONG, after=LONG))

    assert served.account.bank.fired == {"window#0": 1}
