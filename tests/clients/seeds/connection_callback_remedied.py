"""The key is made before the first connection and read by every callback after it.

Otherwise the structure of its unsafe twin: connect, ``completed`` builds and sends, ``failed``
connects again.
"""

import asyncio
import http.client
import sys

import billing


class Exchange(asyncio.Protocol):
    """The callbacks of one connection."""

    def __init__(self, biller: "Biller", attempt: int) -> None:
        self.biller, self.attempt, self.received = biller, attempt, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(billing.raw_request(self.biller.idempotency_key))
        asyncio.get_running_loop().call_later(billing.TIMEOUT, transport.abort)

    def data_received(self, data: bytes) -> None:
        self.received += data

    def connection_lost(self, exc: Exception | None) -> None:
        try:
            charge = billing.charge_id(*billing.raw_answer(self.received))
        except (http.client.HTTPException, ValueError, billing.Unsettled):
            self.biller.failed(self.attempt)
        except billing.Refused:
            self.biller.outcome.set_result(None)
        else:
            self.biller.outcome.set_result(charge)


class Biller:
    """Charges through callbacks; ``outcome`` is the charge, or None while it is unknown."""

    def __init__(self, idempotency_key: str) -> None:
        self.idempotency_key = idempotency_key
        self.loop = asyncio.get_running_loop()
        self.outcome: asyncio.Future[str | None] = self.loop.create_future()

    def connect(self, attempt: int) -> None:
        self.connecting = self.loop.create_task(self.connected(attempt))

    async def connected(self, attempt: int) -> None:
        try:
            await self.loop.create_connection(
                lambda: Exchange(self, attempt), billing.HOST, billing.PORT
            )
        except OSError:
            self.failed(attempt)

    def failed(self, attempt: int) -> None:
        if attempt + 1 < billing.PATIENCE:
            self.loop.call_later(billing.pause(attempt), self.connect, attempt + 1)
        else:
            self.outcome.set_result(None)


async def main() -> str | None:
    biller = Biller(billing.stable_key())
    biller.connect(0)
    return await biller.outcome


if __name__ == "__main__":
    sys.exit(billing.conclude(asyncio.run(main())))
