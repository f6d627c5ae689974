"""What a handler wants written, as a value: nothing is written before the commit."""

from typing import Any, TypeAlias

from msgspec import Struct

from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.errors import StripeError

Group: TypeAlias = str | tuple[str, str]
"""A list of objects of one kind: its name is an id, or a word and somebody's text."""


class Write(Struct, frozen=True, gc=False):
    """One object to be written: new where its id is unknown, a new version where it is known.

    ``groups`` are the lists it stands in beside that of its kind, such as one customer's;
    ``leaves`` are those that it stands in no more.
    """

    kind: str
    id: str
    value: Any
    groups: tuple[Group, ...] = ()
    leaves: tuple[Group, ...] = ()


class EventDraft(Struct, frozen=True, gc=False):
    """One change of state to be told: the object as it is now, and before where it was updated.

    ``type`` is Stripe's own word, such as ``charge.succeeded``.
    """

    type: str
    object: Any
    previous: Any = None


class Change(Struct, frozen=True, gc=False):
    """The writes of one request, its answer, what it moved, and the events that tell of it.

    ``answer`` is the object that the client gets; where ``refusal`` is set the client gets that
    error, and the writes (a failed charge) are kept all the same. ``moved`` is what the verdict
    counts, ``ids`` the payments and refunds that the answer names.
    """

    writes: tuple[Write, ...] = ()
    answer: Any = None
    refusal: StripeError | None = None
    moved: Moved | None = None
    ids: tuple[str, ...] = ()
    events: tuple[EventDraft, ...] = ()
