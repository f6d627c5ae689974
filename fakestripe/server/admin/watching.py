"""What the page shows of a port: a copy of each account, taken between two requests, and judged.

Judging many attempts takes its time, so it is done on the copy, in a thread, and the page is told
how long to leave the server alone.
"""

from copy import copy
from typing import Final

from msgspec import Struct

from fakestripe import verdict
from fakestripe._version import __version__
from fakestripe.bank.journal import Journal
from fakestripe.drawing import page
from fakestripe.drawing.document import policy
from fakestripe.drawing.run import beside
from fakestripe.server.account import Account
from fakestripe.server.real_time import Real

SHORTEST: Final = 100
"""Milliseconds between two drawings, at least."""
SHARE: Final = 10
"""How many times longer than judging took the page waits for the next drawing."""
BEGINNING: Final = frozenset({"header", "profile"})
"""The lines with which every account begins."""


class Still(Struct, frozen=True):
    """One account as it was when somebody looked: nothing in it changes any more."""

    account: str
    profile: str
    journal: Journal


class Taken(Struct, frozen=True):
    """A port as it was, what stands for this state, and the addresses of further ports."""

    state: str
    stills: tuple[Still, ...]
    ports: tuple[str, ...] = ()


def still(account: Account) -> Still:
    """Return a copy of an account, in the loop that serves it."""
    journal = account.bank.journal
    taken = Journal(lambda: 0.0, account=journal.account)
    taken.events = list(journal.events)
    taken.attempts = [
        each if each.ended_s is not None else copy(each) for each in journal.attempts
    ]
    return Still(account.bank.account, account.profile.name, taken)


def drawn(taken: Taken, *, whole: bool) -> str:
    """Return the page, or the part of it that changes, in any thread."""
    began = Real.monotonic()
    shown = tuple(_shown(each) for each in taken.stills if _is_told(each.journal))
    took = int((Real.monotonic() - began) * 1000)
    watched = page.Watched(
        version=__version__,
        accounts=shown,
        seen=taken.state,
        pause=max(SHORTEST, took * SHARE),
        ports=taken.ports,
    )
    return page.page(watched) if whole else page.part(watched)


def headers() -> dict[str, str]:
    """Return what a browser is told: load nothing, ask nobody else, stand in no other page."""
    return {"Content-Security-Policy": f"{policy(live=True)}; frame-ancestors 'none'"}


def _is_told(journal: Journal) -> bool:
    return bool(journal.attempts) or any(line["kind"] not in BEGINNING for line in journal.events)


def _shown(taken: Still) -> page.Shown:
    records = verdict.records_of(taken.journal)
    found = verdict.judge(records)
    return page.Shown(
        account=taken.account,
        profile=taken.profile,
        verdict=found,
        others=beside(found, records.attempts, records.edge),
        newest=records.attempts[-1].arrival if records.attempts else 0,
    )
