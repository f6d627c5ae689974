"""A settable reference that is handed from call to call: Java's ``AtomicReference``.

``set`` replaces what is there, ``set_if_empty`` does not: the difference between two payments
and one. It decides nothing about the payment.
"""

import threading


class Reference:
    """Holds one text."""

    def __init__(self) -> None:
        self._value: str | None = None
        self._lock = threading.Lock()

    def get(self) -> str:
        assert self._value is not None
        return self._value

    def set(self, value: str) -> None:
        with self._lock:
            self._value = value

    def set_if_empty(self, value: str) -> None:
        with self._lock:
            self._value = self._value or value
