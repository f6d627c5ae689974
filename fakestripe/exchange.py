"""The route of one request: a generator of effects, run to its end whatever the client does.

  received ─ admit ─ claim ─┬─ replay ──────────────────────────────┐
                            └─ read ─ claimed ─ make ─ commit ─ committed ─ replying ─ sent

Laws: money moves in ``Bank.commit`` alone, and no ``yield`` stands inside it. An effect that ends
the connection ends the exchange right there: before the commit it releases the key, after the
commit everything stays. Whatever is raised that Stripe would not answer is our own bug, and is
said to be one.
"""

from typing import Any, Final

from msgspec import Struct

from fakestripe import noting
from fakestripe.admission import Admission, refused
from fakestripe.answer import Answers
from fakestripe.bank import Bank
from fakestripe.bank.change import Change
from fakestripe.bank.idempotency import Claim, unbound
from fakestripe.bank.keys import Holder
from fakestripe.faults import strike
from fakestripe.faults.fate import Fate, Gone, Steps
from fakestripe.faults.rules import Profile, Rule
from fakestripe.protocol import form, headers
from fakestripe.protocol.attempt import opened
from fakestripe.protocol.effects import Await, Send
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.mistake import bug_reply, note_of
from fakestripe.protocol.params import Params
from fakestripe.protocol.refusals import ProxyRefusal
from fakestripe.protocol.reply import Reply
from fakestripe.protocol.request import Request
from fakestripe.resources import expand, routes
from fakestripe.resources.desk import Desk
from fakestripe.resources.endpoint import Delete, Get, Post

SETTLED: Final = frozenset({"committed", "replying", "sent"})
"""The points after which an exchange moves no money."""


class Due(Struct, frozen=True, gc=False):
    """A request that writes and is fit to execute; the key of a POST is bound."""

    endpoint: Post | Delete
    command: Any
    claim: Claim


