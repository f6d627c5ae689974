"""The route of one request: a generator of effects, run to its end whatever the client does.

  received ─ admit ─ claim ─┬─ replay ──────────────────────────────┐
                            └─ read ─ claimed ─ make ─ commit ─ committed ─ replying ─ sent

Laws: money moves in ``Bank.commit`` alone, and no ``yield`` stands inside it. An effect that ends
the connection ends the exchange right there: before the commit it releases the key, after the
commit everything stays. A rule is used up and journalled before it acts.
"""

from collections.abc import Generator
from typing import Any, TypeAlias

from fakestripe.answer import Answers
from fakestripe.bank import Bank
from fakestripe.bank.change import Change
from fakestripe.bank.idempotency import Answer, Claim, Record
from fakestripe.faults import plan, rules, strike
from fakestripe.faults.rules import Profile
from fakestripe.protocol import form, headers
from fakestripe.protocol.attempt import Attempt, KeyState
from fakestripe.protocol.effects import Barrier, Close, Cut, Effect, Hang, Performed, Reset, Send
from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.params import Params
from fakestripe.protocol.points import Point
from fakestripe.protocol.reply import Reply
from fakestripe.protocol.request import Request
from fakestripe.resources import routes

Step: TypeAlias = Generator[Effect, Performed, Any]

KEY_STATES: dict[str, KeyState] = {
    "conflict": "in_flight",
    "replay": "replay",
    "mismatch": "mismatch",
    "wrong_endpoint": "mismatch",
}


class Gone(Exception):  # noqa: N818  # no error: an effect ended the connection
    """The exchange ends here."""


