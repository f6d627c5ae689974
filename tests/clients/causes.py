"""What each careless program is to be blamed for, and under which built-in profiles it shows.

Every program of the table has a twin named ``…_remedied.py`` that may be blamed for nothing.
"""

from typing import Final

from msgspec import Struct


class Careless(Struct, frozen=True):
    """One careless program: the profiles that show it, the cause, and how it is run."""

    profiles: tuple[str, ...]
    cause: str = "fresh_key_per_attempt"
    replicas: int = 1


LOST_ANSWERS: Final = ("commit-then-timeout", "reset-after-commit")
CARELESS: Final[dict[str, Careless]] = {
    "connection_callback": Careless(LOST_ANSWERS),
    "kept_connection": Careless(("close-after-commit", "late-commit")),
    "loop_body": Careless(LOST_ANSWERS),
    "attempt_suffix": Careless(LOST_ANSWERS, "attempt_in_key"),
    "delayed_recursion": Careless(("gateway-502-after-commit", "truncated-reply")),
    "reset_reference": Careless(("gateway-502-after-commit", "stored-500")),
    "interceptor": Careless(LOST_ANSWERS),
    "async_callback": Careless(LOST_ANSWERS),
    "retry_decorator": Careless(("gateway-502-after-commit", "close-after-commit")),
    "singleton_proxy": Careless(("truncated-reply", "reset-after-commit")),
    "replicated_job": Careless(("replica-race",), "replicas", replicas=3),
    "expiring_lock": Careless(("commit-then-timeout",), "replicas", replicas=3),
}
