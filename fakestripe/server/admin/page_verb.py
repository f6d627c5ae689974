"""The page at ``/_fakestripe/``, and what it asks for again and again: the part that changed.

Who asks for a later state waits until there is one, told by the lines of the journal. What the
page is made of is loaded when somebody looks, and judged outside of the loop that serves.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from fakestripe.bank.journal import Journal
from fakestripe.server.account import Account
from fakestripe.server.admin.call import STOPPING, AdminError, Call, Text

PATIENCE: Final = 5.0
"""Seconds after which a page is told that nothing is new; a reset writes no line."""
NOTHING: Final = 204
HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


async def page(call: Call) -> Any:
    """Return the page, or with ``part=1`` its content; with ``seen``, once it is another one."""
    from fakestripe.server.admin import watching  # noqa: PLC0415  # only if somebody looks

    asked, seen = call.query.get("part", "0"), call.query.get("seen")
    if asked not in ("0", "1"):
        raise ValueError(f"part={asked}: write part=1, or leave it out")
    if seen is not None and not await _changed(call, seen):
        return Text("", "text/html", NOTHING, HEADERS)
    taken = watching.Taken(
        state=_state(call.present),
        stills=tuple(watching.still(account) for account in call.present),
        ports=() if call.port.ports is None else tuple(each.url for each in call.port.ports),
    )
    text = await asyncio.to_thread(watching.drawn, taken, whole=asked == "0")
    return Text(text, "text/html", headers={**HEADERS, **watching.headers()})


async def _changed(call: Call, seen: str) -> bool:
    """Return whether there is another state than the one seen, before patience ends."""
    if _state(call.present) != seen:
        return True
    looks = iter((False,))  # the first look is ours, every other is due to a line
    await call.port.waiting.until(lambda: next(looks, True), PATIENCE)
    if call.port.waiting.stopped:
        raise AdminError("the server stops", STOPPING)
    return _state(call.present) != seen


def _state(accounts: Iterable[Account]) -> str:
    """Return what is another text once anything has happened."""
    return f"{hash(tuple(_facts(account.bank.journal) for account in accounts)):x}"


def _facts(journal: Journal) -> tuple[Any, ...]:
    running = [each for each in journal.attempts if each.ended_s is None]
    return (
        journal.attempts[-1].arrival if journal.attempts else 0,
        len(journal.attempts),
        len(journal.events),
        *((each.arrival, each.last_point, each.left_s) for each in running),
    )