class Exchange:
    """One request on its way through the rooms."""

    def __init__(
        self, request: Request, bank: Bank, profile: Profile, refusal: StripeError | None = None
    ) -> None:
        self.request = request
        self.bank = bank
        self.profile = profile
        self.refusal = refusal
        self.found = routes.find(request.method, request.path)
        self.record: Record | None = None
        self.answers = Answers(request, bank)
        self.attempt = self._open()
        self.rule = plan.decide(profile, request, self.attempt, bank) if profile.rules else None

    def _open(self) -> Attempt:
        request, route = self.request, self.found.route if self.found else None
        attempt = Attempt(
            arrival=self.bank.journal.next_arrival(),
            account=self.bank.account,
            at=self.bank.clock.now(),
            connection=request.connection,
            request_on_connection=request.request_on_connection,
            method=request.method,
            path=request.path,
            form=request.body if request.method == "POST" else request.query.encode(),
            idempotency_key=request.header("idempotency-key"),
            user_agent=request.header("user-agent") or "",
            digest=request.digest,
            step=route.step if route else None,
            moves=route is not None and route.moves,
        )
        self.bank.journal.open(attempt)
        self.bank.operations.place(attempt)
        return attempt

    def run(self) -> Step:
        """Yield effects until the exchange has ended."""
        try:
            reply = yield from self._at("received")
            if reply is None:
                reply = yield from self._answer()
            yield from self._deliver(reply)
        except Gone:
            pass
        finally:
            if self.record is not None:
                self.bank.idempotency.release(self.record)
            if self.attempt.outcome is None:
                self.attempt.outcome = "lost"
            self.bank.journal.close(self.attempt)

    def client_left(self) -> None:
        """Note that the client's end of the connection is gone; the exchange goes on."""
        self.bank.journal.left(self.attempt, self.bank.clock.now())

    def broke(self, bug: Exception) -> None:
        """Note a mistake of our own on the wire."""
        self.attempt.outcome = "bug"
        self.attempt.note = f"{type(bug).__name__}: {bug}"
        self.bank.journal.bug(bug)

    def _at(self, point: Point) -> Step:
        """Reach a point; return what a fault there answers in place of the truth, or None."""
        self.bank.journal.reach(self.attempt, point)
        rule = self.rule
        if rule is None or rule.at != point or not plan.still_fires(rule, self.bank):
            return None
        self.attempt.rules = (*self.attempt.rules, rule.name)
        for fault in rule.do:
            self.attempt.faults = (*self.attempt.faults, strike.shown(fault))
            self.bank.journal.write(self.attempt)
            effect = strike.effect_of(fault, rule, self.attempt.operation)
            if effect is not None:
                yield from self._perform(effect)
            elif isinstance(fault, rules.Reply):
                return self.answers.substitute(strike.substitute(fault), self.record, fault)
            else:
                self._remember(fault)
        return None

    def _perform(self, effect: Effect) -> Generator[Effect, Performed, Performed]:
        performed = yield effect
        if performed.left:
            self.bank.journal.left(self.attempt, self.bank.clock.now())
        self.attempt.bytes_sent += performed.bytes_sent
        if isinstance(effect, Barrier):
            came = f"barrier {performed.parties} of {effect.parties}"
            self.attempt.faults = (*self.attempt.faults[:-1], came)
        if isinstance(effect, Reset | Close | Hang | Cut):
            raise Gone
        return performed

    def _remember(self, fault: rules.Fault) -> None:
        """Do what a fault does to memory."""
        key = self.attempt.idempotency_key
        match fault:
            case rules.AdvanceClock(seconds):
                self.bank.clock.advance(seconds)
                self.bank.journal.note("clock", {"advance": seconds, "by": "rule"})
            case rules.ForgetKey() if key:
                self.bank.idempotency.forget(key, "server_lost_record")
            case rules.ExpireKey() if key:
                self.bank.idempotency.expire(key)
            case rules.LoseRecord() if self.record:
                self.bank.idempotency.forget(self.record.key, "server_lost_record")

    def _answer(self) -> Step:
        """Answer as Stripe does, its errors included."""
        try:
            self._admit()
            if self.request.method == "POST":
                return (yield from self._execute())
            return self._look()
        except StripeError as refused:
            return self.answers.refuse(refused)
        except (Gone, GeneratorExit):
            raise
        except Exception as bug:  # noqa: BLE001  # law 6: a bug of ours never looks like Stripe's
            self.attempt.outcome = "bug"
            self.attempt.note = f"{type(bug).__name__}: {bug}"
            self.bank.journal.bug(bug)
            return self.answers.bug(bug)

    def _admit(self) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.answers.version = headers.version_of(self.request)
        if self.found is None:
            self.attempt.outcome = "unsupported"
            raise headers.unknown_url(self.request)

    def _look(self) -> Reply:
        """Answer a GET."""
        found = self.found
        assert found is not None  # noqa: S101  # _admit has seen to it
        assert found.route.show is not None  # noqa: S101
        params = Params(form.parse(self.request.query.encode()))
        return self.answers.shown(found.route.show(self.bank.ledger, params, found.name))

    def _execute(self) -> Step:
        """Answer a POST: replay, refuse, or execute once."""
        self._check_key()
        headers.check_content_type(self.request)
        tree = form.parse(self.request.body)
        claim = self.bank.idempotency.claim(self._fresh(tree))
        self._note_key(claim)
        if claim.move != "execute":
            return self.answers.known(claim)
        self.record = self.answers.record = claim.record
        command = self._read(tree)
        reply = yield from self._at("claimed")
        if reply is None:
            reply = self._commit(command)
            reply = (yield from self._at("committed")) or reply
        return reply

    def _check_key(self) -> None:
        try:
            headers.key_of(self.request)
        except StripeError:
            self.attempt.key_state = "refused"
            raise

    def _fresh(self, tree: form.Parameters) -> Record:
        return Record(
            key=self.attempt.idempotency_key or self.bank.ids.server_key(),
            path=self.request.path,
            fingerprint=form.fingerprint(tree),
            created=self.attempt.at,
            request_id=self.answers.request_id,
            arrival=self.attempt.arrival,
        )

    def _note_key(self, claim: Claim) -> None:
        attempt = self.attempt
        if claim.move != "execute":
            attempt.key_state = KEY_STATES[claim.move]
            attempt.replayed_from = claim.record.arrival
        elif attempt.idempotency_key is not None:
            attempt.key_state = "new" if claim.previous is None else "expired"
            if claim.previous is not None:
                attempt.replayed_from = claim.previous.arrival
            attempt.forgotten_by = self.bank.idempotency.forgotten.pop(claim.record.key, None)

    def _read(self, tree: form.Parameters) -> Any:
        """Read the parameters; what is refused here releases the key."""
        found = self.found
        assert found is not None  # noqa: S101
        assert found.route.read is not None  # noqa: S101
        command = found.route.read(Params(tree))
        if found.route.check is not None:
            found.route.check(self.bank.ledger, command, found.name)
        return command

    def _commit(self, command: Any) -> Reply:
        """Move the money, or record why not: the one line that changes the ledger."""
        found, record, bank = self.found, self.record, self.bank
        assert found is not None  # noqa: S101
        assert found.route.make is not None  # noqa: S101
        assert record is not None  # noqa: S101
        try:
            change = found.route.make(bank.ledger, command, bank.clock.now(), found.name)
        except StripeError as refused:
            if not refused.recorded:
                raise
            change = Change(writes=(), refusal=refused)
        answer = self._settled(change)
        bank.commit(change, record, answer)
        self.attempt.moved = change.moved
        return self.answers.stored(answer)

    def _settled(self, change: Change) -> Answer:
        if change.refusal is None:
            return Answer(200, change.answer, change.ids)
        return Answer(
            change.refusal.status, self.answers.error_body(change.refusal), change.ids
        )

    def _deliver(self, reply: Reply) -> Step:
        """Send the reply, or what a fault leaves of it."""
        attempt = self.attempt
        attempt.status, attempt.ids = reply.status, reply.ids
        attempt.charge = next((i for i in reply.ids if i.startswith("ch_")), attempt.charge)
        self.answers.note_error(attempt, reply)
        self.bank.journal.reach(attempt, "replying")
        cut = self._cut(reply)
        performed = yield from self._perform(cut if cut else Send(reply))
        if not performed.delivered:
            attempt.delivery = "partial" if performed.bytes_sent else "none"
            return
        attempt.delivery = "altered" if reply.altered else "intact"
        if attempt.outcome is None:
            attempt.outcome = "refused" if reply.origin == "front" else "answered"
        yield from self._at("sent")

    def _cut(self, reply: Reply) -> Cut | None:
        rule = self.rule
        if rule is None or rule.at != "replying" or not plan.still_fires(rule, self.bank):
            return None
        self.attempt.rules = (*self.attempt.rules, rule.name)
        fault = rule.do[0]
        assert isinstance(fault, rules.Truncate)  # noqa: S101  # LEGAL allows nothing else here
        self.attempt.faults = (*self.attempt.faults, strike.shown(fault))
        self.attempt.delivery = "partial"
        self.bank.journal.write(self.attempt)
        return strike.cut(fault, reply)
