"""The callback of a failed post posts again, through a client that keys each request it starts.

The retry was written expecting the client to take care of keys, and the client was set up
expecting one request a payment.
"""

import asyncio
import sys
import uuid
from types import SimpleNamespace

import aiohttp
import billing


async def set_idempotency_key(
    session: aiohttp.ClientSession,
    context: SimpleNamespace,
    message: aiohttp.TraceRequestStartParams,
) -> None:
    message.headers["Idempotency-Key"] = str(uuid.uuid4())


def interceptors() -> list[aiohttp.TraceConfig]:
    chain = aiohttp.TraceConfig()
    chain.on_request_start.append(set_idempotency_key)
    return [chain]


async def post(client: aiohttp.ClientSession) -> int:
    async with client.post(billing.URL, data=billing.FORM) as response:
        await response.read()
        return response.status


def submit_with_retry(
    client: aiohttp.ClientSession, result: asyncio.Future[bool], retries_left: int
) -> None:
    def completed(posted: asyncio.Task[int]) -> None:
        failed = isinstance(posted.exception(), aiohttp.ClientError | TimeoutError)
        if failed or posted.result() >= billing.SERVER_ERROR:
            if retries_left > 0:
                submit_with_retry(client, result, retries_left - 1)
            else:
                result.set_result(False)
        else:
            result.set_result(posted.result() == billing.OK)

    asyncio.get_running_loop().create_task(post(client)).add_done_callback(completed)


async def main() -> bool:
    async with aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {billing.SECRET}"},
        timeout=aiohttp.ClientTimeout(total=billing.TIMEOUT),
        trace_configs=interceptors(),
    ) as client:
        result: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        submit_with_retry(client, result, billing.ATTEMPTS - 1)
        return await result


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
