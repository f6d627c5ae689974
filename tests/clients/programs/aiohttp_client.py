"""aiohttp's client with a session's defaults."""

import asyncio
import sys
from argparse import Namespace

import aiohttp
import purchase


async def post(base: str, asked: Namespace) -> str:
    timeout = aiohttp.ClientTimeout(total=asked.timeout)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        if asked.reused:
            async with session.get(base + purchase.HARMLESS, headers=purchase.headers()) as first:
                await first.read()
        headers = purchase.headers(asked.key)
        async with session.post(
            base + purchase.CHARGES, data=purchase.FORM, headers=headers
        ) as response:
            response.raise_for_status()
            return str((await response.json())["id"])


def charge(base: str, asked: Namespace) -> str:
    return asyncio.run(post(base, asked))


if __name__ == "__main__":
    sys.exit(purchase.each(purchase.arguments().parse_args(), charge))
