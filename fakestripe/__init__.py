"""fakestripe: a Stripe that loses answers on purpose, and says whether a retry charged twice."""

from typing import Any

from fakestripe._version import __version__

__all__ = ["Server", "__version__"]

_HOMES = {"Server": "fakestripe.server.listener"}


def __getattr__(name: str) -> Any:
    """Import the public names when they are asked for: most users pay for none of them."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'fakestripe' has no attribute {name!r}")
    import importlib  # noqa: PLC0415

    return getattr(importlib.import_module(home), name)
