"""The public surface as a typed client uses it: mypy reads this file, nothing runs it."""

from pathlib import Path
from typing import Any, assert_type

from aiohttp import web

from fakestripe import (
    CONTROL,
    Profile,
    ProfileError,
    Server,
    Verdict,
    __version__,
    create_app,
    judge,
    load_profile,
)


def a_server_in_a_thread() -> None:
    """A server starts, says where it is, and stops; also as a context manager."""
    server = Server(port=0, customers=500)
    assert_type(server.start(), Server)
    assert_type(server.url, str)
    server.stop()
    with Server() as running:
        assert_type(running, Server)


def an_application() -> None:
    """A test's own loop serves the application, and its control is typed."""
    app = create_app("reset-after-commit")
    assert_type(app, web.Application)
    control = app[CONTROL]
    control.use("commit-then-timeout")
    control.intend("ord_1", amount=2000, currency="usd")
    control.outcome("ord_1", "paid", charge="ch_1")
    assert_type(control.key(daily_usd_cap="450.00"), str)
    assert_type(control.key(permissions={"charges": "write", "customers": "read"}), str)
    with control.paying("ord_2", 2000):
        pass
    assert_type(control.webhook("http://127.0.0.1:8000/webhooks", ["charge.*"]).secret, str)
    control.webhook("http://127.0.0.1:8000/webhooks", copies=2, late="5s", only=["charge.*"])
    control.webhook("http://127.0.0.1:8000/webhooks", before_answer=True)
    control.webhook("http://127.0.0.1:8000/webhooks", out_of_order="10s")
    control.webhook("http://127.0.0.1:8000/webhooks", never=True)
    assert_type(control.wait(attempts=2, timeout=5, ended=True, point="committed"), int)
    control.wait(rule="commit-then-timeout#0")
    assert_type(control.customers(3), list[dict[str, Any]])
    assert_type(control.url, str)
    assert_type(control.api_key, str)
    assert_type(control.verdict(), Verdict)
    control.assert_clean()


def a_profile() -> Profile | None:
    """A profile is found by name or by path, and a mistake in it has a type."""
    try:
        return load_profile(Path("faults/mine.yaml"))
    except ProfileError as mistakes:
        assert_type(str(mistakes), str)
        return None


def a_verdict(verdict: Verdict) -> tuple[str, str]:
    """A verdict is a value: a word, and findings that say why."""
    for finding in verdict.operations:
        assert_type(finding.verdict, str)
        assert_type(finding.charges, tuple[str, ...])
        assert_type(finding.cause, str | None)
    assert_type(verdict.reasons, tuple[str, ...])
    assert callable(judge)
    return verdict.word, __version__
