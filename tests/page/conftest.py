"""The browser of these tests, or the reason why they are skipped; on a CI machine that fails."""

import os
import sys
from pathlib import Path

import pytest
import pytest_asyncio

sys.path.append(str(Path(__file__).parent))

from browser import browsing, program  # the line above finds it


@pytest_asyncio.fixture
async def tab():
    if program() is None:
        reason = "no Chromium is installed (apt-get install chromium-headless-shell)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    async with browsing() as tab:
        yield tab
