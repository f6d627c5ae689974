"""The twelve systems whose failures the seeds describe, and the situations that they are put in.

Each has a form that makes its key in the wrong place and one that is remedied.
"""

from typing import Final

from msgspec import Struct

FORMS: Final = ("unsafe", "remedied")
ALONE: Final = (
    "commit-then-timeout",
    "reset-after-commit",
    "stale-keep-alive",
    "late-commit",
    "key-after-retention",
    "slow-key-store",
)
"""Built-in profiles under which a system runs once."""

TOGETHER: Final = ("replica-race",)
"""And under which it runs as three replicas at once."""

REPLICAS: Final = 3
EXIT: Final = "exit status"
"""The column of what ``check`` ended with: 0 where every word was one that its profile expects."""


class System(Struct, frozen=True):
    """A system: what it is built on, where it makes its key, and whether it needs a database."""

    built_on: str
    key_made: str
    database: bool = False


SYSTEMS: Final[dict[str, System]] = {
    "undertow-callback": System(
        "UndertowClient, which connects again after a failure",
        "in the callback that hears of the connection",
    ),
    "undertow-helper": System(
        "UndertowClient, whose connection is kept", "in the helper that builds each request"
    ),
    "undertow-dispatch": System(
        "an Undertow handler, dispatched to a worker, with Apache HttpClient",
        "in the body of the loop",
    ),
    "undertow-suffix": System(
        "an Undertow handler, dispatched to a worker, with Apache HttpClient",
        "once, with the number of the attempt behind it",
    ),
    "xnio-recursion": System(
        "`XnioIoThread.executeAfter` around OkHttp", "at the entry of the method that calls itself"
    ),
    "xnio-reference": System(
        "`XnioIoThread.executeAfter` around OkHttp", "set anew in an `AtomicReference`"
    ),
    "cxf-interceptor": System(
        "a CXF proxy, called in a loop, with an outbound interceptor",
        "in the interceptor's `handleMessage`",
    ),
    "cxf-async": System(
        "CXF's asynchronous WebClient, which posts again from `failed`",
        "in the interceptor, for each post",
    ),
    "jaxws-handler": System(
        "a JAX-WS proxy within Resilience4j's Retry", "in the handler's `handleMessage`"
    ),
    "jaxws-singleton": System(
        "the same, with one proxy for the whole program", "in the handler's `handleMessage`"
    ),
    "scheduler": System(
        "a job on replicas that asks whether the period is billed, and notes it afterwards",
        "for each run of the job",
        database=True,
    ),
    "shedlock": System(
        "the same under ShedLock, whose `lockAtMostFor` is shorter than the job",
        "for each run of the job",
        database=True,
    ),
}
