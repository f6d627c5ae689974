"""The words of the verdict, worst first, and what each of them costs.

A word is never printed bare. Red is what takes money wrongly or hides that it was taken; a
profile may expect some red words where no client can do better, but never those that a correct
client always avoids. Exit statuses: 0 nothing red, 1 red and unexpected, 3 doubt or a hazard.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from fakestripe.verdict.finding import OperationVerdict, Verdict


class Word(Struct, frozen=True):
    """A word with its short meaning and the paragraph that ``explain`` prints."""

    meaning: str
    paragraph: str
    red: bool = True


WORDS: Final[dict[str, Word]] = {
    "duplicate": Word(
        "charged more often than intended",
        "More live charges exist than the client set out to make, or two of them carry one "
        "name. A refund afterwards does not undo the word (flag `compensated`); charges that "
        "were only authorised are flagged `authorised_only`; a duplicate that the server made "
        "by itself, by losing a record or moving its clock, is flagged `server_made` and is "
        "the only kind that a profile may expect.",
    ),
    "overcharged": Word(
        "charged once, but too much",
        "One live charge exists and its amount is above the intended one. No fault on the wire "
        "excuses it, so no profile may expect it.",
    ),
    "missing": Word(
        "the client believes it was paid, but no charge exists",
        "Fewer live charges exist than were intended, and the client reported success. A "
        "swallowed error, an empty 200 taken for a success, or two orders behind one "
        "idempotency key do this. No profile may expect it.",
    ),
    "orphan": Word(
        "charged, but the client was told it failed",
        "The charge exists, and the client reported a failure or reports another charge's id. "
        "The customer has paid for what nobody delivers. A retry with the same idempotency key, "
        "or reading the charges back before giving up, prevents it.",
    ),
    "undercharged": Word(
        "charged once, but too little",
        "One live charge exists and its amount is below the intended one.",
    ),
    "cap_exceeded": Word(
        "a spend cap stopped the run",
        "Fewer charges exist than intended, because the spend cap of a vault key refused the last "
        "try: the last backstop held. Its 429 settles the attempt, and the payment stays open: "
        "the same key may pay it the next day, or under a higher cap. Where the client believes "
        "it was paid all the same, the word is `missing`; where a later try was let through, the "
        "cap has stopped nothing. What each cap let through, how much of it twice, and where it "
        "stopped the run is told below the operations. A profile may expect it.",
    ),
    "inconclusive": Word(
        "nothing red was seen, and nothing was proven",
        "The run does not show whether the client is safe. The reasons say why, each with its "
        "remedy. It is never a pass: the exit status is 3.",
        red=False,
    ),
    "unpaid": Word(
        "no money moved, and the client knows it",
        "Fewer charges exist than intended and the client reported the failure: an honest "
        "failure, which a later run can repair. The exit status is 0.",
        red=False,
    ),
    "clean": Word(
        "each payment was made once, under a fault that could have doubled it",
        "Every intended payment exists once with the right amount, the client was told so, and "
        "there is proof that something was exercised: an answer was lost or altered and the "
        "client came back, or replicas met at a barrier.",
        red=False,
    ),
}
"""Worst first: the word of a run is the worst of its operations."""

ORDER: Final = {word: place for place, word in enumerate(WORDS)}
NEVER_EXPECTED: Final = frozenset({"overcharged", "missing"})

FINE, RED, DOUBT = 0, 1, 3


class Reason(Struct, frozen=True):
    """Why a verdict is inconclusive, and the fixed remedy."""

    meaning: str
    remedy: str


REASONS: Final[dict[str, Reason]] = {
    "no_request": Reason(
        "no request that moves money arrived",
        "Point the client at this server: does it still call api.stripe.com, or is Stripe "
        "replaced inside the process by responses, respx, vcrpy or unittest.mock?",
    ),
    "rule_never_fired": Reason(
        "a fault never struck, so it tested nothing",
        "Use a profile whose rules match what this client sends, or send what they match; "
        "without a profile, choose one such as commit-then-timeout.",
    ),
    "client_never_came_back": Reason(
        "an answer was lost and the client neither retried, nor read back, nor reported",
        "Let the client retry with the same idempotency key or read the charges back; where it "
        "sat the fault out, give it a timeout shorter than the fault.",
    ),
    "nothing_to_compare": Reason(
        "a connection was lost before anything of it was read, and nobody said what the client "
        "set out to pay: nothing shows that the payment which came is the one that was lost",
        'Declare intents: fakestripe.intend("ord_1", amount=2000), in the profile, or POST '
        "/_fakestripe/intents; `fakestripe check` learns them.",
    ),
    "window_unseen": Reason(
        "the port was closed for a while, and the kernel that refuses counts nobody: nothing "
        "shows whether the client met it",
        "Use a rule at accept (reset, close, hang), which counts the connections that it strikes; "
        "or let the client try while the window is open, and log what it met.",
    ),
    "event_unmet": Reason(
        "an event was struck, and nobody who could go wrong met it",
        "Let the receiver answer the events with a 2xx; while one is late or never comes, let the "
        "client retry, read the charges back or report what it believes.",
    ),
    "still_running": Reason(
        "a request that can still charge had not ended when this was judged",
        "Ask again when it has ended, or let no fault hold a request for so long.",
    ),
    "outcome_unknown": Reason(
        "nobody said what the client believes of a charge that it was never told of",
        'Report it: fakestripe.outcome("ord_1", "paid"), POST /_fakestripe/outcomes, or the '
        "exit status under `fakestripe check`.",
    ),
    "no_key": Reason(
        "a request that moves money carried no idempotency key, and no fault tested it",
        "Send an Idempotency-Key made once per payment, and run with a profile that loses an "
        "answer.",
    ),
    "client_hung": Reason(
        "the client never ended and was stopped by the watchdog",
        "Give the client a timeout; raise --timeout if it only needs longer.",
    ),
    "intent_unmatched": Reason(
        "no request could be matched to a declared intent",
        "Send the intent's name in a parameter (metadata[order_id]), or give the intent a "
        "`match`.",
    ),
    "barrier_not_filled": Reason(
        "a barrier waited for more requests than came, so the race never happened",
        "Start enough clients at once: --replicas N, or as many threads as the barrier has "
        "parties.",
    ),
    "unsupported_endpoint": Reason(
        "the client called an endpoint that this server does not have",
        "See the path in the timeline; whatever the client does there was not tested.",
    ),
    "ambiguous_repeat": Reason(
        "two equal charges: a retry or a second purchase?",
        "Declare intents, or name operations: --operation metadata.order_id.",
    ),
    "repeated_without_fault": Reason(
        "the client repeated a request without any fault: one payment or two?",
        "Declare intents, or name every payment by a parameter: --operation metadata.order_id; "
        "one charge of each name is then what is meant.",
    ),
    "refused_without_fault": Reason(
        "without any fault a key came again with other parameters and was refused "
        "(idempotency_error): was that one payment or two?",
        "Give every payment a key of its own, and let the client fail where one is refused; or "
        "declare intents.",
    ),
    "use_operation": Reason(
        "replicas made charges that differ in a parameter: each its own, or one made twice?",
        "Name payments by a parameter that all replicas share: --operation metadata.order_id. "
        "Where replicas divide the work among them, or a name is made up in each run, declare "
        "intents.",
    ),
}
"""All reasons, each with its remedy."""


def shown(word: str) -> str:
    """Return a word with its meaning: it is never printed bare."""
    return f"{word} ({WORDS[word].meaning})"


def is_red(word: str) -> bool:
    """Return whether a word is worse than doubt."""
    return WORDS[word].red


def worst(words: Iterable[str]) -> str:
    """Return the worst of some words; ``clean`` where there are none."""
    return min(words, key=ORDER.__getitem__, default="clean")


def is_expected(operation: OperationVerdict, expect: Iterable[str]) -> bool:
    """Return whether a profile allows this word of this operation."""
    word = operation.verdict
    if word in NEVER_EXPECTED or (word == "duplicate" and "server_made" not in operation.flags):
        return False
    return word in expect


def unexpected(verdict: Verdict, expect: Iterable[str]) -> list[OperationVerdict]:
    """Return the operations that are red and that the profile does not expect."""
    allowed = frozenset(expect)
    return [
        operation
        for operation in verdict.operations
        if is_red(operation.verdict) and not is_expected(operation, allowed)
    ]


def exit_status(verdict: Verdict, expect: Iterable[str]) -> int:
    """Return 1 for unexpected red, 3 for doubt or a hazard, else 0."""
    if unexpected(verdict, expect):
        return RED
    doubtful = verdict.word == "inconclusive" or any(
        operation.verdict == "inconclusive" or operation.hazard for operation in verdict.operations
    )
    return DOUBT if doubtful else FINE
