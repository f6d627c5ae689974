"""The faults of the model: every point and effect, once and for ever, and a few pairs."""

from fakestripe.faults import kinds
from fakestripe.faults.rules import Match, Profile, Rule, Settings, When

PLAIN = Settings()
ONCE = When(attempt=(1,))
TWICE = When(attempt=(1, 2))
SECOND = When(attempt=(2,))
EVER = When()
FIRST = When(nth=(1,))


def make(name, *do, settings=PLAIN):
    built = tuple(
        Rule(name=f"{name}#{n}", at=at, do=tuple(faults), when=when)
        for n, (at, faults, when) in enumerate(do)
    )
    return Profile(name=name, rules=built, settings=settings)


def half_read(name, path, *do):
    """A profile that breaks off the first payment while it is read."""
    rule = Rule(name=f"{name}#0", at="reading", do=do, when=FIRST, match=Match(path=path))
    return Profile(name=name, rules=(rule,))


RESET, CLOSE = kinds.Reset(), kinds.Close()
HALF = kinds.Reset(body=0.5)
HANG = kinds.Hang(30.0)
LATE = kinds.Wait(4.0)
SHORT = kinds.Wait(0.3)


def status(number, **more):
    return kinds.Reply(status=number, **more)


def stripe(name, **more):
    return kinds.Reply(stripe=name, **more)


FAULTS = {
    profile.name: profile
    for profile in (
        make("none"),
        make("received-reset", ("received", [RESET], ONCE)),
        make("received-close", ("received", [CLOSE], ONCE)),
        make("received-hang", ("received", [HANG], ONCE)),
        make("received-503", ("received", [status(503)], ONCE)),
        make("received-429", ("received", [stripe("rate_limit")], ONCE)),
        make("received-late", ("received", [LATE], ONCE)),
        make("claimed-reset", ("claimed", [RESET], ONCE)),
        make("claimed-late", ("claimed", [LATE], ONCE)),
        make("claimed-short", ("claimed", [SHORT], ONCE)),
        make("claimed-502", ("claimed", [status(502)], ONCE)),
        make("committed-reset", ("committed", [RESET], ONCE)),
        make("committed-close", ("committed", [CLOSE], ONCE)),
        make("committed-hang", ("committed", [HANG], ONCE)),
        make("committed-late", ("committed", [LATE], ONCE)),
        make("committed-502", ("committed", [status(502)], ONCE)),
        make("committed-503", ("committed", [status(503)], ONCE)),
        make("committed-408", ("committed", [status(408)], ONCE)),
        make("committed-429", ("committed", [stripe("rate_limit")], ONCE)),
        make("committed-empty-200", ("committed", [status(200)], ONCE)),
        make("claimed-500", ("claimed", [stripe("api_error")], ONCE)),
        make("committed-500", ("committed", [stripe("api_error", record="substitute")], ONCE)),
        make("cut-body", ("replying", [kinds.Truncate(body=0.5)], ONCE)),
        make("cut-head", ("replying", [kinds.Truncate(head=20)], ONCE)),
        make("cut-hang", ("replying", [kinds.Truncate(body=0.5, then="hang")], ONCE)),
        make("received-until-left", ("received", [kinds.Wait(30.0, until_left=True)], ONCE)),
        make("received-resend", ("received", [kinds.Resend()], ONCE)),
        make("claimed-resend", ("claimed", [kinds.Resend()], ONCE)),
        make("committed-resend", ("committed", [kinds.Resend()], ONCE)),
        make("garbled", ("replying", [kinds.Garble()], ONCE)),
        make("swapped", ("replying", [kinds.Swap()], ONCE)),
        make("too-long", ("replying", [kinds.ContentLength(1.5)], ONCE)),
        make("too-short", ("replying", [kinds.ContentLength(0.5)], ONCE)),
        make("dripping", ("replying", [kinds.Drip(100, 0.001)], ONCE)),
        half_read("reading-charge", "/v1/charges", RESET),
        half_read("reading-half-charge", "/v1/charges", HALF),
        half_read("reading-intent", "/v1/payment_intents*", RESET),
        half_read("reading-half-intent", "/v1/payment_intents*", HALF),
        make("accept-reset", ("accept", [RESET], FIRST)),
        make("accept-ever", ("accept", [RESET], EVER)),
        make("reset-twice", ("committed", [RESET], TWICE)),
        make("reset-ever", ("committed", [RESET], EVER)),
        make("reset-before-ever", ("received", [RESET], EVER)),
        make("502-ever", ("committed", [status(502)], EVER)),
        make(
            "reset-then-429",
            ("committed", [RESET], ONCE),
            ("received", [stripe("rate_limit")], SECOND),
        ),
        make("lost-then-reset", ("received", [RESET], ONCE), ("committed", [RESET], SECOND)),
        make("lost-record", ("committed", [kinds.LoseRecord(), RESET], ONCE)),
        make("day-later", ("committed", [kinds.AdvanceClock(90_000.0), RESET], ONCE)),
        make("expired", ("committed", [RESET], ONCE), ("received", [kinds.ExpireKey()], SECOND)),
        make("race", ("received", [kinds.Barrier(3, timeout=1.0)], EVER)),
    )
}
