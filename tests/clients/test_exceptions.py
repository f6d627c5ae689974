"""A lost answer reaches each client's caller as the exception that was measured before.

Only clients that do not post again are asked: those that do have nothing to tell.
"""

import re

import matrix
import pytest
from driving import run
from rows import ROWS
from toolchain import Unavailable

LOSSES = ("reset before any byte", "close before any byte")
EOF, HTTPX_EOF = "RemoteDisconnected", "RemoteProtocolError"
RST, JAVA_RST = "ConnectionResetError", "SocketException"
TOLD = {
    ("plain", "curl"): ("56", "52"),
    ("python", "requests"): (f"ConnectionError<ProtocolError<{RST}", EOF),
    ("python", "urllib3"): (f"ProtocolError<{RST}", f"ProtocolError<{EOF}"),
    ("python", "http.client"): (RST, EOF),
    ("python", "urllib.request"): (RST, EOF),
    ("python", "httpx"): ("ReadError", HTTPX_EOF),
    ("python", "aiohttp"): (f"ClientOSError<{RST}", "ServerDisconnectedError"),
    ("plain", "Node http agent"): ("ECONNRESET", "ECONNRESET"),
    ("plain", "axios"): ("ECONNRESET", "ECONNRESET"),
    ("plain", "Node fetch"): ("fetch failed<ECONNRESET", "fetch failed<UND_ERR_SOCKET"),
    ("plain-compiled", "Go net/http"): ("read: connection reset by peer", ": EOF"),
    ("plain-compiled", "HttpURLConnection, retryPost=false"): (JAVA_RST, JAVA_RST),
    ("plain-compiled", "HttpURLConnection, streaming"): (JAVA_RST, JAVA_RST),
    ("plain-compiled", "java.net.http"): (f"IOException<{JAVA_RST}", "IOException<EOFException"),
    ("plain-compiled", "OkHttp"): (JAVA_RST, "IOException<EOFException"),
    ("plain-compiled", "OkHttp 3"): (JAVA_RST, "IOException<EOFException"),
    ("plain-compiled", "Apache HttpClient 4"): (JAVA_RST, "NoHttpResponseException"),
    ("plain-compiled", "Apache HttpClient 5"): (JAVA_RST, "NoHttpResponseException"),
}
"""What a client tells of a reset, and of a close, without TLS."""
UNDER_TLS = {
    ("python", "requests"): (EOF, EOF),
    ("python", "urllib3"): (EOF, EOF),
    ("python", "http.client"): (EOF, EOF),
    ("python", "urllib.request"): (EOF, EOF),
    ("python", "httpx"): (HTTPX_EOF, HTTPX_EOF),
}
"""What it tells under TLS, where that is something else: an end of the stream."""


@pytest.mark.parametrize("tls", ["", "TLS: "])
@pytest.mark.parametrize(("table", "client"), TOLD)
def test_a_lost_answer_is_told_as_it_was_measured(table, client, tls, unavailable):
    expected = {**TOLD, **UNDER_TLS}[table, client] if tls else TOLD[table, client]
    column = next(each for each in matrix.TABLES if each.name == table).columns[client]
    try:
        line = column.line()
    except Unavailable as reason:
        unavailable(str(reason))

    said = run(line, [ROWS[tls + loss] for loss in LOSSES]).said

    told = [words for _, words in sorted(re.findall(r"^(\d) ERR (.*)$", said, re.MULTILINE))]
    assert [words for words, of in zip(told, expected, strict=True) if of not in words] == []
