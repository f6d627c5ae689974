"""A headless Chromium, told what to do over its own protocol, and listened to.

One browser, one tab; every request, every message on its console and every exception is kept.
"""

import asyncio
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
PATIENCE = 60.0
LEFT = "Inspected target navigated or closed"


class LeftError(Exception):
    """The page was left while it was asked."""


def program() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """One page, and what was seen of it: requests, console, exceptions."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._count = 0
        self._answers: dict[int, asyncio.Future] = {}
        self.session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []

    async def listen(self) -> None:
        async for message in self._socket:
            said = json.loads(message.data)
            if "id" in said:
                self._answers.pop(said["id"]).set_result(said)
            else:
                self._note(said["method"], said["params"])

    def _note(self, method: str, params: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(f"console.{params['type']}")
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])

    async def tell(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        answer = self._answers[self._count] = asyncio.get_running_loop().create_future()
        session = {} if self.session is None else {"sessionId": self.session}
        await self._socket.send_json(
            {"id": self._count, "method": method, "params": params, **session}
        )
        said = await asyncio.wait_for(answer, PATIENCE)
        error = said.get("error")
        if error and error["message"] == LEFT:
            raise LeftError
        assert error is None, error
        return said["result"]

    async def begin(self) -> None:
        made = await self.tell("Target.createTarget", url="about:blank")
        joined = await self.tell("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        self.session = joined["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            await self.tell(f"{domain}.enable")

    async def look(self, width: int, scheme: str) -> None:
        """Be so wide, and prefer "dark" or "light"."""
        await self.tell(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        await self.tell(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )

    async def open(self, url: str) -> None:
        await self.tell("Page.navigate", url=url)
        await self.until(
            f"location.href === {json.dumps(url)} && document.readyState==='complete'"
        )

    async def ask(self, expression: str) -> Any:
        said = await self.tell(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in said, said["exceptionDetails"]
        return said["result"].get("value")

    async def until(self, expression: str) -> None:
        """Return once it is true."""
        async with asyncio.timeout(PATIENCE):
            while not await self._holds(expression):  # noqa: ASYNC110  # the browser's, not ours
                await asyncio.sleep(0.02)

    async def _holds(self, expression: str) -> bool:
        try:
            return bool(await self.ask(expression))
        except LeftError:
            return False

    async def leave(self, url: str) -> None:
        """Let the page itself lead to another one."""
        with suppress(LeftError):
            await self.ask(f"location.href = {json.dumps(url)}")

    async def press(self, key: str, code: int, text: str = "") -> None:
        known = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        await self.tell("Input.dispatchKeyEvent", type="keyDown", text=text, **known)
        await self.tell("Input.dispatchKeyEvent", type="keyUp", **known)

    async def picture(self, path: Path) -> None:
        size = (await self.tell("Page.getLayoutMetrics"))["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = await self.tell("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))


@asynccontextmanager
async def browsing() -> AsyncIterator[Tab]:
    """Give a tab of a new browser with nothing of the user's."""
    found = program()
    assert found is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        process = await asyncio.create_subprocess_exec(
            found,
            *FLAGS,
            f"--user-data-dir={home}",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home},
            start_new_session=True,  # Debian's is a script that starts the browser as its child
        )
        try:
            async with aiohttp.ClientSession() as session:
                address = await _address(Path(home) / "DevToolsActivePort", process)
                async with session.ws_connect(address, max_msg_size=0) as socket:
                    tab = Tab(socket)
                    listening = asyncio.create_task(tab.listen())
                    await tab.begin()
                    yield tab
                    listening.cancel()
                    with suppress(asyncio.CancelledError):
                        await listening
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


async def _address(path: Path, process: asyncio.subprocess.Process) -> str:
    async with asyncio.timeout(PATIENCE):
        while True:
            assert process.returncode is None, "the browser ended by itself"
            said = await asyncio.to_thread(_lines, path)
            if len(said) > 1 and said[1]:
                return f"ws://127.0.0.1:{said[0]}{said[1]}"
            await asyncio.sleep(0.02)


def _lines(path: Path) -> list[str]:
    return path.read_text().split("\n") if path.exists() else []
