"""What happens, in sentences: each fault as a clause, and what is charged and kept after it.

``protocol.points`` says what is true at a point in the words of the lifecycle; here stands how a
newcomer would say when it is.
"""

from collections.abc import Callable
from typing import Any, Final

from fakestripe.faults import kinds
from fakestripe.faults.kinds import FINAL, Fault, tag
from fakestripe.faults.rules import Rule
from fakestripe.protocol import duration
from fakestripe.protocol.errors import CANNED

MOMENTS: Final = {
    "reading": "while its body is still on the way",
    "received": "once it is fully read and nothing is decided or recorded",
    "claimed": "once it is found right and its key is in flight, before anything is charged",
    "committed": "once the outcome is recorded and not a byte of it has been sent",
    "replying": "while the reply is being sent",
    "sent": "once the reply has been delivered",
}
"""When a request is at a point; ``listen`` and ``accept`` know no request."""

BEFORE: Final = frozenset({"reading", "received", "claimed"})
AFTER: Final = frozenset({"committed", "replying", "sent"})
ENDINGS: Final = {
    "reset": "the connection is reset (RST)",
    "close": "the connection is closed (FIN)",
    "hang": "nothing more comes",
}


def happens(faults: tuple[Fault, ...]) -> str:
    """Return what the faults of a rule do, one after the other."""
    clauses = [CLAUSES[type(fault)](fault) for fault in faults]
    return ", and then ".join([*clauses, *([] if tag(faults[-1]) in FINAL else ["it goes on"])])


def outcome(rule: Rule) -> str | None:
    """Return the sentence about what is charged and kept, where a rule settles it."""
    last = rule.do[-1]
    if rule.at in AFTER:
        return "The charge stays." if rule.match.moves else "What was recorded stays."
    if rule.at not in BEFORE or tag(last) not in FINAL:
        return None
    if isinstance(last, kinds.Resend):
        return "The first delivery charges nothing."
    if rule.at != "claimed":
        return "This attempt charges nothing."
    kept = isinstance(last, kinds.Reply) and last.stripe == "api_error"
    return f"This attempt charges nothing, and {'the key keeps it' if kept else 'frees the key'}."


def length(seconds: float) -> str:
    """Return a duration as it is said: ``30 s``, ``250 ms``."""
    word = duration.word(seconds)
    number = word.rstrip("dhms")
    return f"{number} {word[len(number) :]}"


def share(amount: float, of: str) -> str:
    """Return a part of something: a percentage, or a number of bytes."""
    if isinstance(amount, float):
        return f"{amount:.0%} of {of}"
    return f"{amount} byte{'' if amount == 1 else 's'} of {of}"


def _after(fault: Any) -> str:
    if fault.body is None:
        return ""
    has = "has" if isinstance(fault.body, float) or fault.body == 1 else "have"
    return f", once {share(fault.body, 'its body')} {has} come"


def _hang(fault: kinds.Hang) -> str:
    silent = "until the client leaves"
    if fault.seconds is not None:
        silent = f"for {length(fault.seconds)}, or until the client leaves"
    return f"the connection stays silent {silent}{_after(fault)}"


def _wait(fault: kinds.Wait) -> str:
    if fault.until_left:
        return f"it is held until the client has left, for {length(fault.seconds)} at most"
    return f"it is held for {length(fault.seconds)}, whether the client stays or leaves"


def _reply(fault: kinds.Reply) -> str:
    kept = ", and the key keeps this answer" if fault.record == "substitute" else ""
    with_headers = f" with {', '.join(fault.headers)}" if fault.headers else ""
    if fault.stripe is not None:
        status = CANNED[fault.stripe].status
        return f"Stripe's error {fault.stripe} ({status}) is answered{with_headers}{kept}"
    body = "a body of the profile's own" if fault.body else "an empty body"
    if fault.status in (500, 502, 503, 504) and not (fault.body or fault.headers):
        body = "the HTML page of a gateway"
    return f"{fault.status} is answered{with_headers}, with {body}{kept}"


def _truncate(fault: kinds.Truncate) -> str:
    part = share(fault.body or 0, "its body") if fault.head is None else None
    part = part or share(fault.head or 0, "its head")
    how = {"length": "", "chunked": " in chunks", "unframed": " without a length"}[fault.framing]
    end = ENDINGS[fault.then] + (f" for {length(fault.hang)}" if fault.hang else "")
    return f"only {part} is sent{how}, and then {end}"


def _window(what: str) -> Callable[[Any], str]:
    def told(fault: kinds.Refuse | kinds.Blackhole) -> str:
        begins = f", {length(fault.after)} after" if fault.after else ", from when"
        return f"{what} for {length(fault.seconds)}{begins} the profile takes effect"

    return told


def _barrier(fault: kinds.Barrier) -> str:
    whose = " of its operation" if fault.by == "operation" else ""
    held = f"it is held until {fault.parties} such requests{whose} are there"
    return f"{held}, for {length(fault.timeout)} at most"


CLAUSES: Final[dict[type[Any], Callable[[Any], str]]] = {
    kinds.Refuse: _window("connections are refused"),
    kinds.Blackhole: _window("connecting takes for ever"),
    kinds.Reset: lambda fault: ENDINGS["reset"] + _after(fault),
    kinds.Close: lambda fault: ENDINGS["close"] + _after(fault),
    kinds.Hang: _hang,
    kinds.Wait: _wait,
    kinds.Resend: lambda _: (
        "a proxy loses the answer and delivers the same request once more, "
        "and the client gets the answer to that"
    ),
    kinds.Reply: _reply,
    kinds.Truncate: _truncate,
    kinds.Drip: lambda fault: (
        f"it comes in pieces of {fault.size} bytes, {length(fault.every)} apart"
    ),
    kinds.Garble: lambda fault: (
        f"its JSON breaks off after {share(fault.body, 'the body')}, under a length that says so"
    ),
    kinds.ContentLength: lambda fault: (
        "its head announces " + share(fault.says, "the body's true length")
        if isinstance(fault.says, float)
        else f"its head announces a body of {fault.says} bytes"
    ),
    kinds.Swap: lambda _: "it carries the body of another charge",
    kinds.Barrier: _barrier,
    kinds.AdvanceClock: lambda fault: f"the account's clock goes {length(fault.seconds)} ahead",
    kinds.ForgetKey: lambda _: "the server forgets its key",
    kinds.ExpireKey: lambda _: "the server takes its key for one that is too old",
    kinds.LoseRecord: lambda _: "the server loses the record of its key, as in a crash",
}
