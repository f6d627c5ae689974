"""What the matrix is made of: a column is a client, and a table is clients that are struck alike.

A module of columns of its own (``compiled``) makes ``Table``s of these, and ``matrix`` lists
them. Nothing is measured or installed here. What a program of a column must do:

    program [its own options] [--reused] [--key K] [--timeout S] [URL ...]

It makes one charge on each server that is named (STRIPE_API_BASE, where none is), all at the
same time and none on a connection of another, with one client and no retry of its own.
``--reused`` sends something harmless first, on the same connection; the time-out is 2 s. The
environment has STRIPE_API_KEY and, over TLS, the file of the authority in SSL_CERT_FILE. Each
charge is told in a line: the number of its URL, "ok" where the client returned it or "ERR", a
word about it. No line: the client neither returned nor failed. The exit status is 1 unless all
are ok.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct


class Line(Struct, frozen=True):
    """How a program is started: its words, and what it needs of the environment."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = {}


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
