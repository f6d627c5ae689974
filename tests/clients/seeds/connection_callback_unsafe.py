"""The request is built, and its key made, in the callback that a new connection calls.

Structure of the Undertow client: connect, ``completed`` builds and sends, ``failed`` connects
again. Each connection is a new callback, and each callback makes a new key.
"""

import asyncio
import http.client
import sys
import uuid

import billing


class Exchange(asyncio.Protocol):
    """The callbacks of one connection."""

    def __init__(self, biller: "Biller", attempt: int) -> None:
        self.biller, self.attempt, self.received = biller, attempt, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        idempotency_key = str(uuid.uuid4())
        transport.write(billing.raw_request(idempotency_key))
        asyncio.get_running_loop().call_later(billing.TIMEOUT, transport.abort)

    def data_received(self, data: bytes) -> None:
        self.received += data

    def connection_lost(self, exc: Exception | None) -> None:
        try:
            status, _, _ = billing.raw_answer(self.received)
        except (http.client.HTTPException, ValueError):
            self.biller.failed(self.attempt)
        else:
            self.biller.completed(status, self.attempt)


class Biller:
    """Charges through callbacks; ``outcome`` says whether it believes the payment made."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.outcome: asyncio.Future[bool] = self.loop.create_future()

    def connect(self, attempt: int) -> None:
        self.connecting = self.loop.create_task(self.connected(attempt))

    async def connected(self, attempt: int) -> None:
        try:
            await self.loop.create_connection(
                lambda: Exchange(self, attempt), billing.HOST, billing.PORT
            )
        except OSError:
            self.failed(attempt)

    def completed(self, status: int, attempt: int) -> None:
        if status >= billing.SERVER_ERROR:
            self.failed(attempt)
        else:
            self.outcome.set_result(status == billing.OK)

    def failed(self, attempt: int) -> None:
        if attempt + 1 < billing.ATTEMPTS:
            self.loop.call_later(billing.DELAY, self.connect, attempt + 1)
        else:
            self.outcome.set_result(False)


async def main() -> bool:
    biller = Biller()
    biller.connect(0)
    return await biller.outcome


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
