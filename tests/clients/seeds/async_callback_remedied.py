"""The key is made before the first post, and each callback hands it to the post that follows.

Otherwise the structure of its unsafe twin: the callback of a failed post posts again.
"""

import asyncio
import sys

import aiohttp
import billing


async def post(client: aiohttp.ClientSession, idempotency_key: str, delay: float) -> str:
    await asyncio.sleep(delay)
    keyed = {"Idempotency-Key": idempotency_key}
    async with client.post(billing.URL, data=billing.FORM, headers=keyed) as response:
        return billing.charge_id(response.status, response.headers, await response.read())


def submit_with_retry(
    client: aiohttp.ClientSession,
    idempotency_key: str,
    result: asyncio.Future[str | None],
    attempt: int = 0,
) -> None:
    def completed(posted: asyncio.Task[str]) -> None:
        failure = posted.exception()
        if failure is None:
            result.set_result(posted.result())
        elif isinstance(failure, billing.Refused) or attempt + 1 == billing.PATIENCE:
            result.set_result(None)
        else:
            submit_with_retry(client, idempotency_key, result, attempt + 1)

    delay = billing.pause(attempt - 1) if attempt else 0.0
    posting = asyncio.get_running_loop().create_task(post(client, idempotency_key, delay))
    posting.add_done_callback(completed)


async def main() -> str | None:
    async with aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {billing.SECRET}"},
        timeout=aiohttp.ClientTimeout(total=billing.TIMEOUT),
    ) as client:
        result: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        submit_with_retry(client, billing.stable_key(), result)
        return await result


if __name__ == "__main__":
    sys.exit(billing.conclude(asyncio.run(main())))
