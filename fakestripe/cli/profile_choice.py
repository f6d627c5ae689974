"""The profiles that a command line names, looked up where it says, or all there are."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fakestripe.cli.usage import UsageError
from fakestripe.faults.limits import capped
from fakestripe.faults.rules import Profile

DEFAULT: Final = "fault_profiles"


def chosen(source: str, folder: str | None, longest: float | None) -> Profile:
    """Return one profile, by name or path; no hang in it is longer than ``longest``."""
    from fakestripe.profiles import ProfileError, load_profile

    try:
        profile = load_profile(source, base=Path.cwd(), roots=roots(folder))
    except ProfileError as wrong:
        raise UsageError(str(wrong)) from None
    if profile.shadows is not None:
        print(f"{profile.source} is used in place of {profile.shadows}", file=sys.stderr)
    return profile if longest is None else capped(profile, longest)


def everything(folder: str | None, longest: float) -> tuple[Profile, ...]:
    """Return the whole library, and what the folder has beside it."""
    from fakestripe.profiles import ProfileError, names
    from fakestripe.profiles.files import read
    from fakestripe.profiles.library import files

    known = [chosen(name, folder, longest) for name in names()]
    try:
        own = [read(path) for each in roots(folder) for path in files(each)]
    except ProfileError as wrong:
        raise UsageError(str(wrong)) from None
    taken = {profile.name for profile in known}
    more = (capped(profile, longest) for profile in own if profile.name not in taken)
    return (*known, *more)


def roots(folder: str | None) -> Sequence[Path]:
    """Return the folders that come before the built-in profiles."""
    if folder is None:
        default = Path(DEFAULT)
        return (default,) if default.is_dir() else ()
    if not Path(folder).is_dir():
        raise UsageError(f"--profiles {folder}: there is no such folder")
    return (Path(folder),)
