"""What a client of the model does with an order that it believes paid: capture, and refund."""

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

from calls import Answer, Call, Sleep

if TYPE_CHECKING:
    from clients import Env, Kind, Order


Send = Callable[[Call], Generator[Any, Any, Answer]]


def after(env: "Env", kind: "Kind", order: "Order", send: Send) -> Generator[Any, Any, bool]:
    """Do what this kind does afterwards; return whether the client believes that all is done."""
    call = partial(capture, env, kind, order)
    if kind.captures is not None and not (yield from insist(kind, send, call)):
        env.settle(order, "failed")
        return False
    parts = kind.parts if kind.refunds is not None else ()
    for part in parts:
        call = partial(give_back, env, kind, order, part)
        env.gave_back[order.name, part] = yield from insist(kind, send, call)
    return all(env.gave_back[order.name, part] for part in parts)


def insist(kind: "Kind", send: Send, call: Callable[[int], Call]) -> Generator[Any, Any, bool]:
    """Send a step of an order until its answer says how it went; return whether it went well."""
    for n in range(1, kind.tries + 1):
        seen = yield from send(call(n))
        if seen.kind == "answer" and seen.status == 200:
            return bool(seen.body.get("id"))
        if seen.kind == "answer" and seen.status not in kind.retries_on:
            return False
        if n < kind.tries:
            yield Sleep(kind.backoff * 2 ** (n - 1))
    return False


def capture(env: "Env", kind: "Kind", order: "Order", n: int) -> Call:
    """Return the request that captures what was only authorised."""
    intent = env.own.get(("intent", order.name)) if kind.intents else None
    about = f"payment_intents/{intent}" if intent else f"charges/{env.reported[order.name]}"
    return Call(
        path=f"/v1/{about}/capture",
        key=kind.captures and kind.captures(env, order, n),
        timeout=kind.timeout,
        agent=kind.agent,
        payment=order.name,
    )


def give_back(env: "Env", kind: "Kind", order: "Order", part: int, n: int) -> Call:
    """Return the request that gives a part of an order back."""
    assert kind.refunds is not None
    return Call(
        path="/v1/refunds",
        params={"charge": env.reported[order.name], "amount": str(part)},
        key=f"{kind.refunds(env, order, n)}-{part}",
        timeout=kind.timeout,
        agent=kind.agent,
    )
