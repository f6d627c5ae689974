"""Lead a Python program to fakestripe from outside; every interpreter loads this at its start.

Its folder stands first in PYTHONPATH. stripe-python brings an authority of its own, aiohttp and
urllib3 ignore proxy variables: the first is told ours, the others find us under Stripe's name.
It must never break a program that is no client: a module is touched once the program itself has
imported it, and the ``sitecustomize`` that this one hides is run after it. The program may run on
an older Python than we do.
"""

import contextlib
import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import Any, Callable  # noqa: UP035  # where an older Python has it


def trust(stripe: Any) -> None:
    """Let stripe-python trust the throw-away authority, unless the program says whom."""
    stripe.ca_bundle_path = os.environ["FAKESTRIPE_CA_FILE"]


def heed_proxies(aiohttp: Any) -> None:
    """Let a session that says nothing of it read the proxy variables."""
    aiohttp.ClientSession.__init__.__kwdefaults__["trust_env"] = True


def stripes(host: Any) -> bool:
    """Return whether a name is one of Stripe's; under those that are not the API's we are unknown.

    So a client of another one fails at our certificate, and reaches nobody.
    """
    name = host.decode("latin-1") if isinstance(host, bytes) else str(host)
    return ("." + name.lower().rstrip(".")).endswith(".stripe.com")


def lead(socket: Any) -> None:
    """Let Stripe's names be ours, for who connects without a proxy."""
    ours, _, number = os.environ["FAKESTRIPE_LED_TO"].rpartition(":")
    plain = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *more: Any, **named: Any) -> Any:
        if stripes(host):
            return plain(ours.strip("[]"), int(number), *more, **named)
        return plain(host, port, *more, **named)

    socket.getaddrinfo = getaddrinfo


TOUCHED = {"stripe": trust, "aiohttp": heed_proxies, "socket": lead}
UNLIKE = (AttributeError, KeyError, TypeError, ValueError)
"""What a module raises that is none we know; it is left as it is."""


class Finder:
    """Finds what others find, and has a module touched once it was run."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Return where a module is, as all import finders do."""
        if name not in TOUCHED:
            return None
        others = (each for each in sys.meta_path if each is not self)
        found = (each.find_spec(name, path, target) for each in others)
        spec: Any = next((each for each in found if each is not None), None)
        if spec is not None and not isinstance(spec.loader, (type, type(None))):
            spec.loader.exec_module = touching(name, spec.loader.exec_module)
        return spec


def touching(name: str, run: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return how a module is run and then touched; in an archive others have the same loader."""

    def exec_module(module: Any) -> None:
        run(module)
        if module.__name__ == name:
            with contextlib.suppress(*UNLIKE):
                TOUCHED[name](module)

    return exec_module


def chain() -> None:
    """Run the ``sitecustomize`` that would have been found without this one."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120  # pathlib is slow
    others = [each for each in sys.path if os.path.abspath(each) != here]  # noqa: PTH100
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["sitecustomize"])


if "FAKESTRIPE_LED_TO" in os.environ:
    sys.meta_path.insert(0, Finder())
    for known, touch_it in TOUCHED.items():
        if known in sys.modules:
            touch_it(sys.modules[known])
chain()
