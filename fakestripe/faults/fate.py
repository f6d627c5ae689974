"""What befalls one exchange: its rule strikes at the point it is for, fault after fault.

A rule is used up and journalled before it acts. An effect that ends the connection ends the
exchange right there, by ``Gone``; whoever runs the exchange knows what that leaves behind.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Final, TypeAlias, TypeVar

from fakestripe.bank import Bank
from fakestripe.faults import kinds, near, plan, strike, wording
from fakestripe.faults.kinds import Fault
from fakestripe.faults.rules import Profile, Rule
from fakestripe.faults.strike import Sending
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.effects import (
    Barrier,
    Close,
    Cut,
    Drip,
    Effect,
    Hang,
    Misframe,
    Performed,
    Resend,
    Reset,
    Send,
)
from fakestripe.protocol.points import Point
from fakestripe.protocol.reply import Reply
from fakestripe.protocol.request import Request

T = TypeVar("T")
Steps: TypeAlias = Generator[Effect, Performed, T]
SENDINGS: Final = (Send, Drip, Misframe)
ENDINGS: Final = (Reset, Close, Hang, Cut, Resend)


class Gone(Exception):  # noqa: N818  # no error: an effect ended the connection
    """The exchange ends here."""


class Fate:
    """The rule that one arrival meets, if any, and what has come of it so far."""

    __slots__ = ("attempt", "bank", "rule")

    def __init__(self, attempt: Attempt, bank: Bank) -> None:
        self.attempt = attempt
        self.bank = bank
        self.rule: Rule | None = None

    def decide(self, profile: Profile, request: Request) -> None:
        """Choose the rule, once the arrival's operation and attempt are known."""
        self.rule = plan.decide(profile, request, self.attempt, self.bank)

    def meets(self, point: Point) -> bool:
        """Reach a point; return whether the rule is for it."""
        if self.rule is None and self.bank.journal.sink is None:
            self.attempt.last_point = point
            return False
        self.bank.journal.reach(self.attempt, point)
        return self.rule is not None and self.rule.at == point

    def strike(self) -> Steps[kinds.Reply | None]:
        """Let the rule strike; return the fault that answers in place of the truth, or None."""
        for fault, effect in self._strikes():
            if effect is not None:
                self.after(effect, (yield effect))
            elif isinstance(fault, kinds.Reply):
                return fault
            else:
                self._remember(fault)
        return None

    def sending(self, reply: Reply, another: Callable[[Reply], Reply]) -> Sending:
        """Reach ``replying``; return how the reply is sent: whole, or as a fault has it."""
        if self.meets("replying"):
            for fault, _ in self._strikes():
                return strike.sent(fault, reply, another)
        return Send(reply)

    def after(self, effect: Effect, performed: Performed) -> Performed:
        """Note what came of an effect; raises ``Gone`` where it was the last."""
        attempt = self.attempt
        if performed.left:
            self.client_left()
        attempt.bytes_sent += performed.bytes_sent
        if performed.bytes_sent:
            attempt.delivery = "partial"
        if isinstance(effect, SENDINGS):
            return performed
        if isinstance(effect, Barrier):
            came = f"barrier {performed.parties} of {effect.parties}"
            attempt.faults = (*attempt.faults[:-1], came)
        if isinstance(effect, ENDINGS) and not performed.delivered:
            raise Gone
        return performed

    @property
    def resends(self) -> bool:
        """Whether a proxy is to send this arrival once more, whatever has come of it so far."""
        return self.rule is not None and any(isinstance(f, kinds.Resend) for f in self.rule.do)

    def client_left(self) -> None:
        """Note that the client's end of the connection is gone."""
        self.bank.journal.left(self.attempt, self.bank.clock.now())

    def end(self) -> None:
        """Note a rule that waited for a point which was never reached."""
        rule = self.rule
        if rule is not None and rule.name not in self.attempt.rules:
            near.unreached(rule, self.attempt, self.bank)

    def _strikes(self) -> Iterator[tuple[Fault, Effect | None]]:
        rule, attempt = self.rule, self.attempt
        if rule is None or not plan.still_fires(rule, self.bank):
            return
        attempt.rules = (*attempt.rules, rule.name)
        for fault in rule.do:
            attempt.faults = (*attempt.faults, wording.shown(fault))
            self.bank.journal.write(attempt)
            yield fault, strike.effect_of(fault, rule, attempt.operation)

    def _remember(self, fault: Fault) -> None:
        """Do what a fault does to memory."""
        key = self.attempt.idempotency_key or ""
        match fault:
            case kinds.AdvanceClock(seconds):
                self.bank.clock.advance(seconds)
                self.bank.journal.note("clock", {"advance": seconds, "by": "rule"})
            case kinds.ForgetKey() | kinds.LoseRecord():
                self.bank.idempotency.forget(key)
            case kinds.ExpireKey():
                self.bank.idempotency.expire(key)
