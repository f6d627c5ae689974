"""How far a profile may reach: what strikes a port or its connections needs one of its own."""

from typing import Final

from fakestripe.faults.rules import Profile

EDGE: Final = frozenset({"listen", "accept"})
"""The points at which no account is known yet."""
OF_APPLICATION: Final = (
    "create_app() has no port of its own, so use the fixture fakestripe, or Server"
)
OF_ONE: Final = (
    "it would strike the neighbours on this port too, so open one of your own "
    "(POST /_fakestripe/ports)"
)


def refuse_edge(profile: Profile, remedy: str) -> None:
    """Raise ``ValueError`` where a profile has a rule that strikes the port, or a connection."""
    for rule in profile.rules:
        if rule.at in EDGE:
            raise ValueError(f"{rule.name} strikes at {rule.at}: {remedy}")
