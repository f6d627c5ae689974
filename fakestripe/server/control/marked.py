"""What a test's marker and the ini options ask for, read and checked; nothing here knows pytest.

Every refusal is a ``ValueError`` or a ``ProfileError`` whose text says what to write instead.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from fakestripe import profiles
from fakestripe.faults.limits import capped
from fakestripe.faults.rules import MOST_CUSTOMERS, Customers, Profile
from fakestripe.protocol import duration

ARGUMENTS: Final = ("profile", "profiles", "customers", "tls")
CUSTOMERS: Final = ("strict", "any")
ALL: Final = "all"


def arguments(positional: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the marker, ``profiles`` and ``customers`` checked."""
    strange = [*map(repr, positional), *(name for name in named if name not in ARGUMENTS)]
    if strange:
        raise ValueError(f"the marker fakestripe takes {_or(ARGUMENTS)} by name, not {strange[0]}")
    if {"profile", "profiles"} <= named.keys():
        raise ValueError("the marker fakestripe takes profile or profiles, not both")
    several = named.get("profiles", ALL)
    if several != ALL and (not isinstance(several, list | tuple) or not several):
        raise ValueError(f'profiles={several!r}: write a list of profiles, or "all"')
    check_customers("customers", named.get("customers", "any"))
    return dict(named)


def check_customers(name: str, given: Any) -> Customers:
    """Return which customers exist; ``name`` is where it was written."""
    if given in ("strict", "any"):
        return "any" if given == "any" else "strict"
    number = int(given) if str(given).isdigit() else 0
    if not 1 <= number <= MOST_CUSTOMERS:
        raise ValueError(f"{name}={given!r}: write {_or(CUSTOMERS)}, or how many there are")
    return number


def _or(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


class Place(Struct, frozen=True):
    """Where profiles are looked for: from the test's file, then in the project."""

    test: Path
    root: Path
    folder: Path
    longest_hang: float | None = None

    def load(self, source: str | Path | Profile) -> Profile:
        """Return a profile, its hangs no longer than the ini option allows."""
        found = source
        if not isinstance(found, Profile):
            found = profiles.load_profile(
                found, base=self.test, roots=[self.folder], root=self.root
            )
        return found if self.longest_hang is None else capped(found, self.longest_hang)

    def several(self, wanted: Any) -> list[Any]:
        """Return the profiles of a marker: those listed, or all names, one's own last."""
        if wanted != ALL:
            return list(wanted)
        own = {path.stem for path in self.folder.glob("*.yaml")}
        return [*profiles.names(), *sorted(own - {*profiles.names()})]


def place_of(test: Path, root: Path, folder: str, max_hang: str) -> Place:
    """Return the place that a test's file, the root of its run and the ini options make."""
    try:
        longest = duration.seconds(max_hang) if max_hang else None
    except ValueError as wrong:
        raise ValueError(f"fakestripe_max_hang: {wrong}") from None
    return Place(test, root, root / folder, longest)
