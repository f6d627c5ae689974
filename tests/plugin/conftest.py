"""Suites within the suite: a test file is written, run by pytest, and its report is read."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

IN_LOOP = "fakestripe.server.control.in_loop"
for name in (IN_LOOP, "httpx", "requests", "responses", "stripe", "trustme"):
    import_module(name)  # a suite in this process finds it loaded, and leaves it so

INI = """
[pytest]
filterwarnings = error
asyncio_mode = strict
asyncio_default_fixture_loop_scope = function
addopts = --strict-markers --strict-config -p no:cacheprovider -p no:hypothesispytest -p no:faker
{more}
"""

CLIENT = '''
"""A client that sends what it is told, each attempt on a connection of its own."""

from http.client import HTTPConnection, HTTPException
from json import loads
from urllib.parse import urlencode, urlsplit


def post(url, key=None, *, order="ord_1", amount=2000, path="/v1/charges", timeout=5, **more):
    """Send one charge and return its status and body."""
    form = {"amount": amount, "currency": "usd", "source": "tok_visa", **more}
    headers = {
        "Authorization": "Bearer sk_test_suite",
        "Content-Type": "application/x-www-form-urlencoded",
        **({"Idempotency-Key": key} if key else {}),
    }
    connection = HTTPConnection(urlsplit(url).netloc, timeout=timeout)
    try:
        given = {name: value for name, value in form.items() if value is not None}
        body = urlencode({**given, "metadata[order_id]": order})
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return answer.status, loads(answer.read())
    finally:
        connection.close()


def pay(url, *keys, **more):
    """Send one attempt per key until one is answered, and return its status and body."""
    for key in keys:
        try:
            return post(url, key, **more)
        except (OSError, HTTPException):
            pass
    raise ConnectionError("no attempt was answered")
'''


class Suite:
    """A project with one test file."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path: Path = pytester.path
        self.ini()
        pytester.makepyfile(client=CLIENT)

    def ini(self, more: str = "") -> None:
        self.pytester.makefile(".ini", pytest=INI.format(more=more))

    def write(self, source: str, **files: str) -> None:
        self.pytester.makepyfile(test_it=dedent(source), **files)

    def run(self, source: str, *args: str) -> "Report":
        """Run a test file in this process."""
        self.write(source)
        return Report(self.pytester.runpytest_inprocess(*args, "-ra"))

    def run_apart(self, source: str, *args: str) -> "Report":
        """Run a test file in a process of its own."""
        self.write(source)
        return Report(self.pytester.runpytest_subprocess(*args, "-ra"))


class Report:
    """What pytest printed, by outcome and by section."""

    def __init__(self, result: pytest.RunResult) -> None:
        self.outcomes = result.parseoutcomes()
        self.lines: Sequence[str] = result.outlines
        self.text = "\n".join(result.outlines)

    def told(self, title: str) -> str:
        """Return the text below a title such as ``ERROR at teardown of test_it``."""
        start = next(n for n, line in enumerate(self.lines) if line.strip("_ ") == title)
        below = self.lines[start + 1 :]
        end = next(n for n, line in enumerate(below) if line.startswith(("____", "====", "----")))
        return "\n".join(below[:end])

    def skipped(self) -> list[str]:
        """Return the reasons for which tests were skipped."""
        lines = [line for line in self.lines if line.startswith("SKIPPED")]
        return [line.split(": ", 1)[1] for line in lines]


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Suite:
    return Suite(pytester)
