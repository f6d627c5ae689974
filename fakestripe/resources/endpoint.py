"""What an endpoint is: a pattern, the functions that answer it, and what kind of object it shows.

A path names an object (``{id}``) and perhaps a part of it (``{part}``). ``shows`` is the kind
that ``expand`` starts from: "charge", or "charge list".
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct

from fakestripe.bank.change import Change
from fakestripe.protocol.form import Parameters
from fakestripe.protocol.params import Params
from fakestripe.resources.desk import Desk

Price: TypeAlias = tuple[int, str]
"""An amount in minor units, and its currency."""


class Post(Struct, frozen=True):
    """An endpoint that writes: ``read`` and ``check`` validate, ``make`` executes.

    ``moves`` says of a step's parameters whether it moves money; without it, every one does.
    ``spends`` returns the amount and currency that a command is about to charge, None for none.
    """

    pattern: str
    read: Callable[[Params], Any]
    check: Callable[[Desk, Any], None]
    make: Callable[[Desk, Any], Change]
    step: str | None = None
    moves: Callable[[Parameters], bool] | None = None
    shows: str = ""
    spends: Callable[[Desk, Any], Price | None] | None = None


class Delete(Struct, frozen=True):
    """An endpoint that takes away; as in ``Post``, but no key is bound."""

    pattern: str
    read: Callable[[Params], Any]
    check: Callable[[Desk, Any], None]
    make: Callable[[Desk, Any], Change]
    shows: str = ""


class Get(Struct, frozen=True):
    """An endpoint that shows an object or a page of them."""

    pattern: str
    show: Callable[[Desk, Params], Any]
    shows: str = ""


Endpoint: TypeAlias = Post | Delete | Get


class Found(Struct, frozen=True, gc=False):
    """An endpoint, with the object and the part that the path names, "" where it names none."""

    route: Endpoint
    name: str = ""
    part: str = ""

    @property
    def step(self) -> str | None:
        """The step of a payment that the route is, if any."""
        return self.route.step if isinstance(self.route, Post) else None

    @property
    def moves(self) -> Callable[[Parameters], bool] | None:
        """What says of the parameters whether they move money, where it depends on them."""
        return self.route.moves if isinstance(self.route, Post) else None
