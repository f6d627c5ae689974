"""The browser of these tests, or the reason why they are skipped; on a CI machine that fails."""

import sys
from pathlib import Path

import pytest_asyncio

sys.path.append(str(Path(__file__).parent))

from browser import browsing, program  # the line above finds it


@pytest_asyncio.fixture
async def tab(unavailable):
    if program() is None:
        unavailable("no Chromium is installed (apt-get install chromium-headless-shell)")
    async with browsing() as tab:
        yield tab
