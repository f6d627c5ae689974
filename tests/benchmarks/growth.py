"""What a ledger's size costs: exchanges stepped in process, small and large banks in turn.

No socket dilutes the ratio. Banks are filled through exchanges, but for the million charges of
the page row, whose ledger is written directly with copies of one charge.
"""

import itertools
import time
from collections.abc import Callable
from statistics import median

from msgspec import structs

from fakestripe.bank import Bank
from fakestripe.bank.journal import Journal
from fakestripe.exchange import Exchange
from fakestripe.faults.rules import FAULT_FREE
from fakestripe.protocol.effects import Performed, Send
from fakestripe.protocol.reply import Reply
from fakestripe.protocol.request import Request

SMALL, BATCH = 100, 50
ORDERS = itertools.count(1)
"""No two banks see the same order: what one has parsed must not be remembered for another."""


class Till:
    """A bank that is asked without a server."""

    def __init__(self) -> None:
        self.bank = Bank("acct_benchmark", wall=time.time, journal=Journal(time.perf_counter))
        self.known = 0

    def ask(self, method: str, path: str, *, query: str = "", number: int = 0) -> Reply:
        """Run one exchange to its end and return its reply."""
        body = f"amount=2000&currency=usd&source=tok_visa&metadata[order_id]=ord_{number}"
        request = Request(
            method=method,
            path=path,
            query=query,
            headers={
                "authorization": "Bearer sk_test_benchmark",
                "content-type": "application/x-www-form-urlencoded",
                "idempotency-key": f"key-{number}",
            },
            body=body.encode() if method == "POST" else b"",
            connection=1,
            request_on_connection=2,
            digest=f"{number}",
        )
        return run(Exchange(request, self.bank, FAULT_FREE))

    def create(self) -> str:
        """Make a charge of a fresh order under a fresh key and return its id."""
        return self.ask("POST", "/v1/charges", number=next(ORDERS)).ids[0]

    def fill(self, count: int) -> "Till":
        """Make so many charges; the last one's order is the ``known`` one."""
        for _ in range(count):
            self.create()
        self.known = next(ORDERS)
        self.ask("POST", "/v1/charges", number=self.known)
        return self


def run(exchange: Exchange) -> Reply:
    """Step an exchange whose client gets everything; fails on an error."""
    steps = exchange.run()
    effect = next(steps)
    assert isinstance(effect, Send)
    assert effect.reply.status == 200, effect.reply.body
    try:
        steps.send(Performed(bytes_sent=len(effect.reply.body), delivered=True))
    except StopIteration:
        return effect.reply
    raise AssertionError("the exchange goes on")


def timed(action: Callable[[], object], times: int = BATCH) -> float:
    """Return how long one action takes on average."""
    started = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - started) / times


def hundred_thousand(quick: bool) -> dict[str, float]:
    """Measure four requests at 100,000 charges against 100, in turn."""
    large = Till().fill(20_000 if quick else 100_000)
    times: dict[str, list[float]] = {}
    for _ in range(20 if quick else 60):
        small = Till().fill(SMALL)
        for name, make in ACTIONS.items():
            times.setdefault(name, []).append(timed(make(large)) / timed(make(small)))
    return {f"{name}-100k": median(ratios) for name, ratios in times.items()}


def _replay(till: Till) -> Callable[[], object]:
    return lambda: till.ask("POST", "/v1/charges", number=till.known)


def _retrieve(till: Till) -> Callable[[], object]:
    path = f"/v1/charges/{till.create()}"
    return lambda: till.ask("GET", path)


ACTIONS: dict[str, Callable[[Till], Callable[[], object]]] = {
    "replay": _replay,
    "retrieve": _retrieve,
    "page": lambda till: lambda: till.ask("GET", "/v1/charges", query="limit=10"),
    "create": lambda till: till.create,
}


def million(quick: bool) -> dict[str, float]:
    """Measure a page of 10 from the middle at 1,000,000 charges against 1,000, in turn."""
    asks = [_page_of(size) for size in (1_000, 100_000 if quick else 1_000_000)]
    ratios = []
    for _ in range(30):
        small, large = (timed(ask) for ask in asks)
        ratios.append(large / small)
    return {"page-1m": median(ratios)}


def _page_of(size: int) -> Callable[[], object]:
    till = Till()
    first = till.create()
    charges = till.bank.ledger.collection("charge")
    charge = charges.by_id[first]
    for number in range(1, size):
        name = f"ch_copy{number:020}"
        charges.put(name, structs.replace(charge, id=name))
    query = f"limit=10&starting_after=ch_copy{size // 2:020}"
    return lambda: till.ask("GET", "/v1/charges", query=query)
