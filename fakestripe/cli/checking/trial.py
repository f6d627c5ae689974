"""One run: a server on a port of its own, the processes, and the journal that tells of them."""

import os
import time
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from fakestripe.bank.journal import Journal
from fakestripe.cli.checking import led
from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.children import Nursery
from fakestripe.cli.checking.environment import trusting
from fakestripe.cli.checking.stage import Performed, Place, Stage
from fakestripe.faults.rules import FAULT_FREE, Profile
from fakestripe.protocol.further_key import FurtherKey, kind_of
from fakestripe.protocol.lesson import Lesson
from fakestripe.server.account import Account
from fakestripe.server.accounts import SHARED
from fakestripe.server.control.home import settle
from fakestripe.server.listener import Server

KEY: Final = "sk_test_fakestripe{:016d}"


class Trial(Struct, frozen=True):
    """One run to be made: the how-manieth, under which profile, knowing what, for how long."""

    number: int
    profile: Profile = FAULT_FREE
    replicas: int = 1
    lesson: Lesson | None = None
    patience: float = 60.0


class Ran(Struct, frozen=True):
    """One run that was made; ``refused`` says whom its processes could not reach through us."""

    trial: Trial
    url: str
    performed: Performed
    journal: Journal
    refused: tuple[str, ...] = ()


def run(asked: Asked, trial: Trial, nursery: Nursery) -> Ran:
    """Make one run; raises ``UsageError`` where setup, teardown or the program cannot run."""
    server = _server(asked)
    accounts = server.port.accounts
    accounts.rest_edge()  # until the program starts: setup and teardown must reach the server
    with server:
        account = server.call(lambda: _prepared(server, asked, trial))
        stage = Stage(asked, _place(asked, trial, server), nursery)
        try:
            stage.shell("setup", asked.setup)
            server.call(accounts.wake_edge)
            performed = stage.program(trial.replicas, trial.patience)
            server.call(accounts.rest_edge)
            stage.shell("teardown", asked.teardown)
            settle(server, server.port)
        finally:
            stage.clear()
        opened = time.monotonic() - accounts.elapsed()
    account.bank.place()
    account.bank.journal.note("header", _ended(performed, opened))
    refused = tuple(server.refused.values())
    return Ran(trial, server.url, performed, account.bank.journal, refused)


def _server(asked: Asked) -> Server:
    """Return the server of a run, on a port of its own."""
    return Server(
        customers=asked.customers,
        mode="check",
        seed=asked.seed,
        tls=asked.identity if asked.identity is not None and asked.secure else False,
        identity=asked.identity,
        intercept=asked.intercept,
        allow=asked.allow,
    )


def _place(asked: Asked, trial: Trial, server: Server) -> Place:
    """Return what the processes of a run are told."""
    who = asked.identity
    if not asked.intercept:
        trust, leading = trusting(server.ca_file), {}
    else:
        trust = trusting(who.ca_file, who.bundle_file)
        leading = led.leading(os.environ, server.url, who.store_file)
    name = trial.profile.name
    return Place(server.url, _key(trial), trial.number, name, trust, leading)


def _key(trial: Trial) -> str:
    """Return the key that the program is given: the first that its profile makes, if any."""
    named = [rules.key for rules in trial.profile.settings.keys]
    return (named and named[0]) or KEY.format(trial.number)


def _prepared(server: Server, asked: Asked, trial: Trial) -> Account:
    """Return the account of a run, set up before the first request."""
    account = server.port.accounts.named(SHARED)
    header = {"replicas": trial.replicas, "lesson": trial.lesson, "declared": asked.declared}
    account.bank.journal.note("header", header)
    account.bank.operations.configure(lesson=trial.lesson)
    for rules in _known_keys(asked.profiles):
        account.key(rules)
    if trial.profile is not FAULT_FREE:
        account.use(trial.profile)
    if asked.operation is not None:
        account.select(asked.operation)
    return account


def _known_keys(profiles: Iterable[Profile]) -> Iterator[FurtherKey]:
    """Yield the keys of all profiles as keys that may do all, which a program may have in it.

    What the keys of a run's own profile may do, that profile says.
    """
    named = (rules.key for profile in profiles for rules in profile.settings.keys)
    for key in dict.fromkeys(filter(None, named)):
        kind = kind_of(key)
        if kind is not None:
            yield FurtherKey(kind, key)


def _ended(performed: Performed, opened: float) -> dict[str, object]:
    """Return what the end of the program adds to the header, in seconds of the port."""
    lives = [
        [began - opened, None if ended is None else ended - opened]
        for began, ended in performed.lives
    ]
    return {"client_exits": list(performed.exits), "client_lives": lives}
