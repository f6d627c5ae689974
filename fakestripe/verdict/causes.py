"""Why a second charge exists: the table of causes, the first whose evidence is there.

To add a cause: a function in ``suspects``, a row here with its remedy, a good and a bad journal
in ``tests/verdict/journals``.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from fakestripe.verdict import suspects
from fakestripe.verdict.evidence import Evidence

DAY: Final = 86_400.0
Finder: TypeAlias = Callable[[Evidence], str | None]


class Cause(Struct, frozen=True):
    """A cause: how it is found, what it means, and the one sentence of remedy."""

    find: Finder
    paragraph: str
    remedy: str
    server_made: bool = False


CAUSES: Final[dict[str, Cause]] = {
    "server_lost_record": Cause(
        suspects.lost_record,
        "The server charged and then lost the record of the idempotency key, as after a crash "
        "between the two. No client can prevent it; it can only find out, by reading back.",
        "Before a retry, read the charges back by your own order id, or reconcile afterwards.",
        server_made=True,
    ),
    "cache_write_window": Cause(
        suspects.write_window,
        "The same key came back so soon that the server could not yet see its own record. No "
        "client can rule it out; waiting before the first retry makes it rare.",
        "Wait before the first retry (Stripe's SDKs wait about half a second), and reconcile.",
        server_made=True,
    ),
    "key_under_another_account": Cause(
        suspects.other_account,
        "Idempotency keys are looked up within one account. A retry that goes out with another "
        "account's API key is a new payment there.",
        "Choose the account once per payment and keep it with the payment's key.",
    ),
    "key_older_than_retention": Cause(
        suspects.after_retention,
        "A key protects for at least 24 hours and may be forgotten afterwards. A retry that "
        "comes later, from a queue or a nightly job, is a new payment.",
        "Stop retrying with a key before it is 24 hours old; after that, read back first.",
    ),
    "transport_resend": Cause(
        suspects.resend,
        "Some HTTP stacks resend a POST by themselves when a connection dies, usually a reused "
        "one, and so do some proxies. The application sees one call and one answer; the ledger "
        "has two charges.",
        "Send an Idempotency-Key with every POST, so that the stack's own copy carries it too.",
    ),
    "parameters_drifted": Cause(
        suspects.drift,
        "The key stayed but a parameter changed under it (a timestamp, an attempt number in "
        "metadata). Stripe refuses such a retry, and whoever then makes a new key charges again.",
        "Build the request once per payment and send exactly the same bytes on every retry.",
    ),
    "replicas": Cause(
        suspects.replicas,
        "Two senders made the same payment: replicas of one job, threads, or a form submitted "
        "twice. A lock or a look-up before charging does not help when both pass it.",
        "Derive the idempotency key from the payment (order id, billing period), so that all "
        "senders use the same one.",
    ),
    "separate_submissions": Cause(
        suspects.separate,
        "The first answer had arrived before the second request began: this is no retry but a "
        "second submission of the same payment.",
        "Make the key once per payment, where the payment begins, and remember that it is paid.",
    ),
    "outcome_never_resolved": Cause(
        suspects.unresolved,
        "The first send was lost, and nobody found out what came of it before the payment was "
        "sent again under another key, long afterwards. A 429, 401 or 409 on the way says "
        "nothing about the first send.",
        "Keep the payment's key until its outcome is known; read back before a new one.",
    ),
    "no_key": Cause(
        suspects.no_key,
        "Without an Idempotency-Key every request that arrives is a new payment. The key that "
        "Stripe makes for a keyless POST protects nobody: the next one gets another.",
        "Send an Idempotency-Key that is made once per payment and reused on every retry.",
    ),
    "attempt_in_key": Cause(
        suspects.counter,
        "The key has the number of the attempt in it, so every retry has a new one.",
        "Leave the attempt number out of the key: one payment, one key.",
    ),
    "time_in_key": Cause(
        suspects.time,
        "The key has a time in it, so a retry has another one as soon as the clock has moved.",
        "Make the key when the payment begins, from what does not change, and store it.",
    ),
    "volatile_value_in_key": Cause(
        suspects.volatile,
        "The key is made from a value that changes between attempts: a host name, a request id, "
        "a hash over a body that has a timestamp in it.",
        "Derive the key only from what names the payment: order id, customer, billing period.",
    ),
    "fresh_key_per_attempt": Cause(
        suspects.fresh,
        "A new key is made for every attempt: inside the retried function, the loop, the "
        "callback or the interceptor. Each attempt is then a payment of its own.",
        "Make the key once per payment, outside whatever is retried, and pass it in.",
    ),
}
"""In the order in which they are looked for: what the server did, what the wire did, who else
sent, and last what is wrong with the key."""


class Found(Struct, frozen=True):
    """A cause with its sentence."""

    cause: str
    sentence: str

    @property
    def server_made(self) -> bool:
        """Whether the server alone is to blame."""
        return CAUSES[self.cause].server_made

    @property
    def remedy(self) -> str:
        """The one sentence of remedy."""
        return CAUSES[self.cause].remedy


def find(evidence: Evidence) -> Found | None:
    """Return the first cause whose evidence is there."""
    for name, cause in CAUSES.items():
        sentence = cause.find(evidence)
        if sentence is not None:
            return Found(name, sentence)
    return None


def is_server_made(found: Found, evidence: Evidence) -> bool:
    """Return whether no client could have prevented it: the server's doing, or a moved clock."""
    if found.cause != "key_older_than_retention":
        return found.server_made
    profile = evidence.records.profile
    retention = profile.key_retention if profile else DAY
    return evidence.account_gap - evidence.moved_by_rules() < retention
