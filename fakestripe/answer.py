"""What an exchange answers: bodies, and the headers that tell about the idempotency key.

Every answer from inside the API has a ``Request-Id``, to a POST also the key (a server-made one
where the client sent none) and ``Original-Request``: its own id, or on a replay that of the
first. ``Stripe-Should-Retry: false`` is the trace of "stored under the key", and
``Idempotent-Replayed`` that of a replay (stripe-facts 1.2, 1.3). For errors that execute nothing
no source says all of this [G]: they are treated alike, as validation errors were recorded.
"""

from typing import Any, Final

from msgspec import json, structs

from fakestripe.bank import Bank
from fakestripe.bank.change import Change
from fakestripe.bank.idempotency import Answer, Claim, Record
from fakestripe.faults import kinds
from fakestripe.protocol import errors
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.errors import StripeError, encode
from fakestripe.protocol.headers import API_VERSION, key_in, refused_idempotency_key
from fakestripe.protocol.reply import Reply
from fakestripe.protocol.request import Request, readable
from fakestripe.resources import expand
from fakestripe.resources.charge_bytes import charge_bytes
from fakestripe.resources.charge_object import Charge
from fakestripe.resources.desk import Desk
from fakestripe.resources.expand import Paths
from fakestripe.resources.naming import ids_in

STORED: Final = (("Stripe-Should-Retry", "false"),)
STORED_LINE: Final = "Stripe-Should-Retry: false\r\n"
REPLAYED_LINE: Final = "Idempotent-Replayed: true\r\n"
OK: Final = 200
SERVER_ERROR: Final = 500


class Answers:
    """Makes the replies of one exchange: it knows the request's id, its version and its key."""

    def __init__(self, request: Request, bank: Bank) -> None:
        self.bank = bank
        self.path = readable(request.path)
        self.request_id = bank.ids.request()
        self.version = API_VERSION
        self.posted = request.method == "POST"
        key = self.sent_key = key_in(request)
        self.refused_key = None if key is None else refused_idempotency_key(key)
        if key is None and self.posted:
            key = bank.ids.server_key()
        self.key = None if self.refused_key else key
        self.paths: Paths = {}

    def _lines(self, original: str | None = None) -> str:
        """Return the header lines of every answer: what they hold was checked for line breaks."""
        own = f"Request-Id: {self.request_id}\r\nStripe-Version: {self.version}\r\n"
        if self.bank.connected_as is not None:
            own += f"Stripe-Account: {self.bank.connected_as}\r\n"
        if self.key is None:
            return own
        if not self.posted:
            return f"{own}Idempotency-Key: {self.key}\r\n"
        first = original or self.request_id
        return f"{own}Idempotency-Key: {self.key}\r\nOriginal-Request: {first}\r\n"

    def record(self, attempt: Attempt) -> Record:
        """Return what this request would bind its key to."""
        return Record(
            key=self.key or "",
            path=self.path,
            form=attempt.form,
            created=self.bank.clock.now(),
            request_id=self.request_id,
            arrival=attempt.arrival,
        )

    def shown(self, value: Any, desk: Desk) -> Reply:
        """Answer a GET."""
        if self.paths:
            value = expand.expanded(desk, value, self.paths)
        return Reply(OK, _written(value), lines=self._lines(), ids=ids_in(value))

    def expanded(self, record: Record, answer: Answer, desk: Desk) -> Reply:
        """Answer what was just committed with objects in place of ids, and keep it so."""
        value = expand.expanded(desk, answer.content, self.paths)
        ids = tuple(dict.fromkeys((*answer.ids, *ids_in(value))))
        whole = structs.replace(answer, content=encode(value), ids=ids)
        self.bank.idempotency.settle(record, whole, self.bank.clock.now())
        return self.stored(whole)

    def settled(self, change: Change) -> Answer:
        """Return what is stored of a change."""
        refusal = change.refusal
        if refusal is None:
            return Answer(OK, change.answer, change.ids)
        body = self._body(refusal)
        return Answer(refusal.status, body, change.ids, refusal.type, refusal.code)

    def stored(self, answer: Answer) -> Reply:
        """Answer the request that executed."""
        return _reply(answer, self._lines() + STORED_LINE if self.posted else self._lines())

    def known(self, claim: Claim) -> Reply:
        """Answer a request whose key is bound already."""
        record = claim.record
        if claim.move == "conflict":
            return self.refuse(errors.in_flight(record.key))
        if claim.move == "mismatch":
            return self.refuse(errors.mismatch(record.key))
        if claim.move == "replay" and record.answer is not None:
            lines = self._lines(record.request_id)
            return _reply(record.answer, f"{lines}{REPLAYED_LINE}{STORED_LINE}")
        return self.refuse(errors.other_endpoint(record.key, self.path, record.path))

    def _body(self, refused: StripeError) -> bytes:
        return refused.body(
            f"https://dashboard.stripe.com/{self.bank.account}/test/workbench/logs"
            f"?object={self.request_id}"
        )

    def refuse(self, refused: StripeError) -> Reply:
        """Answer an error that is not stored."""
        return Reply(
            refused.status,
            self._body(refused),
            refused.headers,
            ids=refused.ids,
            origin="front" if refused.front else "stripe",
            error_type=refused.type,
            error_code=refused.code,
            lines="" if refused.front else self._lines(),
        )

    def substitute(
        self, instead: Reply | StripeError, fault: kinds.Reply, claim: Claim | None
    ) -> Reply:
        """Answer what a fault puts in place of the truth.

        Before the commit a 500 of Stripe's own sticks to the key, since execution had begun;
        after it the true outcome stays unless the fault says ``record: substitute``.
        """
        reply = instead if isinstance(instead, Reply) else self._in_place(instead)
        if claim is None:
            return reply
        stripes = isinstance(instead, StripeError)
        sticks = stripes and reply.status == SERVER_ERROR and claim.record.answer is None
        if not sticks and fault.record != "substitute":
            return reply
        answer = Answer(reply.status, reply.body, (), reply.error_type, reply.error_code)
        self.bank.idempotency.settle(claim.record, answer, self.bank.clock.now())
        headers = (*reply.headers, *STORED) if stripes else reply.headers
        return structs.replace(reply, headers=headers)

    def another(self, reply: Reply) -> Reply:
        """Return the reply with the body of another charge: the last one that it does not name.

        Where the account has no other charge, the body is of one that was never made: another
        id, of nobody, with nothing of what this client would know its own by.
        """
        charges = self.bank.ledger.collection("charge")
        for found in reversed(charges.order):
            if found not in reply.ids:
                body = _written(charges.by_id[found])
                return structs.replace(reply, body=body, ids=(found,), altered=True)
        own, ids = reply.charge, self.bank.ids
        if own is None:
            return reply
        stranger = ids.of_payment("ch", ids.family())
        body = json.decode(reply.body.replace(own.encode(), stranger.encode()))
        body |= {"customer": None, "description": None, "metadata": {}}
        return structs.replace(reply, body=encode(body), ids=(stranger,), altered=True)

    def _in_place(self, instead: StripeError) -> Reply:
        if instead.code == "idempotency_key_in_use" and self.key is not None:
            instead = errors.in_flight(self.key)
        return structs.replace(self.refuse(instead), altered=True)


def _reply(answer: Answer, lines: str) -> Reply:
    content = answer.content
    return Reply(
        answer.status,
        content if isinstance(content, bytes) else _written(content),
        ids=answer.ids,
        error_type=answer.error_type,
        error_code=answer.error_code,
        lines=lines,
    )


def _written(value: Any) -> bytes:
    return charge_bytes(value) if type(value) is Charge else encode(value)
