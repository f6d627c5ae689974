"""What each client does when its first attempt is struck: the number of POSTs and their keys.

A cell reads as in the measurements it repeats: how many POSTs the server saw, ``=`` if they
carried one key, ``-`` if they carried none, then ``ok`` where the caller got its charge, ``ERR``
where it got an error and ``HANG`` where it got neither. It measures nothing: ``driving`` does.
"""

from typing import Final, TypeAlias

Columns: TypeAlias = dict[str, tuple[str, ...]]
Rows: TypeAlias = dict[str, str]

PY, CLIENT, NODE = "stripe_module.py", "stripe_client.py", "stripe_node.cjs"

FAULTS: Final[dict[str, str]] = {
    "close before any byte": "at: committed, do: close",
    "reset before any byte": "at: committed, do: reset",
    "half a status line, close": "at: replying, do: {truncate: {head: 8, then: close}}",
    "headers only, close": "at: replying, do: {truncate: {body: 0, then: close}}",
    "half body, length, close": "at: replying, do: {truncate: {body: 50%, then: close}}",
    "half body, reset": "at: replying, do: {truncate: {body: 50%, then: reset}}",
    "half body, chunked, close": (
        "at: replying, do: {truncate: {body: 50%, framing: chunked, then: close}}"
    ),
    "half body, no length, close": (
        "at: replying, do: {truncate: {body: 50%, framing: unframed, then: close}}"
    ),
    "half body, silence": "at: replying, do: {truncate: {body: 50%, then: hang}}",
    "200 with broken JSON": (
        "at: committed, do: {reply: {status: 200, headers: {Content-Type: application/json}, "
        'body: \'{"id": "ch_\'}}'
    ),
    "no answer until timeout": "at: committed, do: {hang: 60s}",
    "500 JSON": "at: committed, do: {reply: {stripe: api_error}}",
    "500 JSON, Should-Retry true": (
        "at: committed, do: {reply: {status: 500, headers: {Stripe-Should-Retry: 'true'}, "
        'body: \'{"error": {"type": "api_error", "message": "?"}}\'}}'
    ),
    "500 JSON, Should-Retry false": (
        "at: committed, do: {reply: {stripe: api_error, record: substitute}}"
    ),
    "502 HTML": "at: committed, do: {reply: {status: 502}}",
    "504 HTML": "at: committed, do: {reply: {status: 504}}",
    "409 key in use": "at: received, do: {reply: {stripe: idempotency_key_in_use}}",
    "429 lock_timeout, Should-Retry true": "at: received, do: {reply: {stripe: lock_timeout}}",
    "429 rate_limit": "at: received, do: {reply: {stripe: rate_limit}}",
}
"""Each row: the fault that strikes attempt 1, as a rule of a profile says it."""

ALWAYS: Final = "close on every attempt"
EVERY: Final = "at: received, do: close"
"""The last row, and its fault: it strikes every attempt, not the first alone."""

STRIPE_COLUMNS: Final[Columns] = {
    "Python requests": (PY, "--transport", "requests"),
    "Python httpx": (PY, "--transport", "httpx"),
    "Python aiohttp": (PY, "--transport", "aiohttp"),
    "Python urllib": (PY, "--transport", "urllib"),
    "Node": (NODE,),
    "Node fetch": (NODE, "--transport", "fetch"),
    "Node, 0 retries": (NODE, "--retries", "0"),
    "Node 18, 0 retries": (NODE, "--package", "stripe-18", "--retries", "0"),
}
"""Stripe's own libraries, Python in module style: the program and its arguments."""

STRIPE_ROWS: Final[Rows] = {
    "close before any byte": ("2= ok | 2= ok | 2= ok | 1 ERR | 2= ok | 2= ok | 2= ok | 2- ok"),
    "reset before any byte": ("2= ok | 2= ok | 2= ok | 1 ERR | 2= ok | 2= ok | 2= ok | 2- ok"),
    "half a status line, close": ("2= ok | 2= ok | 2= ok | 1 ERR | 2= ok | 2= ok | 2= ok | 2- ok"),
    "headers only, close": ("1 ERR | 2= ok | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 HANG"),
    "half body, length, close": ("1 ERR | 2= ok | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 HANG"),
    "half body, reset": ("1 ERR | 2= ok | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 HANG"),
    "half body, chunked, close": (
        "1 ERR | 2= ok | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 HANG"
    ),
    "half body, no length, close": (
        "1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR"
    ),
    "half body, silence": ("2= ok | 2= ok | 1 ERR | none | 1 ERR | 1 ERR | 1 ERR | 1 HANG"),
    "200 with broken JSON": ("1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR"),
    "no answer until timeout": ("2= ok | 2= ok | 2= ok | none | 2= ok | 2= ok | 1 ERR | 1 ERR"),
    "500 JSON": "2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 1 ERR | 1 ERR",
    "500 JSON, Should-Retry true": (
        "2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 1 ERR | 1 ERR"
    ),
    "500 JSON, Should-Retry false": (
        "1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR"
    ),
    "502 HTML": "2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 1 ERR | 1 ERR",
    "504 HTML": "2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 1 ERR | 1 ERR",
    "409 key in use": ("2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 1 ERR | 1 ERR"),
    "429 lock_timeout, Should-Retry true": (
        "2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 2= ok | 1 ERR | 1 ERR"
    ),
    "429 rate_limit": ("1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR"),
    ALWAYS: ("3= ERR | 3= ERR | 3= ERR | 1 ERR | 3= ERR | 3= ERR | 2= ERR | 2- ERR"),
}

