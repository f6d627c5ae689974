"""Hangs and barriers are held within bounds; nothing else of a profile changes."""

from fakestripe.faults.kinds import Barrier, Hang, Reset, Truncate, Wait
from fakestripe.faults.limits import capped, gathered
from fakestripe.faults.rules import Profile, Rule


def profile(*faults):
    return Profile("p", rules=(Rule("p#0", "committed", faults), Rule("p#1", "sent", (Reset(),))))


def test_no_hang_is_longer_than_the_cap():
    long = profile(Wait(9.0), Hang(30.0))

    assert capped(long, 3.0) == profile(Wait(9.0), Hang(3.0))
    assert capped(profile(Hang()), 3.0) == profile(Hang(3.0))
    assert capped(profile(Hang(1.0)), 3.0) == profile(Hang(1.0))


def test_silence_in_a_body_is_a_hang_too():
    silent = profile(Truncate(body=0.5, then="hang", hang=30.0))

    assert capped(silent, 3.0) == profile(Truncate(body=0.5, then="hang", hang=3.0))
    assert capped(profile(Truncate(body=0.5)), 3.0) == profile(Truncate(body=0.5))


def test_no_barrier_waits_for_more_than_the_replicas():
    assert gathered(profile(Barrier(5, 2.0)), 3) == profile(Barrier(3, 2.0))
    assert gathered(profile(Barrier(2, 2.0)), 3) == profile(Barrier(2, 2.0))
