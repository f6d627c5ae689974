"""From the evidence to the verdict: group, count, cross with belief, ask for proof.

Pure: a journal saved in CI is judged later exactly as it would have been then.
"""

from fakestripe.protocol.attempt import Attempt
from fakestripe.verdict import words
from fakestripe.verdict.finding import Intended, OperationVerdict, Seen, Verdict
from fakestripe.verdict.records import Records


def judge(records: Records) -> Verdict:
    """Return the verdict of one run."""
    groups: dict[str, list[Attempt]] = {}
    for attempt in records.attempts:
        if attempt.operation is not None:
            groups.setdefault(attempt.operation, []).append(attempt)
    operations = tuple(_operation(name, found, records) for name, found in groups.items())
    fired = {rule for attempt in records.attempts for rule in attempt.rules}
    reasons = () if groups else ("no_request",)
    word = words.worst([found.verdict for found in operations] + ["inconclusive"] * len(reasons))
    profile = records.profile
    return Verdict(
        word=word,
        reasons=reasons,
        operations=operations,
        unfired_rules=tuple(name for name in records.rules if name not in fired),
        fired_rules=tuple(name for name in records.rules if name in fired),
        attempts=len(records.attempts),
        charges=sum(len(found.charges) for found in operations),
        profile=profile.name if profile else None,
        source=profile.source if profile else None,
        expect=profile.expect if profile else ("clean",),
        replicas=records.header.replicas,
        client_exits=records.header.client_exits or (),
    )


def _operation(name: str, attempts: list[Attempt], records: Records) -> OperationVerdict:
    charges = tuple(
        a.moved.id
        for a in attempts
        if a.moved and a.moved.kind == "charge" and a.moved.status != "failed"
    )
    intent = next((i for i in records.intents if i.operation == name), None)
    word = "duplicate" if len(charges) > 1 else "clean" if charges else "inconclusive"
    return OperationVerdict(
        operation=name,
        verdict=word,
        intended=Intended(intent.count, intent.amount, intent.currency) if intent else None,
        charges=charges,
        cause="fresh_key_per_attempt" if len(charges) > 1 else None,
        attempts=tuple(Seen(a, name, a.attempt, a.label) for a in attempts),
    )
