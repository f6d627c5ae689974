"""The key travels through a reference that is set again at every entry.

The reference is handed on through all scheduled calls, so the key looks stable; ``set`` in
place of ``set_if_empty`` replaces it each time.
"""

import asyncio
import sys
import uuid

import billing
import httpx
from reference import Reference

CLIENT = httpx.Client(timeout=billing.TIMEOUT)


def schedule_retry(done: asyncio.Future[bool], key: Reference, attempt: int) -> None:
    key.set(str(uuid.uuid4()))
    try:
        response = CLIENT.post(billing.URL, data=billing.FORM, headers=billing.headers(key.get()))
    except httpx.HTTPError:
        execute_after(done, key, attempt)
        return
    if response.status_code >= billing.SERVER_ERROR:
        execute_after(done, key, attempt)
    else:
        done.set_result(response.status_code == billing.OK)


def execute_after(done: asyncio.Future[bool], key: Reference, attempt: int) -> None:
    if attempt + 1 < billing.ATTEMPTS:
        done.get_loop().call_later(billing.DELAY, schedule_retry, done, key, attempt + 1)
    else:
        done.set_result(False)


async def main() -> bool:
    done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    schedule_retry(done, Reference(), 0)
    return await done


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
