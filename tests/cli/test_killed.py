"""A server killed by SIGKILL amid a thousand charges: its journal is evidence of each of them.

What it had committed is told by two who do not read the journal: the clients, of every charge
that an answer named, and the ids of charges, which are counted without a gap.
"""

import asyncio
import json
import random
import resource
from urllib.parse import urlsplit

import pytest

from fakestripe.bank.ids import Ids, account_id, family_of

ROUNDS = 20
CHARGES = 1_000
FILES = 4_096
"""Open at once: every charge has a connection of its own."""
KEY = "sk_test_killed"
PROFILE = """\
name: half-lost
rules:
  - at: committed
    when: {attempt: 1}
    match: {params: {metadata.half: lost}}
    do: reset
"""
HEAD = (
    "POST /v1/charges HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nIdempotency-Key: {name}\r\n"
    "Content-Length: {length}\r\n\r\n{body}"
)
BODY = "amount=2000&currency=usd&source=tok_visa&metadata[order_id]={name}&metadata[half]={half}"


def asking(name, half):
    body = BODY.format(name=name, half=half)
    return HEAD.format(key=KEY, name=name, length=len(body), body=body).encode()


class Client:
    """Pays every order until it is told a charge, each again under its key; then it is over."""

    def __init__(self, url):
        self.host, self.port = urlsplit(url).hostname, urlsplit(url).port
        self.told = set()

    async def run(self):
        await asyncio.gather(*map(self.pay_order, range(CHARGES)))

    async def pay_order(self, order):
        request = asking(f"ord_{order}", "lost" if order % 2 else "kept")
        while await self.pay(request) is False:
            pass

    async def pay(self, request):
        """Return whether the charge was told; None where there is no server any more."""
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port)
        except OSError:
            return None
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            charge = json.loads(await reader.readexactly(length))
        except (OSError, asyncio.IncompleteReadError):
            return False
        else:
            self.told.add(charge["id"])
            return True
        finally:
            writer.close()


async def killed_amid(server, journal, size):
    """Let clients pay until the journal has grown to a size, and kill the server at once."""
    client = Client(server.url)
    running = asyncio.create_task(client.run())
    while journal.stat().st_size < size and not running.done():  # noqa: ASYNC110  # a file's size
        await asyncio.sleep(0)
    server.process.kill()
    await running
    return client.told


def committed(path):
    """Return the charges of the journal's whole lines, the last version of each arrival."""
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    lines = [json.loads(line) for line in whole.splitlines()]
    last = {line["arrival"]: line for line in lines if line["kind"] == "attempt"}
    return {line["moved"]["charge"] for line in last.values() if line["moved"]}


def first_families(count):
    ids = Ids(account_id(KEY), 0)
    return {ids.family() for _ in range(count)}


@pytest.fixture(autouse=True)
def files():
    """Let this process and the server have a file for every charge at once."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, FILES)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_every_charge_before_the_last_line_is_counted(served, cli, tmp_path, round_):
    journal = tmp_path / "journal.jsonl"
    (tmp_path / "half-lost.yaml").write_text(PROFILE)
    server = served("--journal", "journal.jsonl", "--profile", "./half-lost.yaml")
    size = random.Random(round_).randrange(10_000, 3_500_000)
    told = asyncio.run(killed_amid(server, journal, size))
    done = cli("judge", "journal.jsonl", "--format", "json")
    judged = {each for one in json.loads(done.stdout)["operations"] for each in one["charges"]}
    found = committed(journal)

    assert done.stderr == "" or ": the last line is torn, " in done.stderr
    assert judged == found
    assert told - found == set()
    assert {family_of(each) for each in found} == first_families(len(found))
    assert 0 < len(found) <= CHARGES
