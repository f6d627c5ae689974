"""What every word of a verdict means: the texts behind ``fakestripe explain``."""

from typing import Final

from fakestripe.verdict.causes import CAUSES
from fakestripe.verdict.storms import THRESHOLDS
from fakestripe.verdict.words import REASONS, WORDS

LABELS: Final[dict[str, str]] = {
    "first": "The first arrival of an operation at its step.",
    "transport_resend": "A byte-identical copy that the HTTP stack sent by itself within 100 ms "
    "of its connection's death. Only stacks that are known to do so under exactly this condition "
    "are accused: libcurl, OkHttp, HttpURLConnection, Go's net/http; and the proxy of the fault "
    "resend, which sends what it got once more.",
    "replica": "A request that began while an earlier one of its operation was still in flight "
    "and had not failed: another replica, thread or submit.",
    "sdk_retry": "A repeat with a key that an earlier attempt had: what SDKs do.",
    "app_retry": "A repeat with a new key, or with none: what application code does. Where an "
    "HTTP library may have been told to, the sentence says so.",
}
FLAGS: Final[dict[str, str]] = {
    "compensated": "The charges that were too many, or the orphaned one, were refunded in full or "
    "cancelled afterwards. A part that was given back compensates nothing.",
    "authorised_only": "The charges that were too many, or the orphaned one, were never captured: "
    "no money moved, "
    "but it is held. One that was released by a cancellation is flagged `compensated` as well.",
    "server_made": "The server alone made the duplicate: it lost its record of the key, could "
    "not see it yet, or a rule moved its clock beyond retention.",
    "hazard": "No second charge exists, but more separate keys were used than payments intended: "
    "another fault would make one. The exit status is 3.",
}


def explain(term: str) -> str | None:
    """Return the paragraph about a word, reason, cause, label or flag, or None."""
    if term in WORDS:
        word = WORDS[term]
        return f"{term}: {word.meaning}.\n\n{word.paragraph}"
    if term in CAUSES:
        cause = CAUSES[term]
        return f"{term}: a cause.\n\n{cause.paragraph}\n\nRemedy: {cause.remedy}{_reason(term)}"
    if term in REASONS:
        return f"{term}: a reason for inconclusive.{_reason(term)}"
    if term in LABELS:
        return f"{term}: a label of an attempt.\n\n{LABELS[term]}"
    if term in THRESHOLDS:
        warned = THRESHOLDS[term]
        what = f"{warned.meaning.capitalize()}. {warned.why}"
        return f"{term}: a warning; it changes no word.\n\n{what}\n\nRemedy: {warned.remedy}"
    return f"{term}: a flag.\n\n{FLAGS[term]}" if term in FLAGS else None


def _reason(term: str) -> str:
    """Return what the term means as a reason, where it is one."""
    reason = REASONS.get(term)
    if reason is None:
        return ""
    return f"\n\nAs a reason: {reason.meaning}.\n\nRemedy: {reason.remedy}"


def terms() -> list[str]:
    """Return everything that can be explained."""
    return list(dict.fromkeys([*WORDS, *REASONS, *CAUSES, *LABELS, *FLAGS, *THRESHOLDS]))
