"""What leads code with ``https://api.stripe.com`` written in it to a server of ours, from outside.

It is nothing but environment. What the user had set is added to where a variable is a list
(NODE_OPTIONS, JAVA_TOOL_OPTIONS, PYTHONPATH, NO_PROXY), and replaced where it names one proxy:
that is said. Nothing here may let a request out to the real Stripe.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from fakestripe.server.intercept import variables
from fakestripe.server.intercept.variables import DIRECT, HERE, PROXIES, Files
from fakestripe.server.leading import HOOKS, PRELOAD

STRIPE: Final = "api.stripe.com"
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
    place, files = urlsplit(url).netloc, Files(store, str(PRELOAD), str(HOOKS))
    table = variables.leading(place, files, _direct(theirs), f"http://{place}")
    wanted = (each for each in table if theirs.get(each.name) or not each.beside_only)
    return {each.name: each.beside(theirs.get(each.name, "")) for each in wanted}


def told(theirs: Mapping[str, str]) -> list[str]:
    """Return the lines about what the user had set otherwise; a proxy's URL may hold a secret."""
    named = [name for name in PROXIES if theirs.get(name)]
    return [f"{name} names another proxy, and is replaced for your command" for name in named]


def ignored(program: str) -> str:
    """Return which variable a program would have ignored that never came here."""
    name = Path(program).name
    found = (each for each, names in BY.items() if name.startswith(names))
    return next(found, PROXIES[0])


def _direct(theirs: Mapping[str, str]) -> Iterator[str]:
    """Yield the hosts that need no proxy; what would let Stripe's name past ours is left out."""
    named = (each.strip() for name in DIRECT for each in theirs.get(name, "").split(","))
    yield from dict.fromkeys((*HERE, *(each for each in named if each and not _stripe(each))))


def _stripe(entry: str) -> bool:
    """Return whether an entry of NO_PROXY means Stripe: a host, a domain, or all there is."""
    domain = entry.lower().partition(":")[0].lstrip("*.")
    return not domain or f".{STRIPE}".endswith(f".{domain}")
