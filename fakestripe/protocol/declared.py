"""What the people on the client's side declare: intents before, outcomes after.

An intent is a payment the client sets out to make, an outcome is what it believes of one, a
webhook is where it wants to be told of events.
Both come from a test, a profile or the admin API, and travel in the journal.
"""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

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


class Webhook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to be told of which events (``charge.*``; all, if nothing is said).

    ``secret`` is made where none is given; each event is sent in so many ``copies``, at once, and
    says that it is of ``api_version``: some SDKs refuse events of another version than their own.
    """

    url: str
    enabled_events: tuple[str, ...] = ("*",)
    secret: str | None = None
    copies: int = 1
    api_version: str | None = None


class Outcome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the client reported of one operation: paid or failed, and by which charge."""

    operation: str
    outcome: Literal["paid", "failed"]
    charge: str | None = None
