"""The reference is set while it is empty, and to a key that any call would make alike.

Otherwise the structure of its unsafe twin: a reference handed on through all scheduled calls.
"""

import asyncio
import sys

import billing
import httpx
from reference import Reference

CLIENT = httpx.Client(timeout=billing.TIMEOUT)


def schedule_retry(done: asyncio.Future[str | None], key: Reference, attempt: int) -> None:
    key.set_if_empty(billing.stable_key())
    try:
        response = CLIENT.post(billing.URL, data=billing.FORM, headers=billing.headers(key.get()))
        charge = billing.charge_id(response.status_code, response.headers, response.content)
    except (httpx.HTTPError, billing.Unsettled):
        execute_after(done, key, attempt)
    except billing.Refused:
        done.set_result(None)
    else:
        done.set_result(charge)


def execute_after(done: asyncio.Future[str | None], key: Reference, attempt: int) -> None:
    if attempt + 1 < billing.PATIENCE:
        done.get_loop().call_later(billing.pause(attempt), schedule_retry, done, key, attempt + 1)
    else:
        done.set_result(None)


async def main() -> str | None:
    done: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    schedule_retry(done, Reference(), 0)
    return await done


if __name__ == "__main__":
    sys.exit(billing.conclude(asyncio.run(main())))
