"""What the command line of ``check`` asked for, as a value, and how to ask for one run again."""

import shlex
from typing import Any

from msgspec import Struct

from fakestripe.cli.checking.redaction import redacted
from fakestripe.faults.rules import Customers, Profile


class Asked(Struct, frozen=True, kw_only=True):
    """The program, how often and under which conditions; times are seconds.

    ``declared`` says that the profiles were named, ``sources`` how each was; ``flags`` are the
    words that make another check alike. ``identity`` is who the servers are under TLS, if asked;
    ``secure``: their ports speak it themselves; ``intercept``: they are proxies, Stripe to those
    who ask for Stripe, and a way out to the hosts of ``allow``.
    """

    program: tuple[str, ...]
    profiles: tuple[Profile, ...]
    sources: dict[str, str] = {}
    declared: bool = False
    setup: str | None = None
    teardown: str | None = None
    timeout: float = 60.0
    replicas: int = 1
    jobs: int = 1
    operation: str | None = None
    customers: Customers = "any"
    seed: int = 0
    hit: int | None = None
    verbose: bool = False
    identity: Any = None
    secure: bool = True
    intercept: bool = False
    allow: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def again(self, profile: Profile) -> str:
        """Return the command that runs one profile as this check did, keys masked."""
        source = self.sources.get(profile.name, profile.name)
        words = ["fakestripe", "check", "--profile", source, *self.flags, "--", *self.program]
        return redacted(shlex.join(words))
