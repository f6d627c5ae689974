"""The faults of the model: every point and effect, once and for ever, and a few pairs."""

from fakestripe.faults import rules
from fakestripe.faults.rules import Profile, Rule, Settings, When

ONCE = When(attempt=(1,))
TWICE = When(attempt=(1, 2))
SECOND = When(attempt=(2,))
EVER = When()


def _profile(name, *do, settings=Settings()):
    built = tuple(
        Rule(name=f"{name}#{n}", at=at, do=tuple(faults), when=when)
        for n, (at, faults, when) in enumerate(do)
    )
    return Profile(name=name, rules=built, settings=settings)


RESET, CLOSE = rules.Reset(), rules.Close()
HANG = rules.Hang(30.0)
LATE = rules.Wait(4.0)
SHORT = rules.Wait(0.3)


def status(number, **more):
    return rules.Reply(status=number, **more)


def stripe(name, **more):
    return rules.Reply(stripe=name, **more)


FAULTS = {
    profile.name: profile
    for profile in (
        _profile("none"),
        _profile("received-reset", ("received", [RESET], ONCE)),
        _profile("received-close", ("received", [CLOSE], ONCE)),
        _profile("received-hang", ("received", [HANG], ONCE)),
        _profile("received-503", ("received", [status(503)], ONCE)),
        _profile("received-429", ("received", [stripe("rate_limit")], ONCE)),
        _profile("received-late", ("received", [LATE], ONCE)),
        _profile("claimed-reset", ("claimed", [RESET], ONCE)),
        _profile("claimed-late", ("claimed", [LATE], ONCE)),
        _profile("claimed-short", ("claimed", [SHORT], ONCE)),
        _profile("claimed-502", ("claimed", [status(502)], ONCE)),
        _profile("committed-reset", ("committed", [RESET], ONCE)),
        _profile("committed-close", ("committed", [CLOSE], ONCE)),
        _profile("committed-hang", ("committed", [HANG], ONCE)),
        _profile("committed-late", ("committed", [LATE], ONCE)),
        _profile("committed-502", ("committed", [status(502)], ONCE)),
        _profile("committed-503", ("committed", [status(503)], ONCE)),
        _profile("committed-408", ("committed", [status(408)], ONCE)),
        _profile("committed-429", ("committed", [stripe("rate_limit")], ONCE)),
        _profile("committed-empty-200", ("committed", [status(200)], ONCE)),
        _profile("claimed-500", ("claimed", [stripe("api_error")], ONCE)),
        _profile("committed-500", ("committed", [stripe("api_error", record="substitute")], ONCE)),
        _profile("cut-body", ("replying", [rules.Truncate(body=0.5)], ONCE)),
        _profile("cut-head", ("replying", [rules.Truncate(head=20)], ONCE)),
        _profile("cut-hang", ("replying", [rules.Truncate(body=0.5, then="hang")], ONCE)),
        _profile("reset-twice", ("committed", [RESET], TWICE)),
        _profile("reset-ever", ("committed", [RESET], EVER)),
        _profile("reset-before-ever", ("received", [RESET], EVER)),
        _profile("502-ever", ("committed", [status(502)], EVER)),
        _profile(
            "reset-then-429",
            ("committed", [RESET], ONCE),
            ("received", [stripe("rate_limit")], SECOND),
        ),
        _profile("lost-then-reset", ("received", [RESET], ONCE), ("committed", [RESET], SECOND)),
        _profile("lost-record", ("committed", [rules.LoseRecord(), RESET], ONCE)),
        _profile("day-later", ("committed", [rules.AdvanceClock(90_000.0), RESET], ONCE)),
        _profile(
            "expired", ("committed", [RESET], ONCE), ("received", [rules.ExpireKey()], SECOND)
        ),
        _profile("race", ("received", [rules.Barrier(3, timeout=1.0)], EVER)),
    )
}
