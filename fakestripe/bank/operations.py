"""Which operation an arrival belongs to: the memory behind ``protocol.operation``."""

from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.declared import Intent
from fakestripe.protocol.lesson import Lesson


class Operations:
    """The operations of one account, found in constant time."""

    __slots__ = ("_attempts", "_by_key", "_by_object", "_count")

    def __init__(self) -> None:
        self._by_key: dict[tuple[str, str], str] = {}
        self._by_object: dict[str, str] = {}
        self._attempts: dict[tuple[str, str], int] = {}
        self._count = 0

    def configure(self, selector: str | None = None, lesson: Lesson | None = None) -> None:
        """Set what names operations; what is not given stays as it was."""

    def declare(self, intent: Intent) -> None:
        """Take in what the client sets out to pay."""

    def place(self, attempt: Attempt) -> None:
        """Set operation and attempt number of an arrival that is a step of a payment."""
        if attempt.step is None:
            return
        key = (attempt.step, attempt.idempotency_key or f"#{attempt.arrival}")
        operation = self._by_key.get(key)
        if operation is None:
            self._count += 1
            operation = self._by_key[key] = f"op_{self._count}"
        attempt.operation = operation
        number = self._attempts.get((operation, attempt.step), 0) + 1
        self._attempts[operation, attempt.step] = number
        attempt.attempt = number