CLIENT_COLUMNS: Final[Columns] = {
    f"{transport}{note}": (CLIENT, "--transport", transport, *retries)
    for note, retries in (("", ()), (", 2 retries", ("--retries", "2")))
    for transport in ("requests", "httpx", "aiohttp")
}
"""stripe-python as ``StripeClient``: no retries unless they are asked for."""

CLIENT_ROWS: Final[Rows] = {
    "close before any byte": "1 ERR | 1 ERR | 1 ERR | 2= ok | 2= ok | 2= ok",
    "reset before any byte": "1 ERR | 1 ERR | 1 ERR | 2= ok | 2= ok | 2= ok",
    "headers only, close": "1 ERR | 1 ERR | 1 ERR | 1 ERR | 2= ok | 1 ERR",
    "half body, length, close": "1 ERR | 1 ERR | 1 ERR | 1 ERR | 2= ok | 1 ERR",
    "half body, silence": "1 ERR | 1 ERR | 1 ERR | 2= ok | 2= ok | 1 ERR",
    "no answer until timeout": "1 ERR | 1 ERR | 1 ERR | 2= ok | 2= ok | 2= ok",
    "500 JSON": "1 ERR | 1 ERR | 1 ERR | 2= ok | 2= ok | 2= ok",
    "502 HTML": "1 ERR | 1 ERR | 1 ERR | 2= ok | 2= ok | 2= ok",
    "409 key in use": "1 ERR | 1 ERR | 1 ERR | 2= ok | 2= ok | 2= ok",
    "429 rate_limit": "1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR",
}

PLAIN_COLUMNS: Final[Columns] = {
    "requests": ("requests_session.py",),
    "requests, retry adapter": ("requests_session.py", "--retry-adapter"),
    "httpx": ("httpx_client.py",),
    "curl": ("curl.sh",),
    "curl, reused": ("curl.sh", "--reused"),
    "curl, reused, keyed": ("curl.sh", "--reused", "--key", "K1"),
    "Node fetch": ("fetch.cjs",),
    "Node agent, reused": ("keep_alive_agent.cjs",),
    "Node agent, reused, keyed": ("keep_alive_agent.cjs", "--key", "K1"),
}
"""Clients that know nothing of Stripe; "reused" is a connection that carried a request before."""

PLAIN_ROWS: Final[Rows] = {
    "close before any byte": (
        "1 ERR | 2- ok | 1 ERR | 1 ERR | 2- ok | 2= ok | 1 ERR | 2- ok | 2= ok"
    ),
    "reset before any byte": (
        "1 ERR | 2- ok | 1 ERR | 1 ERR | 2- ok | 2= ok | 1 ERR | 2- ok | 2= ok"
    ),
    "half body, length, close": (
        "1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR"
    ),
    "no answer until timeout": (
        "1 ERR | 2- ok | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR"
    ),
    "502 HTML": "1 ERR | 2- ok | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR | 1 ERR",
}

UNMEASURED: Final = "none"
"""stripe-python's urllib transport takes no timeout of ours: a silent server is not worth 80 s."""


TABLES: Final = (
    ("stripe", STRIPE_COLUMNS, STRIPE_ROWS),
    ("StripeClient", CLIENT_COLUMNS, CLIENT_ROWS),
    ("plain", PLAIN_COLUMNS, PLAIN_ROWS),
)


def column(name: str, columns: Columns, rows: Rows) -> dict[str, str]:
    """Return the cells of one column, without those that are not measured."""
    place = list(columns).index(name)
    cells = {row: line.split(" | ")[place] for row, line in rows.items()}
    return {row: cell for row, cell in cells.items() if cell != UNMEASURED}
