"""One small function per cause: its sentence where the evidence is there, else None.

The sentence goes on after "ch_B was created beside ch_A, because"; it claims nothing that the
journal does not show. The table that names and orders them is in ``causes``.
"""

from collections.abc import Callable
from typing import Final

from fakestripe.protocol.duration import words
from fakestripe.protocol.labels import EITHER, sender
from fakestripe.protocol.operation import flat_of, id_in
from fakestripe.protocol.settling import is_over
from fakestripe.verdict import keys
from fakestripe.verdict.evidence import Evidence, first_difference, shown_key

UNRESOLVED: Final = 600.0
"""Seconds after which a new key is no retry any more but a second try at an old payment."""


def lost_record(evidence: Evidence) -> str | None:
    """Return the sentence where the server had lost the key's record."""
    if not _forgotten(evidence, "server_lost_record"):
        return None
    return "the server lost the record of the idempotency key after it had charged"


def write_window(evidence: Evidence) -> str | None:
    """Return the sentence where the server could not see its own record yet."""
    if not _forgotten(evidence, "cache_write_window"):
        return None
    return (
        f"the same key came back after {evidence.shown_gap()}, before the server's record of it "
        "could be read"
    )


def _forgotten(evidence: Evidence, why: str) -> bool:
    """Return whether one of the two met no record, or the one that made what the second is about.

    Under one key either may be: who came first may have been held until the other had charged.
    """
    second = evidence.second.attempt
    about = id_in(second.path)
    makers = (seen.attempt for seen in evidence.seen if about is not None)
    made = (one for one in makers if one.moved is not None and one.moved.id == about)
    first = (evidence.first.attempt,) if _under_one_key(evidence) else ()
    return any(one.forgotten_by == why for one in (second, *first, *made))


def _under_one_key(evidence: Evidence) -> bool:
    one, two = evidence.first.attempt, evidence.second.attempt
    return evidence.keys[0] is not None and (one.account, evidence.keys[0]) == (
        two.account,
        evidence.keys[1],
    )


def other_account(evidence: Evidence) -> str | None:
    """Return the sentence where one key went to two accounts."""
    one, two = evidence.first.attempt, evidence.second.attempt
    key = one.idempotency_key
    if key is None or key != two.idempotency_key or one.account == two.account:
        return None
    return (
        f"the key {key!r} was sent to {one.account} and then to {two.account}, and keys protect "
        "within one account only"
    )


def after_retention(evidence: Evidence) -> str | None:
    """Return the sentence where the key had been forgotten, as Stripe may after a day."""
    one, states = evidence.keys[0], {seen.attempt.key_state for seen in evidence.pair}
    if not _under_one_key(evidence) or "expired" not in states:
        return None
    return (
        f"the key {one!r} came back after {words(evidence.account_gap)}, when the server had "
        "already forgotten it"
    )


def resend(evidence: Evidence) -> str | None:
    """Return the sentence where the HTTP stack sent the copy by itself."""
    one, two = evidence.first.attempt, evidence.second.attempt
    stack = sender(two)
    if evidence.second.label != "transport_resend" or stack is None:
        return None
    reused = "reused" if one.request_on_connection > 1 else "fresh"
    return (
        f"{stack.name} sent the request again by itself, not your code: at +{words(evidence.gap)} "
        f"on connection {two.connection}, a byte-identical copy of the one that connection "
        f"{one.connection} ({reused}) lost"
    )


def drift(evidence: Evidence) -> str | None:
    """Return the sentence where a changed parameter was refused and then got a new key."""
    one, two = evidence.first.attempt, evidence.second.attempt
    key = one.idempotency_key
    if key is None or key == two.idempotency_key:
        return None
    refused = [
        seen.attempt
        for seen in evidence.seen
        if seen.attempt.key_state == "mismatch" and seen.attempt.idempotency_key == key
    ]
    name = first_difference(flat_of(one), flat_of(two))
    if not refused or name is None:
        return None
    return (
        f"{name} changed under the key {key!r}, so the retry was refused (idempotency_error, "
        f"arrival {refused[0].arrival}), and a new key went round the refusal"
    )


