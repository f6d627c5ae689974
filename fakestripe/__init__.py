"""fakestripe: a Stripe that loses answers on purpose, and says whether a retry charged twice."""

from typing import TYPE_CHECKING, Any

from fakestripe._version import __version__

if TYPE_CHECKING:
    from fakestripe.faults.rules import Profile
    from fakestripe.profiles import ProfileError, load_profile
    from fakestripe.server.control.in_loop import CONTROL, create_app
    from fakestripe.server.listener import Server
    from fakestripe.verdict import Verdict, judge

__all__ = [
    "CONTROL",
    "Profile",
    "ProfileError",
    "Server",
    "Verdict",
    "__version__",
    "create_app",
    "judge",
    "load_profile",
]

_HOMES = {
    "CONTROL": "fakestripe.server.control.in_loop",
    "Profile": "fakestripe.faults.rules",
    "ProfileError": "fakestripe.profiles",
    "Server": "fakestripe.server.listener",
    "Verdict": "fakestripe.verdict",
    "create_app": "fakestripe.server.control.in_loop",
    "judge": "fakestripe.verdict",
    "load_profile": "fakestripe.profiles",
}
"""Where a public name lives: imported when it is asked for, so that most users pay for none."""


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'fakestripe' has no attribute {name!r}")
    import importlib  # noqa: PLC0415  # a type checker and a shell pay for nothing else

    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return __all__
