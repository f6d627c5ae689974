"""What a verb of the admin side is told, and what it may answer beside a JSON value.

A verb decides what is done; which accounts it is done to was decided before, and how an answer
looks on the wire is decided after.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from fakestripe.server.account import Account
from fakestripe.server.accounts import Accounts
from fakestripe.server.app import Port

OK: Final = 200
BAD_REQUEST: Final = 400
NOT_FOUND: Final = 404
TIMED_OUT: Final = 408
CONFLICT: Final = 409
UNPROCESSABLE: Final = 422
STOPPING: Final = 503

About: TypeAlias = Literal["accounts", "nobody"]
"""Whose a verb is: the accounts that the call names, or nobody's, so that no key is needed."""


class AdminError(Exception):
    """A call that cannot be done: the text says what to change."""

    def __init__(self, said: str, status: int = BAD_REQUEST, **known: Any) -> None:
        super().__init__(said)
        self.status = status
        self.known = known


class Text(Struct, frozen=True):
    """An answer that is not JSON."""

    text: str | bytes
    content_type: str = "text/plain"
    status: int = OK
    headers: dict[str, str] = {}


class Call(Struct, frozen=True):
    """One call: the port it came to, the accounts it is for, and what it says.

    ``account`` is the name of the one that it is for, None for all of the port; ``key`` is the API
    key it came with, ``argument`` what stands in its path behind the verb, ``host`` the
    name by which it reached the server (``netloc`` with its port), ``secure`` whether under TLS.
    """

    port: Port
    account: str | None = None
    key: str | None = None
    body: Any = None
    query: dict[str, str] = {}
    argument: str = ""
    host: str | None = None
    netloc: str = ""
    secure: bool = False

    @property
    def chosen(self) -> list[Account]:
        """The accounts that the call is for; one that is not there yet begins to be."""
        return list(self.accounts) if self.account is None else [self.accounts.named(self.account)]

    @property
    def present(self) -> list[Account]:
        """The accounts that the call is for, as far as they are there; a reset makes a new one."""
        return list(self.accounts) if self.account is None else self.accounts.known(self.account)

    @property
    def accounts(self) -> Accounts:
        """All accounts of the port."""
        return self.port.accounts

    @property
    def for_port(self) -> bool:
        """Whether the call is for the whole port, accounts to come included."""
        return self.query.get("scope") == "port"


class Verb(Struct, frozen=True):
    """What is done, which parameters it takes beside ``scope``, and whose it is.

    ``do`` returns what is answered, or something that has to be awaited for it.
    """

    do: Callable[[Call], Any]
    takes: tuple[str, ...] = ()
    about: About = "accounts"
