"""What the people on the client's side declare: intents before, outcomes after.

An intent is a payment the client sets out to make, an outcome is what it believes of one, a
webhook is where it wants to be told of events, and a delivery is how it is told.
All come from a test, a profile or the admin API, and travel in the journal.
"""

from fnmatch import fnmatchcase
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from fakestripe.protocol.duration import word

Belief: TypeAlias = Literal["paid", "failed", "unknown", "hung"]


class Intent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``count`` payments of ``amount`` (minor units; None: any) named ``operation``.

    ``match`` is a rule's match by which requests are recognised where no parameter carries
    the name; ``customer`` narrows a pool.
    """

    operation: str
    amount: int | None = None
    currency: str | None = None
    count: int = 1
    customer: str | None = None
    match: dict[str, Any] | None = None


class Delivery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an event comes to its receiver; times are seconds, and 0 is not at all.

    It comes in so many ``copies`` at once. It comes ``late``; ``before_answer``, so that the
    request that made it is answered once the receiver has answered, or so long after;
    ``out_of_order``, after one that was made later, held for so long at most; or ``never``.
    ``only`` are the types that this is about.
    """

    copies: int = 1
    late: float = 0.0
    before_answer: float = 0.0
    out_of_order: float = 0.0
    never: bool = False
    only: tuple[str, ...] = ("*",)

    @property
    def timing(self) -> tuple[str, ...]:
        """Return which faults of time are asked for; no two of them go together."""
        return tuple(name for name in TIMING if getattr(self, name))

    @property
    def plain(self) -> bool:
        """Return whether nothing goes wrong."""
        return self.copies == 1 and not self.timing

    @property
    def words(self) -> tuple[str, ...]:
        """Return what goes wrong, in the words of a profile."""
        copies = (f"copies {self.copies}",) if self.copies > 1 else ()
        late = (f"late {word(self.late)}",) if self.late else ()
        return (*copies, *late, *(name for name in self.timing if name != "late"))

    def strikes(self, kind: str) -> bool:
        """Return whether events of this type go wrong."""
        return not self.plain and any(fnmatchcase(kind, pattern) for pattern in self.only)


TIMING: Final = ("late", "before_answer", "out_of_order", "never")
PLAIN: Final = Delivery()


class Webhook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to be told of which events (``charge.*``; all, if nothing is said), and how.

    ``secret`` is made where none is given; each event says that it is of ``api_version``: some
    SDKs refuse events of another version than their own.
    """

    url: str
    enabled_events: tuple[str, ...] = ("*",)
    secret: str | None = None
    api_version: str | None = None
    delivery: Delivery = PLAIN


class Outcome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the client reported of one operation: paid or failed, and by which charge."""

    operation: str
    outcome: Literal["paid", "failed"]
    charge: str | None = None
