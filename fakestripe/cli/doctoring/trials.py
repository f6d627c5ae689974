"""The table of trials: which fault, at which point, and what of it should arrive.

What should arrive is in the words of ``telling``, so that a trial is passed where both are equal.
Faults that only change what the server remembers are not tried: no network is in their way.
"""

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

Do: TypeAlias = str | dict[str, Any]


class Trial(Struct, frozen=True):
    """One fault at one point, and what should arrive of it.

    ``timing`` is what is told beside: whether the answer came late, or in pieces.
    """

    at: str
    do: Do
    due: str
    timing: Literal["", "late", "pieces"] = ""

    @property
    def tag(self) -> str:
        """The word of the fault."""
        return self.do if isinstance(self.do, str) else next(iter(self.do))

    @property
    def fault(self) -> str:
        """The fault in the words of a profile."""
        if isinstance(self.do, str):
            return self.do
        given = self.do[self.tag]
        several = given.items() if isinstance(given, dict) else [("", given)]
        return " ".join([self.tag, *(f"{key} {value}".strip() for key, value in several)])

    @property
    def profile(self) -> dict[str, Any]:
        """The profile that lets it strike; at ``accept`` only the next connection."""
        rule = {"at": self.at, "do": self.do}
        if self.at == "accept":
            rule["when"] = {"nth": 1}
        return {"name": "doctor", "rules": [rule]}


WAIT: Final = {"wait": "100ms"}
LATE: Final = ("200, late", "late")
DRIP: Final = {"drip": {"bytes": 1000, "every": "30ms"}}


def _cut(then: str, framing: str | None = None, **part: int) -> Do:
    framed = {} if framing is None else {"framing": framing}
    return {"truncate": {**part, **framed, "then": then}}


TRIALS: Final = (
    Trial("reading", "reset", "RST"),
    Trial("reading", "close", "FIN"),
    Trial("reading", "hang", "silence"),
    Trial("received", "reset", "RST"),
    Trial("received", "close", "FIN"),
    Trial("received", "hang", "silence"),
    Trial("received", WAIT, *LATE),
    Trial("received", {"reply": {"status": 502}}, "502"),
    Trial("received", "resend", "200"),
    Trial("claimed", "reset", "RST"),
    Trial("claimed", "close", "FIN"),
    Trial("claimed", "hang", "silence"),
    Trial("claimed", WAIT, *LATE),
    Trial("claimed", {"reply": {"status": 502}}, "502"),
    Trial("claimed", "resend", "200"),
    Trial("committed", "reset", "RST"),
    Trial("committed", "close", "FIN"),
    Trial("committed", "hang", "silence"),
    Trial("committed", WAIT, *LATE),
    Trial("committed", {"reply": {"status": 502}}, "502"),
    Trial("committed", "resend", "200, replayed"),
    Trial("replying", _cut("reset", head=20), "20 bytes, RST"),
    Trial("replying", _cut("close", head=20), "20 bytes, FIN"),
    Trial("replying", _cut("hang", head=20), "20 bytes, silence"),
    Trial("replying", _cut("reset", body=100), "200 and 100 bytes, RST"),
    Trial("replying", _cut("close", body=100), "200 and 100 bytes, FIN"),
    Trial("replying", _cut("hang", body=100), "200 and 100 bytes, silence"),
    Trial("replying", _cut("close", "chunked", body=100), "200 and 100 bytes, FIN"),
    Trial("replying", _cut("close", "unframed", body=100), "200 and 100 bytes, FIN"),
    Trial("replying", DRIP, "200, in pieces", "pieces"),
    Trial("replying", "garble", "200, broken JSON"),
    Trial("replying", {"content_length": "150%"}, "200, length 150%"),
    Trial("replying", "swap", "200, another charge"),
    Trial("sent", "reset", "200, then RST"),
    Trial("sent", "close", "200, then FIN"),
)
"""What any account can have, on a port that others use too."""

OWN: Final = (
    Trial("accept", "reset", "RST"),
    Trial("accept", "close", "FIN"),
    Trial("accept", "hang", "silence"),
    Trial("accept", WAIT, *LATE),
    Trial("listen", {"refuse": "400ms"}, "refused"),
    Trial("listen", {"blackhole": "600ms"}, "no connection"),
)
"""What needs a port of one's own, one after the other."""

UNTRIED: Final = ("barrier", "advance_clock", "forget_key", "expire_key", "lose_record")
"""What happens within the server alone."""
