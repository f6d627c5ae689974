"""One call of a billing endpoint in an embedded server, handed from the I/O thread to a worker.

The stand-in for Undertow's ``HttpServerExchange``: ``dispatch`` runs the same handler again on a
worker thread, and ``attachments`` survive the hand-over. It decides nothing about the payment.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

WORKERS = ThreadPoolExecutor(max_workers=1)


class Exchange:
    """What a handler is called with."""

    def __init__(self) -> None:
        self.attachments: dict[str, str] = {}
        self.answer: Future[Any] = Future()

    @property
    def in_io_thread(self) -> bool:
        return threading.current_thread() is threading.main_thread()

    def dispatch(self, handler: Callable[["Exchange"], Any]) -> None:
        self.answer = WORKERS.submit(handler, self)
