"""What leads code with ``https://api.stripe.com`` written in it to a server of ours, from outside.

It is nothing but environment. What the user had set is added to where a variable is a list
(NODE_OPTIONS, JAVA_TOOL_OPTIONS, PYTHONPATH, NO_PROXY), and replaced where it names one proxy:
that is said. Nothing here may let a request out to the real Stripe.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

import fakestripe

LEADING: Final = Path(fakestripe.__file__).parent / "server" / "leading"
PRELOAD: Final = str(LEADING / "node" / "preload.cjs")
HOOKS: Final = str(LEADING / "python")
PROXIES: Final = ("HTTPS_PROXY", "https_proxy")
DIRECT: Final = ("NO_PROXY", "no_proxy")
HERE: Final = ("localhost", "127.0.0.1", "::1")
"""The user's own services, to which no client goes through a proxy."""

JAVA_HERE: Final = {"127.0.0.1": "127.*", "::1": "[::1]"}
"""How the JVM writes those that it writes otherwise."""

STRIPE: Final = "api.stripe.com"
PASSWORD: Final = "changeit"  # noqa: S105  # the one that every JVM has
BY: Final = {
    "NODE_OPTIONS": ("node", "npm", "npx", "yarn", "pnpm", "tsx", "ts-node"),
    "PYTHONPATH": ("python", "pytest", "gunicorn", "uvicorn", "uv", "poetry"),
    "JAVA_TOOL_OPTIONS": ("java", "mvn", "mvnw", "gradle", "gradlew"),
}
"""Which variable leads a program, beside HTTPS_PROXY, by what its name begins with."""


def leading(theirs: Mapping[str, str], url: str, store: str) -> dict[str, str]:
    """Return the variables for a server that is a proxy at ``url``, given those of the user.

    ``store`` is a trust store of the JVM that holds the server's authority.
    """
    place = urlsplit(url)
    direct = tuple(_direct(theirs))
    return {
        **dict.fromkeys(PROXIES, f"http://{place.netloc}"),
        **dict.fromkeys(DIRECT, ",".join(direct)),
        "FAKESTRIPE_INTERCEPT": place.netloc,
        "NODE_OPTIONS": _after(theirs, "NODE_OPTIONS", f"--require {_quoted(PRELOAD)}"),
        "JAVA_TOOL_OPTIONS": _after(theirs, "JAVA_TOOL_OPTIONS", _java(place, direct, store)),
        "PYTHONPATH": os.pathsep.join(filter(None, (HOOKS, theirs.get("PYTHONPATH")))),
    }


def told(theirs: Mapping[str, str]) -> list[str]:
    """Return the lines about what the user had set otherwise; a proxy's URL may hold a secret."""
    named = [name for name in PROXIES if theirs.get(name)]
    return [f"{name} names another proxy, and is replaced for your command" for name in named]


def ignored(program: str) -> str:
    """Return which variable a program would have ignored that never came here."""
    name = Path(program).name
    found = (each for each, names in BY.items() if name.startswith(names))
    return next(found, PROXIES[0])


def _after(theirs: Mapping[str, str], name: str, ours: str) -> str:
    return f"{theirs.get(name, '')} {ours}".strip()


def _quoted(path: str) -> str:
    """Return a path as NODE_OPTIONS and JAVA_TOOL_OPTIONS take one with blanks in it."""
    return f'"{path}"' if " " in path else path


def _direct(theirs: Mapping[str, str]) -> Iterator[str]:
    """Yield the hosts that need no proxy; what would let Stripe's name past ours is left out."""
    named = (each.strip() for name in DIRECT for each in theirs.get(name, "").split(","))
    yield from dict.fromkeys((*HERE, *(each for each in named if each and not _stripe(each))))


def _stripe(entry: str) -> bool:
    """Return whether an entry of NO_PROXY means Stripe: a host, a domain, or all there is."""
    domain = entry.lower().partition(":")[0].lstrip("*.")
    return not domain or f".{STRIPE}".endswith(f".{domain}")


def _java(place: SplitResult, direct: tuple[str, ...], store: str) -> str:
    """Return the options of a JVM; it knows no ranges of addresses, and writes * for a domain."""
    hosts = (JAVA_HERE.get(each, each) for each in direct if "/" not in each)
    settings = {
        "https.proxyHost": place.hostname,
        "https.proxyPort": place.port,
        "http.nonProxyHosts": "|".join(f"*{each}" if each[0] == "." else each for each in hosts),
        "javax.net.ssl.trustStore": _quoted(store),
        "javax.net.ssl.trustStorePassword": PASSWORD,
    }
    return " ".join(f"-D{name}={value}" for name, value in settings.items())
