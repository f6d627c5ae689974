"""A billing method schedules itself again after a delay, and makes the key at its entry.

Every scheduled call enters at the top, and so every call makes a new key.
"""

import asyncio
import sys
import uuid

import billing
import httpx

CLIENT = httpx.Client(timeout=billing.TIMEOUT)


def schedule_retry(done: asyncio.Future[bool], attempt: int) -> None:
    idempotency_key = str(uuid.uuid4())
    try:
        response = CLIENT.post(
            billing.URL, data=billing.FORM, headers=billing.headers(idempotency_key)
        )
    except httpx.HTTPError:
        execute_after(done, attempt)
        return
    if response.status_code >= billing.SERVER_ERROR:
        execute_after(done, attempt)
    else:
        done.set_result(response.status_code == billing.OK)


def execute_after(done: asyncio.Future[bool], attempt: int) -> None:
    if attempt + 1 < billing.ATTEMPTS:
        done.get_loop().call_later(billing.DELAY, schedule_retry, done, attempt + 1)
    else:
        done.set_result(False)


async def main() -> bool:
    done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    schedule_retry(done, 0)
    return await done


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
