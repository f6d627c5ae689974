"""The table of faults and points, walked: what is legal happens there, what is not is refused.

A fault before ``received`` never meets an exchange that executes: it is seen through sockets.
"""

import pytest

from fakestripe.exchange import Exchange
from fakestripe.faults import kinds
from fakestripe.faults.kinds import FINAL, LEGAL
from fakestripe.faults.plan import EARLY
from fakestripe.faults.rules import DEFAULTS, MONEY, Profile, Rule
from fakestripe.profiles import ProfileError, parse
from fakestripe.protocol import effects
from fakestripe.protocol.points import POINTS

SAMPLES = {
    "refuse": kinds.Refuse(2.0),
    "blackhole": kinds.Blackhole(2.0),
    "reset": kinds.Reset(),
    "close": kinds.Close(),
    "hang": kinds.Hang(30.0),
    "wait": kinds.Wait(2.0),
    "barrier": kinds.Barrier(3),
    "resend": kinds.Resend(),
    "reply": kinds.Reply(status=502),
    "truncate": kinds.Truncate(body=0.5),
    "drip": kinds.Drip(10, 0.1),
    "garble": kinds.Garble(0.5),
    "content_length": kinds.ContentLength(1.5),
    "swap": kinds.Swap(),
    "advance_clock": kinds.AdvanceClock(90_000.0),
    "forget_key": kinds.ForgetKey(),
    "expire_key": kinds.ExpireKey(),
    "lose_record": kinds.LoseRecord(),
}
WRITTEN = {
    "refuse": "{refuse: 2s}",
    "blackhole": "{blackhole: {for: 2s}}",
    "reset": "reset",
    "close": "close",
    "hang": "{hang: 30s}",
    "wait": "{wait: 2s}",
    "barrier": "{barrier: {parties: 3}}",
    "resend": "resend",
    "reply": "{reply: {status: 502}}",
    "truncate": "{truncate: {body: 50%}}",
    "drip": "{drip: {bytes: 10, every: 100ms}}",
    "garble": "garble",
    "content_length": "{content_length: 150%}",
    "swap": "swap",
    "advance_clock": "{advance_clock: 25h}",
    "forget_key": "forget_key",
    "expire_key": "expire_key",
    "lose_record": "lose_record",
}
ON_THE_WIRE = {
    "reset": effects.Reset,
    "close": effects.Close,
    "hang": effects.Hang,
    "wait": effects.Wait,
    "barrier": effects.Barrier,
    "resend": effects.Resend,
    "truncate": effects.Cut,
    "drip": effects.Drip,
    "garble": effects.Send,
    "content_length": effects.Misframe,
    "swap": effects.Send,
}
PAIRS = [(name, point) for name in LEGAL for point in POINTS]
LEGAL_PAIRS = [(name, point) for name, point in PAIRS if point in LEGAL[name]]
ILLEGAL_PAIRS = [(name, point) for name, point in PAIRS if point not in LEGAL[name]]
EXECUTED_PAIRS = [(name, point) for name, point in LEGAL_PAIRS if point not in EARLY]
COMMITTED = ("committed", "replying", "sent")


def profile_of(name, point):
    rule = Rule("p#0", point, (SAMPLES[name],), DEFAULTS.get(point, MONEY))
    return Profile(name="p", rules=(rule,))


def test_every_fault_has_a_row_in_the_table():
    assert set(LEGAL) == {kinds.tag(fault) for fault in SAMPLES.values()} == set(WRITTEN)
    assert set(FINAL) < set(LEGAL)


def test_at_every_point_something_can_strike():
    assert frozenset().union(*LEGAL.values()) == set(POINTS)


@pytest.mark.parametrize(("name", "point"), LEGAL_PAIRS)
def test_a_legal_fault_is_written_as_it_is_named(name, point):
    written = parse(f"name: p\nrules:\n  - at: {point}\n    do: {WRITTEN[name]}\n", "p.yaml")

    assert written.rules == profile_of(name, point).rules


@pytest.mark.parametrize(("name", "point"), ILLEGAL_PAIRS)
def test_a_fault_at_an_impossible_point_is_refused(name, point):
    with pytest.raises(ProfileError) as refused:
        parse(f"name: p\nrules:\n  - at: {point}\n    do: {WRITTEN[name]}\n", "p.yaml")

    assert str(refused.value).startswith(
        f"p.yaml:4:9: rules[0].do: {name} cannot strike at {point}; it can at "
    )


@pytest.mark.parametrize(("name", "point"), EXECUTED_PAIRS)
def test_a_legal_fault_happens_at_its_point_and_is_journalled(name, point, wire):
    struck = wire(profile_of(name, point)).arrive(key="K1")

    assert struck.attempt.rules == ("p#0",)
    assert len(struck.attempt.faults) == 1
    assert struck.attempt.faults[0].startswith(name)
    if name in ON_THE_WIRE:
        assert [e for e in struck.effects if isinstance(e, ON_THE_WIRE[name])]
    if name in ("reset", "close", "hang"):
        assert struck.attempt.last_point == point


@pytest.mark.parametrize(("name", "point"), [p for p in EXECUTED_PAIRS if p[0] in FINAL])
def test_what_ends_an_exchange_keeps_the_charge_from_the_commit_on(name, point, wire):
    port = wire(profile_of(name, point))

    port.arrive(key="K1")

    assert len(port.charges) == (1 if point in COMMITTED else 0)


@pytest.mark.parametrize(("name", "point"), [p for p in EXECUTED_PAIRS if p[0] in FINAL])
def test_a_retry_with_the_same_key_never_charges_again(name, point, wire):
    port = wire(profile_of(name, point))
    port.arrive(key="K1")
    port.profile = Profile(name="none")

    retried = port.arrive(key="K1")

    assert retried.reply.status == 200
    assert len(port.charges) == 1
    assert retried.attempt.key_state == ("replay" if point in COMMITTED else "new")


def test_a_rule_is_used_up_and_journalled_before_it_acts(wire):
    port = wire(profile_of("hang", "committed"))
    steps = Exchange(port.request(key="K1"), port.bank, port.profile).run()

    assert isinstance(next(steps), effects.Hang)
    assert port.bank.fired == {"p#0": 1}
    assert port.bank.journal.attempts[0].faults == ("hang 30s",)
    steps.close()
