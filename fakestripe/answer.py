"""What an exchange answers: bodies and the headers that tell about the idempotency key.

``Stripe-Should-Retry: false`` is the trace of "stored under a key"; ``Idempotent-Replayed`` and
a foreign ``Original-Request`` are those of a replay (stripe-facts 1.2 and 1.3).
"""

from typing import Any, Final

from msgspec import structs

from fakestripe.bank import Bank
from fakestripe.bank.idempotency import Answer, Claim, Record
from fakestripe.faults import rules
from fakestripe.protocol import errors
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.errors import StripeError, encode
from fakestripe.protocol.headers import API_VERSION, Headers
from fakestripe.protocol.reply import Reply
from fakestripe.protocol.request import Request

STORED: Final = (("Stripe-Should-Retry", "false"),)
REPLAYED: Final = (("Idempotent-Replayed", "true"),)
SERVER_ERROR: Final = 500


class Answers:
    """Makes the replies of one exchange; knows its request id and, once claimed, its record."""

    def __init__(self, request: Request, bank: Bank) -> None:
        self.request = request
        self.account = bank.account
        self.idempotency = bank.idempotency
        self.request_id = bank.ids.request()
        self.version = API_VERSION
        self.record: Record | None = None
        self.error: StripeError | None = None

    def _headers(self, *more: tuple[str, str]) -> Headers:
        return (("Request-Id", self.request_id), ("Stripe-Version", self.version), *more)

    def _keyed(self, key: str, original: str) -> Headers:
        return self._headers(("Idempotency-Key", key), ("Original-Request", original))

    def _own(self) -> Headers:
        """Headers of an answer to a request that has, or has not, bound a key."""
        if self.record is None:
            given = self.request.header("idempotency-key")
            return self._headers(*((("Idempotency-Key", given),) if given else ()))
        return self._keyed(self.record.key, self.request_id)

    def shown(self, value: Any) -> Reply:
        """Answer a GET."""
        return Reply(200, encode(value), self._headers(), ids=_ids_in(value))

    def stored(self, answer: Answer) -> Reply:
        """Answer the request that executed."""
        return self._of(answer, (*self._own(), *STORED))

    def _of(self, answer: Answer, headers: Headers) -> Reply:
        content = answer.content
        body = content if isinstance(content, bytes) else encode(content)
        return Reply(answer.status, body, headers, ids=answer.ids)

    def known(self, claim: Claim) -> Reply:
        """Answer a request whose key is bound already."""
        record = claim.record
        if claim.move == "replay" and record.answer is not None:
            keyed = self._keyed(record.key, record.request_id)
            return self._of(record.answer, (*keyed, *REPLAYED, *STORED))
        if claim.move == "conflict":
            return self.refuse(errors.in_flight(record.key))
        if claim.move == "mismatch":
            return self.refuse(errors.mismatch(record.key))
        return self.refuse(
            errors.other_endpoint(record.key, self.request.path, record.path)
        )

    def error_body(self, refused: StripeError) -> bytes:
        """Return the body of an error, and remember which one it was."""
        self.error = refused
        log = (
            f"https://dashboard.stripe.com/{self.account}/test/workbench/logs"
            f"?object={self.request_id}"
        )
        return refused.body(log)

    def refuse(self, refused: StripeError) -> Reply:
        """Answer an error that is not stored."""
        body = self.error_body(refused)
        if refused.front:
            return Reply(refused.status, body, refused.headers, origin="front")
        return Reply(refused.status, body, (*self._own(), *refused.headers))

    def substitute(
        self, instead: Reply | StripeError, record: Record | None, fault: rules.Reply
    ) -> Reply:
        """Answer what a fault puts in place of the truth.

        Before the commit a 500 of Stripe's own sticks to the key, since execution had begun;
        after it the true outcome stays unless the fault says ``record: substitute``.
        """
        if isinstance(instead, Reply):
            return instead
        reply = structs.replace(self.refuse(instead), altered=True)
        began = record is not None and record.answer is None
        sticks = began and instead.status == SERVER_ERROR
        if record is not None and (sticks or fault.record == "substitute"):
            self.idempotency.settle(record, Answer(reply.status, reply.body))
            reply = structs.replace(reply, headers=(*reply.headers, *STORED))
        return reply

    def bug(self, bug: Exception) -> Reply:
        """Answer a mistake of our own: it never looks like Stripe failing."""
        text = f"fakestripe has a bug: {type(bug).__name__}: {bug}"
        body = encode({"error": {"message": text, "type": "api_error"}}) + b"\n"
        mark = ("Fakestripe-Bug", type(bug).__name__)
        return Reply(SERVER_ERROR, body, (mark,), altered=True)

    def note_error(self, attempt: Attempt, reply: Reply) -> None:
        """Write type and code of the error answered into the attempt."""
        if self.error is not None and not reply.ids:
            attempt.error_type, attempt.error_code = self.error.type, self.error.code


def _ids_in(value: Any) -> tuple[str, ...]:
    """Return the ids of payments and refunds in an object or a page of them."""
    items = getattr(value, "data", None)
    found = [value] if items is None else items
    return tuple(item.id for item in found if item.id.startswith(("ch_", "pi_", "re_", "pyr_")))
