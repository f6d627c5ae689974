"""A server for a test, in a thread, and how what is wrong with a test is told: without traceback.

Live keys near a test are refused here, before anything is served. One throw-away authority is
good for all servers of a session.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from fakestripe.server.control.control import Control
    from fakestripe.server.edge.tls import Identity

LIVE: Final = ("sk_live_", "rk_live_")

_identity = pytest.StashKey["Identity"]()


def failure(text: str) -> BaseException:
    """Return a failure whose text says all: no traceback of ours belongs beside it."""
    return pytest.fail.Exception(text, pytrace=False)


@contextmanager
def refusals() -> Iterator[None]:
    """Fail with the text of what is wrong with a marker, an option or a profile."""
    from fakestripe.profiles import ProfileError  # noqa: PLC0415

    try:
        yield
    except (ProfileError, ValueError) as wrong:
        raise failure(str(wrong)) from None


@contextmanager
def served(config: pytest.Config, *, tls: Any = None) -> Iterator["Control"]:
    """Serve in a thread, unless a live key is near; ``tls`` None is what the ini option says."""
    if sys.platform == "win32":
        raise failure("fakestripe does not run on Windows: use WSL or the container image")
    for name, value in os.environ.items():
        if value.strip().startswith(LIVE):
            raise failure(
                f"the environment variable {name} holds a live Stripe key, so fakestripe does not "
                "start: unset it for the tests, or give it a key that begins with sk_test_"
            )
    from fakestripe.server.control.control import Control  # noqa: PLC0415
    from fakestripe.server.listener import Server  # noqa: PLC0415

    with refusals():
        identity = _identity_of(config) if asks_tls(config, tls) else False
    with Server(tls=identity) as server:
        yield Control(server.port, server)


def asks_tls(config: pytest.Config, tls: Any) -> bool:
    """Return whether a server is to speak TLS: what is said, else the ini option."""
    if tls not in (None, True, False):
        raise ValueError(f"tls={tls!r}: write True or False")
    return bool(config.getini("fakestripe_tls")) if tls is None else tls


def _identity_of(config: pytest.Config) -> "Identity":
    """Return the authority of the session, made for the first who asks."""
    if _identity not in config.stash:
        from fakestripe.server.edge.tls import Identity  # noqa: PLC0415

        config.stash[_identity] = Identity.made()
        config.add_cleanup(config.stash[_identity].close)
    return config.stash[_identity]
