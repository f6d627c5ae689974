"""The variables by which a client with ``https://api.stripe.com`` written in it is led here.

One table for those whom ``check`` starts and for those beside a sidecar, who source it. Where a
variable is a list, what the user has set stays in it; no entry of NO_PROXY may name Stripe.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from fakestripe.server.intercept.trust import PASSWORD

PROXIES: Final = ("HTTPS_PROXY", "https_proxy")
DIRECT: Final = ("NO_PROXY", "no_proxy")
HERE: Final = ("localhost", "127.0.0.1", "::1")
"""The user's own services, to which no client goes through a proxy."""
LED: Final = "FAKESTRIPE_LED_TO"
"""HOST:PORT of who answers in Stripe's place under TLS, for our hooks in Node and Python."""

BUNDLES: Final = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""What names all the authorities there are."""
ADDED: Final = ("FAKESTRIPE_CA_FILE", "NODE_EXTRA_CA_CERTS")
"""What names ours, beside those that a client knows; the first is for our hooks."""
OUTRANKING: Final = ("JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
"""What a JVM obeys rather than JAVA_TOOL_OPTIONS: ours is added where the user has set it."""
JAVA_HERE: Final = {"127.0.0.1": "127.*", "::1": "[::1]"}
"""How the JVM writes those that it writes otherwise."""

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "curl": (*PROXIES, *DIRECT, "FAKESTRIPE_CA_FILE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"),
    "go": (*PROXIES, *DIRECT, "FAKESTRIPE_CA_FILE", "SSL_CERT_FILE"),
    "java": ("FAKESTRIPE_CA_FILE", "JAVA_TOOL_OPTIONS", *OUTRANKING),
    "node": (*PROXIES, *DIRECT, *ADDED, LED, "NODE_OPTIONS"),
    "python": (*PROXIES, *DIRECT, "FAKESTRIPE_CA_FILE", *BUNDLES, LED, "PYTHONPATH"),
}
"""Which of them each kind of client heeds."""


class Files(Struct, frozen=True):
    """Where a client finds what it reads: the JVM's trust store, and our hooks."""

    store: str
    preload: str
    hooks: str


class Variable(Struct, frozen=True):
    """One variable; with ``between`` it is a list, in which the user's value stays.

    ``first``: ours stands before the user's; ``beside_only``: it is unset where they have none.
    """

    name: str
    value: str
    between: str = ""
    first: bool = False
    beside_only: bool = False

    def beside(self, theirs: str) -> str:
        """Return the value beside what the user had set."""
        if not (theirs and self.between):
            return self.value
        pair = (self.value, theirs) if self.first else (theirs, self.value)
        return self.between.join(pair)


def trusting(ca: str, bundle: str) -> Iterator[Variable]:
    """Yield what makes a client trust us: by a file of our authority, and one of all there are."""
    yield from (Variable(name, ca) for name in ADDED)
    yield from (Variable(name, bundle) for name in BUNDLES)


def leading(
    place: str, files: Files, direct: Iterable[str] = HERE, proxy: str | None = None
) -> Iterator[Variable]:
    """Yield what leads a client to ``place`` (HOST:PORT), which answers in Stripe's name.

    ``proxy`` is its URL as a proxy, None where it is none; ``direct`` are the hosts that clients
    reach without one, those that the user has named among them.
    """
    direct = tuple(direct)
    if proxy is not None:
        yield from (Variable(name, proxy) for name in PROXIES)
        yield from (Variable(name, ",".join(direct)) for name in DIRECT)
    yield Variable(LED, place)
    yield Variable("NODE_OPTIONS", f"--require {_quoted(files.preload)}", " ")
    java = _java(files.store, direct, proxy)
    yield Variable("JAVA_TOOL_OPTIONS", java, " ")
    yield from (Variable(name, java, " ", beside_only=True) for name in OUTRANKING)
    yield Variable("PYTHONPATH", files.hooks, ":", first=True)


def _java(store: str, direct: tuple[str, ...], proxy: str | None) -> str:
    """Return the options of a JVM; it knows no ranges of addresses, and writes * for a domain."""
    settings = {}
    if proxy is not None:
        parts = urlsplit(proxy)
        hosts = (JAVA_HERE.get(each, each) for each in direct if "/" not in each)
        settings = {
            "https.proxyHost": str(parts.hostname),
            "https.proxyPort": str(parts.port),
            "http.nonProxyHosts": "|".join(f"*{at}" if at[0] == "." else at for at in hosts),
        }
    settings |= {
        "javax.net.ssl.trustStore": _quoted(store),
        "javax.net.ssl.trustStorePassword": PASSWORD,
    }
    return " ".join(f"-D{name}={value}" for name, value in settings.items())


def _quoted(path: str) -> str:
    """Return a path as NODE_OPTIONS and JAVA_TOOL_OPTIONS take one with blanks in it."""
    return f'"{path}"' if " " in path else path
