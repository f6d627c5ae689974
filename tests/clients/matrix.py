"""The clients under test, by table; what they do is in README.md, which is the matrix.

A cell reads as in the measurements that it repeats: how many POSTs the server saw, ``=`` if they
carried one key, ``-`` if they carried none, then ``ok`` where the caller got its charge, ``ERR``
where it got an error and ``HANG`` where it got neither. Nothing is measured here: ``driving``
does.
"""

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Final

import compiled
from columns import Column, Line, Table
from driving import command
from rows import PLAIN_ROWS, ROWS, STRIPE_ROWS
from toolchain import Unavailable, node_modules

README: Final = Path(__file__).parent / "README.md"
PUBLISHED: Final = Path(__file__).parent / "published.md"
REUSED: Final = frozenset(name for name, row in ROWS.items() if row.connection != "fresh")
SILENT: Final = frozenset({"no answer until timeout", "half body, silence"})
"""A silent server is not worth the 80 s of a client that takes no time-out of ours."""


def _python(*words: str, package: str = "", without: frozenset[str] = frozenset()) -> Column:
    def line() -> Line:
        if package and importlib.util.find_spec(package) is None:
            raise Unavailable(f"{package} is not installed")
        return Line(command(words))

    return Column(line, without)


def _node(*words: str) -> Column:
    return Column(lambda: Line(command(words), {"NODE_PATH": str(node_modules())}))


def _curl(*words: str) -> Column:
    def line() -> Line:
        if shutil.which("curl") is None:
            raise Unavailable("curl is not installed")
        return Line(command(("curl.sh", *words)))

    return Column(line)


def _module(transport: str, package: str = "", without: frozenset[str] = frozenset()) -> Column:
    words = ("stripe_module.py", "--transport", transport)
    return _python(*words, package=package, without=without)


STRIPE: Final = Table(
    "stripe",
    {
        "Python requests": _module("requests"),
        "Python httpx": _module("httpx"),
        "Python aiohttp": _module("aiohttp"),
        "Python urllib": _module("urllib", without=SILENT | REUSED),
        "Python pycurl": _module("pycurl", "pycurl", SILENT),
        "Node": _node("stripe_node.cjs"),
        "Node fetch": _node("stripe_node.cjs", "--transport", "fetch"),
        "Node, 0 retries": _node("stripe_node.cjs", "--retries", "0"),
        "Node 18": _node("stripe_node.cjs", "--package", "stripe-18"),
        "Node 18, 0 retries": _node("stripe_node.cjs", "--package", "stripe-18", "--retries", "0"),
    },
    STRIPE_ROWS,
)
"""Stripe's own libraries, Python in module style."""

CLIENT: Final = Table(
    "StripeClient",
    {
        f"{transport}{note}": _python("stripe_client.py", "--transport", transport, *retries)
        for note, retries in (("", ()), (", 2 retries", ("--retries", "2")))
        for transport in ("requests", "httpx", "aiohttp")
    },
    STRIPE_ROWS,
)
"""stripe-python as ``StripeClient``: no retries unless they are asked for."""

PYTHON: Final = Table(
    "python",
    {
        "requests": _python("requests_session.py"),
        "requests, max_retries=3": _python("requests_session.py", "--retries", "number"),
        "requests, Retry": _python("requests_session.py", "--retries", "any"),
        "urllib3": _python("urllib3_pool.py"),
        "urllib3, Retry": _python("urllib3_pool.py", "--retries", "any"),
        "urllib3, Retry, statuses": _python("urllib3_pool.py", "--retries", "statuses"),
        "httpx": _python("httpx_client.py"),
        "httpx, retries=3": _python("httpx_client.py", "--retries", "3"),
        "aiohttp": _python("aiohttp_client.py"),
        "http.client": _python("http_client.py"),
        "urllib.request": _python("urllib_request.py", without=REUSED),
    },
    PLAIN_ROWS,
)
"""Python's clients that know nothing of Stripe."""

OTHERS: Final = Table(
    "plain",
    {
        "curl": _curl(),
        "curl --retry": _curl("--retry"),
        "curl --retry-all-errors": _curl("--retry-all"),
        "Node fetch": _node("fetch.cjs"),
        "Node http agent": _node("http_agent.cjs"),
        "Node http agent, retry if reused": _node("http_agent.cjs", "--retry-reused"),
        "axios": _node("axios.cjs"),
    },
    PLAIN_ROWS,
)
"""curl, and Node's clients that know nothing of Stripe."""

TABLES: Final[tuple[Table, ...]] = (STRIPE, CLIENT, PYTHON, OTHERS, *compiled.TABLES)

Cells = dict[str, dict[str, str]]


def wanted(table: Table, client: str) -> tuple[str, ...]:
    """Return the rows that a client has a cell in."""
    without = table.columns[client].without
    return tuple(row for row in table.rows if row not in without)


def node_packages() -> dict[str, str]:
    """Return the packages of the Node clients and their versions, as package.json asks."""
    manifest = json.loads((README.parent / "package.json").read_text(encoding="utf-8"))
    return {name: asked.rpartition("@")[2] for name, asked in manifest["dependencies"].items()}


def written(file: Path) -> dict[str, Cells]:
    """Return the cells of a file's tables: by table, by client, by row."""
    text = file.read_text(encoding="utf-8")
    return {
        table.name: _cells(_block(text, table.name))
        for table in TABLES
        if f"<!-- {table.name} -->" in text
    }


def _block(text: str, name: str) -> str:
    """Return what a text has between the comments of a name."""
    _, inside = text.split(f"<!-- {name} -->\n")
    return inside.partition(f"\n<!-- /{name} -->")[0]


def _cells(table: str) -> Cells:
    head, _, *lines = (_fields(line) for line in table.splitlines())
    return {
        client: {line[0]: line[at] for line in lines if line[at]}
        for at, client in enumerate(head)
        if at
    }


def _fields(line: str) -> list[str]:
    return [field.strip() for field in line.strip().split("|")[1:-1]]
