"""A retry decorator as libraries offer it: the whole method is entered again.

It decides nothing about the payment, and that is the point: what the method makes, it makes
again.
"""

import functools
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def retry(
    on: tuple[type[Exception], ...], attempts: int, pause: Callable[[int], float]
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Enter the method again, up to ``attempts`` times, when it raises one of ``on``."""

    def decorate(method: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(method)
        def entered(*args: P.args, **kwargs: P.kwargs) -> R:
            for attempt in range(attempts - 1):
                try:
                    return method(*args, **kwargs)
                except on:
                    time.sleep(pause(attempt))
            return method(*args, **kwargs)

        return entered

    return decorate
