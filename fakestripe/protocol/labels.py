"""Who sent a repeat: the HTTP stack by itself, another replica, an SDK, or the application.

A stack is accused only where it is known to resend under exactly this condition. The table is
measured (design notes on clients): on which connection, with or without a key, after what.
"""

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from fakestripe.protocol.attempt import Attempt, Label
from fakestripe.protocol.settling import is_over

SOON: Final = 0.1
"""Seconds within which a stack resends by itself; all measured gaps are below 50 ms."""


class Stack(Struct, frozen=True):
    """An HTTP stack that resends a POST: on which connection, with which key, after which end.

    ``agents`` are beginnings of its User-Agent; ``statuses`` are answers after which it resends,
    on any connection.
    """

    name: str
    agents: tuple[str, ...]
    connection: Literal["any", "reused"] = "reused"
    key: Literal["any", "present"] = "any"
    after_head: bool = False
    statuses: frozenset[int] = frozenset()


STACKS: Final = (
    Stack("libcurl", ("curl/", "libcurl/", "PycURL/", "Stripe/v1 PhpBindings/", "PHP-cURL")),
    Stack("OkHttp", ("okhttp/",), after_head=True, statuses=frozenset({408, 503})),
    Stack("HttpURLConnection", ("Java/",), connection="any", after_head=True),
    Stack("Go net/http", ("Go-http-client/", "Stripe/v1 GoBindings/"), key="present"),
)
"""Stacks that resend with their defaults (faults.md, section 4)."""

PROXY: Final = Stack("a proxy on the way", ())
"""Who sent what the fault ``resend`` has sent once more."""

EITHER: Final = ("python-requests/", "python-urllib3/", "got ", "node-superagent/")
"""Stacks that resend where they are told to: "your code or its HTTP library"."""


def stack_of(user_agent: str) -> Stack | None:
    """Return the stack of a User-Agent, if it is one that resends by itself."""
    return next((stack for stack in STACKS if user_agent.startswith(stack.agents)), None)


def sender(attempt: Attempt) -> Stack | None:
    """Return the stack that an attempt came from, if it is one that resends by itself."""
    return PROXY if attempt.resent else stack_of(attempt.user_agent)


def resender(attempt: Attempt, before: Attempt) -> Stack | None:
    """Return the stack that sent ``attempt`` by itself because of what befell ``before``."""
    if attempt.resent:
        return PROXY
    stack = stack_of(attempt.user_agent)
    if stack is None or attempt.digest != before.digest or not attempt.digest:
        return None
    if before.ended_s is None or not 0 <= attempt.started_s - before.ended_s <= SOON:
        return None
    if stack.key == "present" and attempt.idempotency_key is None:
        return None
    if before.status in stack.statuses and before.delivery in ("intact", "altered"):
        return stack
    return stack if _died(before, stack) else None


def _died(before: Attempt, stack: Stack) -> bool:
    """Return whether the server ended the connection in a way that makes the stack resend."""
    left_first = before.left_s is not None and before.ended_s is not None
    if left_first and before.left_s <= before.ended_s:  # type: ignore[operator]
        return False
    if stack.connection == "reused" and before.request_on_connection <= 1:
        return False
    cut_in_head = before.delivery == "partial" and any("head" in done for done in before.faults)
    return before.delivery == "none" or (cut_in_head and stack.after_head)


def label(
    attempt: Attempt, before: Attempt | None, flying: Iterable[Attempt], *, same_key: bool
) -> Label:
    """Return who sent an arrival.

    ``before`` is the last arrival of its operation and step, ``flying`` those that may not have
    ended yet, ``same_key`` whether an earlier one had its key.
    """
    if before is None:
        return "first"
    if resender(attempt, before) is not None:
        return "transport_resend"
    if any(not is_over(other, attempt.started_s) for other in flying):
        return "replica"
    return "sdk_retry" if same_key else "app_retry"
