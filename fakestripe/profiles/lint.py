"""Checks files of one's own: what loading would refuse, and a name that nobody would find."""

from collections.abc import Sequence
from pathlib import Path

from fakestripe.profiles.files import exists, read, shown
from fakestripe.profiles.library import files, locate
from fakestripe.profiles.problems import Problem, ProfileError, quoted


def meant(source: str, folders: Sequence[Path]) -> list[Path]:
    """Return the files that a folder, a path or a name means; raises ``ProfileError``."""
    path = Path(source)
    if not (exists(path) and path.is_dir()):
        return [locate(source, base=Path.cwd(), roots=folders).path]
    found = files(path)
    if not found:
        raise ProfileError(Problem(source, "no profile in this folder: their names end in .yaml"))
    return found


def mistakes(path: Path) -> tuple[Problem, ...]:
    """Return what is wrong with a file."""
    try:
        profile = read(path)
    except ProfileError as wrong:
        return wrong.problems
    if profile.name == path.stem:
        return ()
    told = f"the file is found as {quoted(path.stem)}, and says {quoted(profile.name)}"
    return (Problem(shown(path), told, path="name"),)
