"""Kinds of client: how they make keys, when they retry, what they read back, what they report.

``safe`` says that no fault of these can make the client charge twice. Each program returns its
exit status; what it believes of each order is noted in ``Env.believed``.
"""

import hashlib
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import afterwards
from calls import Answer, Call, Program, Sleep
from msgspec import Struct, field
from world import World

FINE, FAILED = 0, 1


class Order(Struct):
    """One payment that the client sets out to make."""

    name: str
    amount: int = 2000
    customer: str | None = None
    source: str = "tok_visa"


class Env(Struct):
    """What a program has: its world, its orders, and what it comes to believe."""

    world: World
    orders: list[Order]
    run: int = 0
    replica: int = 1
    believed: dict[str, str] = field(default_factory=dict)
    reported: dict[str, str] = field(default_factory=dict)
    gave_back: dict[tuple[str, int], bool] = field(default_factory=dict)
    shared: dict[str, Any] = field(default_factory=dict)
    own: dict[str, Any] = field(default_factory=dict)
    counter: list[int] = field(default_factory=lambda: [0])

    def fresh(self, prefix: str = "") -> str:
        """Return a value that nobody ever had."""
        self.counter[0] += 1
        seed = f"{self.run}:{self.replica}:{self.counter[0]}"
        return prefix + hashlib.sha256(seed.encode()).hexdigest()[:32]

    def settle(self, order: Order, belief: str, charge: str | None = None) -> None:
        """Note what the client believes of an order."""
        self.believed[order.name] = belief
        if charge is not None:
            self.reported[order.name] = charge


Key = Callable[[Env, Order, int], str | None]
Params = Callable[[Env, Order, int], dict[str, str]]


class Kind(Struct, kw_only=True):
    """A kind of client; see ``pay`` for what the fields do."""

    name: str
    key: Key
    safe: bool
    params: Params = lambda env, order, n: named(order)
    tries: int = 3
    sdk_tries: int = 1
    backoff: float = 0.5
    timeout: float = 2.0
    retries_on: frozenset[int] = frozenset({409, 429, 500, 502, 503, 504, 408})
    read_back: bool = False
    new_card: bool = False
    card: str = "tok_visa"
    swallow: bool = False
    trusts_200: bool = False
    submits: int = 1
    agent: str = "model"
    resends: bool = False
    reused: bool = False
    account: Callable[[Env, Order, int], str] = lambda env, order, n: "sk_test_a"
    cause: str | None = None
    once_by_lock: float | None = None
    amount: Callable[[Order, int], int] = lambda order, n: order.amount
    orders: int = 1
    parallel: bool = False
    stop_at_failure: bool = False
    replicas: int = 1
    intents: bool = False
    customers: bool = False
    forgets: bool = False
    stagger: float = 0.0
    amounts: tuple[int, ...] = (2000,)
    captures: Key | None = None
    refunds: Key | None = None
    parts: tuple[int, ...] = (500,)
    dodges: bool = False


def named(order: Order, **more: str) -> dict[str, str]:
    """Return parameters that name the order."""
    return {**bare(order), "metadata[order_id]": order.name, **more}


def bare(order: Order, **more: str) -> dict[str, str]:
    """Return parameters that name nothing."""
    payer = {"customer": order.customer} if order.customer else {"source": order.source}
    return {"amount": str(order.amount), "currency": "usd", **payer, **more}


def pay(env: Env, kind: Kind, order: Order) -> Generator[Any, Any, bool]:  # noqa: C901
    """Pay one order as this kind does; return whether the client believes it did."""
    card = order
    for n in range(1, kind.tries + 1):
        if kind.read_back and n > 1 and (yield from _already(env, kind, order)):
            return True
        seen = yield from (_by_intent if kind.intents else _by_charge)(env, kind, card, n)
        if seen.kind == "answer" and seen.status == 200:
            if seen.body.get("id") or kind.trusts_200:
                env.settle(order, "paid", _charge_in(seen))
                return True
        elif seen.kind == "answer" and seen.status == 402 and kind.new_card:
            card = Order(order.name, order.amount, order.customer, "tok_mastercard")
            continue
        elif kind.dodges and _error_type(seen) == "idempotency_error":
            env.own["dodge", order.name] = n
        elif seen.kind == "answer" and seen.status not in kind.retries_on:
            break
        if kind.forgets:
            env.own.clear()
        if n < kind.tries:
            yield Sleep(kind.backoff * 2 ** (n - 1))
    env.settle(order, "failed")
    return False


def _error_type(seen: Answer) -> str | None:
    """Return the type of an error; a proxy in front of Stripe names its own by a text."""
    error = seen.body.get("error")
    return error.get("type") if isinstance(error, dict) else None


def _charge_in(seen: Answer) -> str | None:
    return seen.body.get("latest_charge") or seen.body.get("id")


