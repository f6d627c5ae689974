"""The key is a parameter: every scheduled call hands on the one that was made before the first.

Otherwise the structure of its unsafe twin: a method that schedules itself again after a delay.
"""

import asyncio
import sys

import billing
import httpx

CLIENT = httpx.Client(timeout=billing.TIMEOUT)


def schedule_retry(done: asyncio.Future[str | None], idempotency_key: str, attempt: int) -> None:
    try:
        response = CLIENT.post(
            billing.URL, data=billing.FORM, headers=billing.headers(idempotency_key)
        )
        charge = billing.charge_id(response.status_code, response.headers, response.content)
    except (httpx.HTTPError, billing.Unsettled):
        execute_after(done, idempotency_key, attempt)
    except billing.Refused:
        done.set_result(None)
    else:
        done.set_result(charge)


def execute_after(done: asyncio.Future[str | None], idempotency_key: str, attempt: int) -> None:
    if attempt + 1 < billing.PATIENCE:
        again = (schedule_retry, done, idempotency_key, attempt + 1)
        done.get_loop().call_later(billing.pause(attempt), *again)
    else:
        done.set_result(None)


async def main() -> str | None:
    done: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    schedule_retry(done, billing.stable_key(), 0)
    return await done


if __name__ == "__main__":
    sys.exit(billing.conclude(asyncio.run(main())))
