"""The same profile gives the same faults, in whatever order operations arrive."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator

import aiohttp
import pytest
from msgspec import Struct

from fakestripe.profiles import parse
from fakestripe.server.listener import Server

pytestmark = pytest.mark.asyncio

RUNS = 20
ORDERS = tuple(f"ord_{number}" for number in range(1, 11))
RULES = """
rules:
  - {match: {params: {metadata.order_id: ord_3}}, at: claimed, when: {attempt: 1}, do: reset}
  - {match: {params: {amount: "2007"}}, at: received, when: {attempt: [1, 2]}, do: close}
  - {match: {idempotency_key: absent}, at: committed, when: {attempt: 1}, do: reset}
  - {at: committed, when: {attempt: 1}, do: [{wait: 5ms}, reset]}
  - {at: received, when: {attempt: 2}, do: {reply: {status: 503}}}
  - {at: replying, when: {attempt: 3}, do: {truncate: {body: 50%, then: close}}}
"""
BY_NUMBER = (
    "  - {at: received, when: {operation: 5, attempt: 4}, do: {reply: {stripe: rate_limit}}}\n"
)
"""Only declared operations have a number that is no order of arrival."""


class Kind(Struct, frozen=True):
    """How operations are told apart, and what the client sends."""

    profile: str
    key: Callable[[str, int], str | None]


def stable(order: str, _: int) -> str:
    return f"key-of-{order}"


def fresh(order: str, attempt: int) -> str:
    return f"{order}-{attempt}"


INTENTS = "intents: [" + ", ".join(f"{{operation: {order}}}" for order in ORDERS) + "]\n"
SELECTOR = "operation: metadata.order_id\n"
KINDS = {
    "selector": Kind(f"name: p\n{SELECTOR}{RULES}", stable),
    "selector, a key per attempt": Kind(f"name: p\n{SELECTOR}{RULES}", fresh),
    "selector, no key": Kind(f"name: p\n{SELECTOR}{RULES}", lambda *_: None),
    "intents": Kind(f"name: p\n{INTENTS}{RULES}{BY_NUMBER}", stable),
    "intents, a key per attempt": Kind(f"name: p\n{INTENTS}{RULES}{BY_NUMBER}", fresh),
    "intents, no key": Kind(f"name: p\n{INTENTS}{RULES}{BY_NUMBER}", lambda *_: None),
    "parameters": Kind(f"name: p\n{RULES}", stable),
    "parameters, a key per attempt": Kind(f"name: p\n{RULES}", fresh),
    "parameters, no key": Kind(f"name: p\n{RULES}", lambda *_: None),
}


@pytest.fixture(params=["asyncio", "uvloop"])
def server(request, new_loops) -> Iterator[Server]:
    with Server(shared=False, mode="serve", new_loop=new_loops[request.param]) as serving:
        yield serving


async def pay(
    post: Callable[..., Awaitable[int | None]], kind: Kind, order: str, number: int
) -> None:
    """Charge an order until it is paid, as a stubborn client does."""
    form = {
        "amount": str(2000 + number),
        "currency": "usd",
        "source": "tok_visa",
        "metadata[order_id]": order,
    }
    for attempt in range(1, 9):
        key = kind.key(order, attempt)
        if await post(form, {} if key is None else {"Idempotency-Key": key}) == 200:
            return
    raise AssertionError(order)


async def run(server: Server, session: aiohttp.ClientSession, kind: Kind, number: int) -> None:
    """Pay all orders at once, begun in an order of this run's own."""
    headers = {"Authorization": f"Bearer sk_test_run_{number}"}

    async def post(form: dict[str, str], keyed: dict[str, str]) -> int | None:
        try:
            async with session.post(
                f"{server.url}/v1/charges", data=form, headers=headers | keyed
            ) as answer:
                await answer.read()
                return answer.status
        except aiohttp.ClientError:
            return None

    shuffled = list(enumerate(ORDERS, 1))
    random.Random(number).shuffle(shuffled)
    await asyncio.gather(*(pay(post, kind, order, place) for place, order in shuffled))


def struck(server: Server, number: int) -> dict[str, list[tuple]]:
    """Return what befell each order, attempt by attempt."""
    bank = server.port.accounts.named(f"sk_test_run_{number}").bank
    found: dict[str, list[tuple]] = {order: [] for order in ORDERS}
    for attempt in server.call(lambda: list(bank.journal.attempts)):
        order = attempt.parameters["metadata"]["order_id"]
        found[order].append((attempt.attempt, attempt.rules, attempt.faults))
    return found


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_the_same_operations_meet_the_same_faults_in_any_order(server, kind) -> None:
    profile = parse(kind.profile, "p.yaml")
    for number in range(RUNS):
        account = server.port.accounts.named(f"sk_test_run_{number}")
        server.call(lambda account=account: account.use(profile))
    connector = aiohttp.TCPConnector(force_close=True, limit=64)
    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(run(server, session, kind, number) for number in range(RUNS)))
    maps = [struck(server, number) for number in range(RUNS)]

    assert [number for number in range(RUNS) if maps[number] != maps[0]] == []
    assert all(any(rules for _, rules, _ in attempts) for attempts in maps[0].values())
    arrivals = [
        [
            each.parameters["metadata"]["order_id"]
            for each in server.port.accounts.named(f"sk_test_run_{n}").bank.journal.attempts
        ]
        for n in range(2)
    ]
    assert arrivals[0] != arrivals[1]
