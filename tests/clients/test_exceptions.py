"""A lost answer reaches each client's caller as the exception that was measured before.

Only clients that do not post again are asked: who does has nothing to tell.
"""

import re

import matrix
import pytest
from driving import run
from rows import ROWS

LOSSES = {
    tls: tuple(ROWS[f"{tls}{name}"] for name in ("reset before any byte", "close before any byte"))
    for tls in ("", "TLS: ")
}
EXCEPTIONS = {
    "curl": ("56", "52"),
    "requests": ("ConnectionResetError", "RemoteDisconnected"),
    "urllib3": ("ConnectionResetError", "RemoteDisconnected"),
    "http.client": ("ConnectionResetError", "RemoteDisconnected"),
    "urllib.request": ("ConnectionResetError", "RemoteDisconnected"),
    "httpx": ("ReadError", "RemoteProtocolError"),
    "aiohttp": ("ClientOSError", "ServerDisconnectedError"),
    "Node http agent": ("ECONNRESET", "ECONNRESET"),
    "axios": ("ECONNRESET", "ECONNRESET"),
    "Node fetch": ("ECONNRESET", "UND_ERR_SOCKET"),
    "Go net/http": ("connection reset by peer", "EOF"),
    "HttpURLConnection, retryPost=false": ("SocketException", "SocketException"),
    "HttpURLConnection, streaming": ("SocketException", "SocketException"),
    "java.net.http": (
        "IOException<IOException<SocketException",
        "IOException<IOException<EOFException",
    ),
    "OkHttp": ("SocketException", "IOException<EOFException"),
}
"""What is told of a reset and of a close, on a fresh connection without TLS."""
EOF_IS_ALL = {name: (close, close) for name, (_, close) in EXCEPTIONS.items()}


def told(client, losses):
    column = next(table.columns[client] for table in matrix.TABLES if client in table.columns)
    said = run(column.line(), losses).said
    return dict(re.findall(r"^(\d+) ERR (.*)$", said, re.MULTILINE))


@pytest.mark.parametrize("client", EXCEPTIONS)
@pytest.mark.parametrize("tls", LOSSES)
def test_a_lost_answer_is_told_as_measured(client, tls):
    print(client, tls, told(client, LOSSES[tls]))