def _by_charge(env: Env, kind: Kind, order: Order, n: int) -> Generator[Any, Any, Answer]:
    call = Call(
        params={
            **kind.params(env, order, n),
            "amount": str(kind.amount(order, n)),
            **({"capture": "false"} if kind.captures else {}),
        },
        key=kind.key(env, order, n),
        timeout=kind.timeout,
        agent=kind.agent,
        account=kind.account(env, order, n),
        payment=order.name,
        connection=env.own.get("connection") if kind.reused else None,
    )
    return (yield from _send(env, kind, call))


def _by_intent(env: Env, kind: Kind, order: Order, n: int) -> Generator[Any, Any, Answer]:
    """Create a payment intent, and confirm it; a new one per attempt if the key says so."""
    params = {**kind.params(env, order, n), "payment_method": "pm_card_visa"}
    params.pop("source", None)
    if kind.captures is not None:
        params["capture_method"] = "manual"
    key = kind.key(env, order, n)
    create = Call(
        path="/v1/payment_intents",
        params=params,
        key=key and f"{key}-create",
        payment=order.name,
    )
    made = yield from _send(env, kind, create)
    if made.kind != "answer" or made.status != 200 or "id" not in made.body:
        return made
    env.own["intent", order.name] = made.body["id"]
    path = f"/v1/payment_intents/{made.body['id']}/confirm"
    confirm = Call(path=path, key=key and f"{key}-confirm", payment=order.name)
    return (yield from _send(env, kind, confirm))


def with_customer(env: Env, order: Order) -> Generator[Any, Any, Order | None]:
    """Return the order as one of a customer made for it, or None if there will be none."""
    call = Call(
        path="/v1/customers",
        params={"email": f"{order.name}@example.org"},
        key=f"cus-{order.name}",
    )
    for _ in range(3):
        seen = yield call
        if seen.status == 200 and str(seen.body.get("id")).startswith("cus_"):
            return Order(order.name, order.amount, seen.body["id"])
        yield Sleep(0.5)
    return None


def _send(env: Env, kind: Kind, call: Call) -> Generator[Any, Any, Answer]:
    """Send as an SDK does: again with the same key, or as a stack does: again by itself."""
    seen = Answer("none")
    for n in range(kind.sdk_tries):
        if n:
            yield Sleep(0.5 * 2 ** (n - 1))
        if kind.reused and call.connection is None:
            env.own["connection"] = call.connection = env.world.next_connection()
            yield Call(
                method="GET",
                path="/v1/customers/cus_x",
                connection=call.connection,
                agent=kind.agent,
            )
        seen = yield call
        if seen.kind in ("reset", "closed", "cut"):
            env.own.pop("connection", None)
            if kind.resends and call.connection is not None and seen.kind != "cut":
                call.connection = None
                seen = yield call
            call.connection = None
        elif seen.kind == "timeout":
            env.own.pop("connection", None)
            call.connection = None
        if seen.kind == "answer" and seen.status not in kind.retries_on:
            return seen
    return seen


def _already(env: Env, kind: Kind, order: Order) -> Generator[Any, Any, bool]:
    seen = yield Call(method="GET", path="/v1/charges", params={"limit": "100"}, timeout=5.0)
    for charge in seen.body.get("data", []):
        if charge["metadata"].get("order_id") == order.name and charge["status"] == "succeeded":
            env.settle(order, "paid", charge["id"])
            return True
    return False


def program(env: Env, kind: Kind) -> Program:
    """Pay all orders; return the exit status."""
    if kind.once_by_lock is not None and not (yield from _locked(env, kind)):
        return FINE
    if kind.parallel:
        results = yield [_status(env, kind, order) for order in env.orders]
    else:
        results = []
        for order in env.orders:
            results.append((yield from _status(env, kind, order)))
            if results[-1] and kind.stop_at_failure:
                break
    return FINE if kind.swallow or not any(results) else FAILED


def _status(env: Env, kind: Kind, order: Order) -> Program:
    if kind.stagger:
        yield Sleep(kind.stagger * env.orders.index(order))
    if kind.customers:
        customer = yield from with_customer(env, order)
        if customer is None:
            env.settle(order, "failed")
            return FAILED
        order = customer
    paid = False
    for _ in range(kind.submits):
        paid = yield from pay(env, kind, order)
    if paid:
        paid = yield from afterwards.after(env, kind, order, partial(_send, env, kind))
    if kind.swallow:
        env.settle(order, "paid")
    return FINE if paid else FAILED


def _locked(env: Env, kind: Kind) -> Generator[Any, Any, bool]:
    """Take a lock that expires; a replica that finds it taken waits for it once."""
    assert kind.once_by_lock is not None
    taken = env.shared.get("lock", -1e9)
    if env.world.now - taken < kind.once_by_lock:
        yield Sleep(kind.once_by_lock)
        if env.shared.get("done"):
            return False
    env.shared["lock"] = env.world.now
    return True