class Exchange:
    """One request on its way through the rooms."""

    def __init__(
        self,
        request: Request,
        bank: Bank,
        profile: Profile,
        refusal: StripeError | ProxyRefusal | None = None,
        holder: Holder | None = None,
    ) -> None:
        self.request = request
        self.bank = bank
        self.profile = profile
        self.refusal = refusal
        self.answers = Answers(request, bank)
        self.found = routes.find(request.method, self.answers.path)
        self.attempt = opened(
            request,
            arrival=bank.journal.next_arrival(),
            account=bank.account,
            at=bank.clock.now(),
            step=self.found.step if self.found else None,
            path=self.answers.path,
            key=self.answers.sent_key,
        )
        if self.found is not None and self.found.moves is not None:
            self.attempt.moves = self.found.moves(self.attempt.parameters)
        self.fate = Fate(self.attempt, bank)
        self.claim: Claim | None = None
        self.entry = None if holder is None else Admission(holder, bank.keys, self.attempt)

    def run(self) -> Steps[None]:
        """Yield effects until the exchange has ended."""
        fate = self.fate
        try:
            self._receive()
            instead = (yield from self._struck()) if fate.meets("received") else None
            reply = instead or self._begin()
            if isinstance(reply, Due):
                instead = (yield from self._struck()) if fate.meets("claimed") else None
                reply = instead or self._commit(reply)
                struck = instead is None and fate.meets("committed")
                if struck or self.bank.ledger.events.awaited:
                    reply = (yield from self._committed(struck=struck)) or reply
            self._let_go()
            noting.answered(self.attempt, reply)
            effect = fate.sending(reply, self.answers.another)
            performed = fate.after(effect, (yield effect))
            if performed.delivered:
                noting.delivered(self.attempt, effect.reply)
                if fate.meets("sent"):
                    yield from self._struck()
        except Gone:
            pass
        except Exception as bug:  # noqa: BLE001  # law 6: a bug of ours never looks like Stripe's
            self.broke(bug)
            if not self.attempt.bytes_sent:
                said = bug_reply(bug)
                self.attempt.status = said.status
                fate.after(Send(said), (yield Send(said)))
        finally:
            self._end()

    def broken_off(self, rule: Rule, *, whole: bool) -> Steps[None]:
        """Yield what a rule at ``reading`` does while the body is still on the way.

        Nothing is executed. Unless the body had come as a ``whole``, nobody knows which
        operation this was for.
        """
        attempt, self.fate.rule = self.attempt, rule
        if not whole:
            attempt.step, attempt.form = None, b""
        try:
            attempt.last_point = "reading"
            self.bank.journal.open(attempt)
            self.bank.place()
            yield from self.fate.strike()
        except Gone:
            pass
        finally:
            self._end()

    @property
    def settled(self) -> bool:
        """Whether no money moves any more by this request, whoever sends it."""
        return self.attempt.last_point in SETTLED and not self.fate.resends

    def client_left(self) -> None:
        """Note that the client's end of the connection is gone; the exchange goes on."""
        self.fate.client_left()

    def broke(self, bug: Exception) -> None:
        """Note a mistake of our own, here or on the wire."""
        self.attempt.outcome, self.attempt.note = "bug", note_of(bug)
        self.bank.journal.bug(bug)
        self.bank.journal.write(self.attempt)

    def _let_go(self) -> None:
        """Release a key that no outcome was kept under; who hears of it may use it at once."""
        if self.claim is not None:
            self.bank.idempotency.release(self.claim)
        if self.entry is not None:
            self.entry.let_go()

    def _end(self) -> None:
        self._let_go()
        if self.attempt.outcome is None:
            self.attempt.outcome = "lost"
        if self.fate.rule is not None:
            self.fate.end()
        self.bank.journal.close(self.attempt)

    def _receive(self) -> None:
        """Stand in the journal; where a fault may strike, know which operation this is."""
        journal = self.bank.journal
        journal.open(self.attempt)
        if self.profile.rules or journal.sink is not None:
            self.bank.place()
            self.fate.decide(self.profile, self.request)

    def _struck(self) -> Steps[Reply | None]:
        """Let a fault strike; return what it answers in place of the truth, or None."""
        fault = yield from self.fate.strike()
        if fault is None:
            return None
        return self.answers.substitute(strike.substitute(fault), fault, self.claim)

    def _committed(self, *, struck: bool) -> Steps[Reply | None]:
        """Let receivers who are to hear of it first answer, then a fault strike."""
        held = Await(self.bank.ledger.events.take_awaited())
        if held.held:
            self.fate.after(held, (yield held))
        return (yield from self._struck()) if struck else None

    def _refused(self, error: StripeError) -> Reply:
        if error.unsupported:
            self.attempt.outcome = "unsupported"
        return self.answers.refuse(error)

    def _begin(self) -> Reply | Due:
        """Answer what needs no execution: refusals, GETs, known keys."""
        try:
            if self.refusal is not None:
                raise self.refusal
            if self.entry is not None:
                self.entry.admit(self.bank.clock.now())
            self.answers.version = headers.version_of(self.request)
            if self.found is None:
                raise headers.unknown_url(self.request)
            endpoint = self.found.route
            return self._show(endpoint) if isinstance(endpoint, Get) else self._bind(endpoint)
        except StripeError as error:
            return self._refused(error)
        except ProxyRefusal as refusal:
            return refused(refusal, self.attempt)

    def _desk(self) -> Desk:
        name, part = (self.found.name, self.found.part) if self.found else ("", "")
        return Desk(self.bank.ledger, self.bank.clock.now(), name, part)

    def _show(self, endpoint: Get) -> Reply:
        tree, desk = form.parse(self.attempt.form), self._desk()
        if "expand" in tree:
            self.answers.paths = expand.read(tree, endpoint.shows)
        return self.answers.shown(endpoint.show(desk, Params(tree)), desk)

    def _bind(self, endpoint: Post | Delete) -> Reply | Due:
        """Bind the key and read the parameters, or answer what the key is bound to."""
        posts = isinstance(endpoint, Post)
        if posts and self.answers.refused_key is not None:
            self.attempt.key_state = "refused"
            raise self.answers.refused_key
        headers.check_content_type(self.request)
        record = self.answers.record(self.attempt)
        claim = self.bank.idempotency.claim(record) if posts else unbound(record)
        if posts:
            noting.bound(self.attempt, claim)
            if claim.move != "execute":
                return self.answers.known(claim)
            self.claim = claim
        tree = form.parse(self.attempt.form)
        command = endpoint.read(Params(tree))
        if "expand" in tree:
            self.answers.paths = expand.read(tree, endpoint.shows)
        if self.fate.rule is not None or self.entry is not None:  # else ``make`` checks
            self._check(endpoint, command)
        return Due(endpoint, command, claim)

    def _check(self, endpoint: Post | Delete, command: Any) -> None:
        """Refuse what cannot execute, and hold what it is about to charge."""
        desk = self._desk()
        endpoint.check(desk, command)
        if self.entry is not None:
            self.entry.reserve(endpoint, desk, command)

    def _commit(self, due: Due) -> Reply:
        """Move the money, or record why not: the one line that changes the ledger."""
        desk = self._desk()
        try:
            if self.entry is not None:
                self.entry.reserve(due.endpoint, desk, due.command)
            change = due.endpoint.make(desk, due.command)
        except StripeError as error:
            if not error.recorded:
                return self._refused(error)
            change = Change(refusal=error, ids=error.ids)
        except ProxyRefusal as refusal:
            return refused(refusal, self.attempt)
        answer = self.answers.settled(change)
        reply = self.answers.stored(answer)
        hold = None if self.entry is None else self.entry.hold
        self.bank.commit(change, due.claim, answer, hold)
        if self.answers.paths and change.refusal is None:
            reply = self.answers.expanded(due.claim.record, answer, desk)
        self.attempt.moved = change.moved
        self.attempt.charge = reply.charge
        return reply
