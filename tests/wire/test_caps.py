"""Fifty charges at once by a key that is good for forty-five: exactly so many are made.

In the second half of the tests, half of those that are made lose their answer, and are sent again
with the same idempotency key, while others are still on their way.
"""

import asyncio
from collections import Counter
from urllib.parse import urlsplit

import pytest

from fakestripe import Server
from fakestripe.profiles import parse
from fakestripe.protocol.further_key import key_of
from fakestripe.server.accounts import SHARED

AT_ONCE, GOOD_FOR, REPETITIONS = 50, 45, 30
CAP = {"daily_usd_cap": "450.00"}
LOSING = """
name: half-lost
operation: metadata.order_id
rules:
  - match: {params: {"metadata.loses": reset}}
    when: {attempt: 1}
    at: committed
    do: reset
  - match: {params: {"metadata.loses": hang}}
    when: {attempt: 1}
    at: committed
    do: {hang: 20ms}
"""


class Port:
    """A served port, and what its ledger and its keys say of one key."""

    def __init__(self, server):
        self.server = server
        url = urlsplit(server.url)
        self.where = url.hostname, url.port

    def key(self):
        return self.server.call(lambda: self.account.key(key_of(CAP)))

    @property
    def account(self):
        return self.server.port.accounts.named(SHARED)

    @property
    def charges(self):
        return self.server.call(lambda: len(self.account.bank.ledger.collection("charge").order))

    @property
    def spent(self):
        """What the newest key has committed and reserved, over all days."""
        return self.server.call(self._spent)

    def _spent(self):
        keys = self.account.bank.keys
        days = [day for _, day in keys.days(keys.holders[-1])]
        return sum(day.committed for day in days), sum(day.reserved for day in days)


@pytest.fixture(scope="module")
def port():
    with Server() as server:
        yield Port(server)


async def charge(where, key, name, loses, connected):
    """Send one charge once everybody is connected, and again until it is answered."""
    form = f"amount=1000&currency=usd&source=tok_visa&metadata[order_id]={name}"
    body = f"{form}&metadata[loses]={loses}".encode()
    head = (
        "POST /v1/charges HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded"
        f"\r\nauthorization: Bearer {key}\r\nidempotency-key: {name}\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    ).encode()
    connection = await asyncio.open_connection(*where)
    await connected.wait()
    while True:
        status = await answered(*connection, head + body)
        if status is not None:
            return status
        connection = await asyncio.open_connection(*where)


async def answered(reader, writer, request):
    """Return the status of the answer; None where there is none."""
    try:
        writer.write(request)
        said = await reader.read()
    except ConnectionError:
        said = b""
    writer.close()
    return int(said.split()[1]) if said else None


async def at_once(where, key, losses):
    connected = asyncio.Barrier(AT_ONCE)
    return await asyncio.gather(
        *(
            charge(where, key, f"{key}-{number}", losses[number % len(losses)], connected)
            for number in range(AT_ONCE)
        )
    )


@pytest.mark.parametrize("losses", [("no",), ("reset", "no", "hang", "no")], ids=["whole", "half"])
def test_charges_at_once_never_pass_the_cap_together(port, losses):
    port.server.call(lambda: port.server.port.accounts.use(parse(LOSING, "p.yaml")))
    seen = Counter()
    for _ in range(REPETITIONS):
        before, key = port.charges, port.key()
        statuses = Counter(asyncio.run(at_once(port.where, key, losses)))
        seen[port.charges - before, *port.spent, *sorted(statuses.items())] += 1

    exact = (GOOD_FOR, 45_000, 0, (200, GOOD_FOR), (429, AT_ONCE - GOOD_FOR))
    assert seen == {exact: REPETITIONS}
    lost = sum(port.server.call(lambda: dict(port.account.bank.fired)).values())
    half, refused = AT_ONCE // 2, AT_ONCE - GOOD_FOR
    assert lost == 0 if losses == ("no",) else half - refused <= lost / REPETITIONS <= half
