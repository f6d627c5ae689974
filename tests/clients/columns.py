"""What the matrix is made of: a column is a client, and a table is clients that are struck alike.

A module of columns of its own (``compiled``) makes ``Table``s of these, and ``matrix`` lists
them. Nothing is measured or installed here. What a program of a column must do:

A program makes one charge with one client and adds no retry. The environment tells it where
(STRIPE_API_BASE), as whom (STRIPE_API_KEY) and, over TLS alone, whom to trust (STRIPE_CA, the
PEM file of an authority). It takes ``--reused`` (first send something harmless on the same
connection), ``--key K`` and ``--timeout S`` (2 if left out). It says in one line what came of
it, and exits 0 where the client returned the charge.

A program that takes ``--many`` does so for each line of its standard input, all at the same
time and none on a connection of another, until the input ends. A line is fields parted by tabs:
a number, the base URL, the API key, the authority or nothing, then the arguments. It is answered
by a line: the number, the exit status, what it says.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct


class Line(Struct, frozen=True):
    """How a program is started; ``many`` says that it takes ``--many``."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = {}
    many: bool = False


class Column(Struct, frozen=True):
    """One client.

    ``line`` installs or builds what the program needs, and raises ``toolchain.Unavailable``
    where it cannot. ``without`` names the rows that the client cannot have: its cells are empty.
    """

    line: Callable[[], Line]
    without: frozenset[str] = frozenset()


class Table(Struct, frozen=True):
    """Clients that are struck alike: a block of README.md, which its name marks."""

    name: str
    columns: Mapping[str, Column]
    rows: tuple[str, ...]
