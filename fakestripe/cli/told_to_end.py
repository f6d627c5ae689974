"""What a command does when it is told to end by SIGTERM: it undoes what it began, as at Ctrl-C."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from fakestripe.cli.usage import TERMINATED


@contextmanager
def unwinding() -> Iterator[None]:
    """Let SIGTERM end what is within by ``SystemExit``, so that it is left as it was found."""
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(*_: object) -> NoReturn:
    raise SystemExit(TERMINATED)