def replicas(evidence: Evidence) -> str | None:
    """Return the sentence where two senders were at work."""
    one, two = evidence.first.attempt, evidence.second.attempt
    overlaps = evidence.second.label == "replica" and not is_over(one, two.started_s)
    several = evidence.records.header.replicas > 1
    if not overlaps and not (several and evidence.told):
        return None
    if overlaps:
        who = "another replica" if several else "another replica, thread or submit"
        sent, after = ("ch_A's request", "ch_B's") if evidence.late else ("it", "ch_A's request")
        return (
            f"{who} sent {sent} {words(evidence.gap)} after {after}, which had not failed, "
            f"{_with_keys(evidence)}"
        )
    return (
        f"another replica sent it {evidence.shown_gap()} later although ch_A had been delivered, "
        f"{_with_keys(evidence)}"
    )


def _with_keys(evidence: Evidence) -> str:
    one, two = evidence.keys
    if one is None and two is None:
        return "and neither carried an idempotency key"
    return f"under another key ({shown_key(one)} and {shown_key(two)})"


def separate(evidence: Evidence) -> str | None:
    """Return the sentence where the first answer had arrived before."""
    if not evidence.told:
        return None
    return (
        f"it was submitted {evidence.shown_gap()} after ch_A, whose answer had already been "
        f"delivered, {_with_keys(evidence)}"
    )


def unresolved(evidence: Evidence) -> str | None:
    """Return the sentence where an old payment was sent again under a new key."""
    one, two = evidence.keys
    gap = evidence.account_gap - evidence.moved_by_rules()
    if one is None or one == two or gap < UNRESOLVED:
        return None
    return (
        f"the outcome of the first send was never resolved, and {words(evidence.account_gap)} "
        f"later it was sent again under another key ({shown_key(one)}, then {shown_key(two)})"
    )


def no_key(evidence: Evidence) -> str | None:
    """Return the sentence where a key is lacking."""
    one, two = evidence.keys
    if one is not None and two is not None:
        return None
    return f"{_keyless(evidence)}, and {_sender(evidence)} sent it again"


def _keyless(evidence: Evidence) -> str:
    one, two = evidence.keys
    if one is None and two is None:
        return "neither attempt carried an idempotency key"
    lacking = evidence.first if one is None else evidence.second
    return f"attempt {lacking.number} carried no idempotency key"


def _sender(evidence: Evidence) -> str:
    agent = evidence.second.attempt.user_agent
    either = agent.startswith(EITHER) and evidence.second.label == "app_retry"
    return "your code or its HTTP library" if either else "the client"


def counter(evidence: Evidence) -> str | None:
    """Return the sentence where the key counts."""
    found = _of_keys(evidence, keys.counts)
    if found is None:
        return None
    return (
        f"the idempotency key counts the attempts ({found[0]}, then {found[1]}) and so changed "
        f"{evidence.between()}"
    )


def time(evidence: Evidence) -> str | None:
    """Return the sentence where the key tells the time."""
    found = _of_keys(evidence, lambda a, b: keys.times(a, b, evidence.gap))
    if found is None:
        return None
    return (
        f"the idempotency key contains the time ({found[0]}, then {found[1]}) and so changed "
        f"{evidence.between()}"
    )


def _of_keys(
    evidence: Evidence, find: Callable[[str, str], tuple[str, str] | None]
) -> tuple[str, str] | None:
    one, two = evidence.keys
    return None if one is None or two is None or one == two else find(one, two)


def volatile(evidence: Evidence) -> str | None:
    """Return the sentence where the key is made of something that changed."""
    one, two = evidence.keys
    if one is None or two is None or one == two:
        return None
    before, after = flat_of(evidence.first.attempt), flat_of(evidence.second.attempt)
    change = keys.change(one, two)
    for name in sorted(before.keys() & after.keys()):
        a, b = before[name], after[name]
        if a != b and one.replace(a, "\0", 1) == two.replace(b, "\0", 1):
            return f"the idempotency key contains {name}, which changed from {a!r} to {b!r}"
    drifted = first_difference(before, after)
    if drifted is not None and change.pairs and all(map(keys.is_hash, change.pairs[0])):
        return f"the idempotency key looks like a hash, and {drifted} changed with it"
    if not change.shared or any(keys.is_random(part) for pair in change.pairs for part in pair):
        return None
    a, b = change.pairs[0]
    return f"the idempotency key contains a value that changed from {a!r} to {b!r}"


def fresh(evidence: Evidence) -> str | None:
    """Return the sentence where the keys have nothing to do with each other."""
    one, two = evidence.keys
    if one is None or two is None or one == two:
        return None
    return f"the idempotency key changed {evidence.between()}"
