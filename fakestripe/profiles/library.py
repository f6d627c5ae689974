"""Finds a profile by name or by path, and knows the built-in ones.

A source with a slash or the ending ``.yaml`` is a path: from the test's file, then from the root
of the run. Else it is a name: in the given folders (``./fault_profiles`` where none is given),
then among the built-in ones. A name found in both is shadowed, and the profile says so.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from fakestripe.faults.rules import Profile
from fakestripe.profiles.files import exists, read
from fakestripe.profiles.problems import Problem, ProfileError, quoted

PACKAGE: Final = Path(__file__).resolve().parent.parent
HOMES: Final = (PACKAGE / "_fault_profiles", PACKAGE.parent / "fault_profiles")
"""The built-in profiles: inside a wheel, and beside the package in an editable install."""

ENDINGS: Final = (".yaml", ".yml", ".json")
FOLDER: Final = "fault_profiles"
FIRST: Final = (
    "commit-then-timeout",
    "reset-after-commit",
    "close-after-commit",
    "reset-before-commit",
    "gateway-502-after-commit",
    "stored-500",
    "truncated-reply",
    "late-commit",
    "stale-keep-alive",
    "rate-limited",
)
"""The order in which the library is run and listed; the others follow by name."""


class Found(Struct, frozen=True):
    """The file of a profile, and the built-in one that it hides."""

    path: Path
    hidden: Path | None = None


def load_profile(
    source: str | Path,
    *,
    base: Path | None = None,
    roots: Sequence[Path] = (),
    root: Path | None = None,
) -> Profile:
    """Return the profile of a name or path; raises ``ProfileError``.

    ``base`` is the test's file or its folder, ``root`` the root of the run (default: the
    current folder), ``roots`` the folders in which names are looked up first.
    """
    found = locate(source, base=base, roots=roots, root=root)
    profile = read(found.path)
    return profile if found.hidden is None else structs.replace(profile, shadows=str(found.hidden))


def locate(
    source: str | Path,
    *,
    base: Path | None = None,
    roots: Sequence[Path] = (),
    root: Path | None = None,
) -> Found:
    """Return where a profile is; takes what ``load_profile`` takes."""
    if not isinstance(source, str | Path):
        raise TypeError(f"{source!r} is no profile: write its name, its path, or pass a Profile")
    start = root or Path.cwd()
    if isinstance(source, Path) or is_path(source):
        return Found(_file(Path(source), base, start))
    return _named(source, [start / each for each in roots] or [start / FOLDER])


def is_path(source: str) -> bool:
    """Return whether a source is a path, not a name."""
    return "/" in source or source.endswith(ENDINGS)


def names() -> tuple[str, ...]:
    """Return the names of the built-in profiles, in the order of the library."""
    found = {path.stem for path in files(home())}
    first = [name for name in FIRST if name in found]
    return (*first, *sorted(found.difference(first)))


def library() -> tuple[Profile, ...]:
    """Return the built-in profiles, in order."""
    return tuple(read(home() / f"{name}.yaml") for name in names())


def home() -> Path:
    """Return the folder of the built-in profiles."""
    return next((folder for folder in HOMES if folder.is_dir()), HOMES[0])


def files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be profiles, by name."""
    if not exists(folder) or not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)


def of_folder(folder: Path) -> tuple[Profile, ...]:
    """Return the profiles of a folder of one's own; none for that of the built-in ones."""
    if folder.resolve() == home().resolve():
        return ()
    return tuple(read(path) for path in files(folder))


def _named(name: str, folders: Sequence[Path]) -> Found:
    places = [folder / f"{name}{ending}" for folder in folders for ending in ENDINGS]
    own = next((path for path in places if exists(path)), None)
    built_in = home() / f"{name}.yaml" if name in names() else None
    if own is None and built_in is None:
        raise ProfileError(Problem(quoted(name), _unknown(name, folders)))
    if own is None or built_in is None:
        return Found(own or built_in or home())
    return Found(own, None if own.samefile(built_in) else built_in)


def _unknown(name: str, folders: Sequence[Path]) -> str:
    own = [path.stem for folder in folders for path in files(folder)]
    close = get_close_matches(name, [*own, *names()], n=1, cutoff=0.5)
    if close:
        return f"no profile of this name; did you mean {close[0]}?"
    if name and exists(Path(name)):
        return f"no profile of this name; write ./{name} for the file"
    return "no profile of this name (see: fakestripe profiles list)"


def _file(path: Path, base: Path | None, start: Path) -> Path:
    """Return where a path leads: from the test's file, else from the root of the run."""
    places = [start / path]
    if base is not None:
        places.insert(0, (base.parent if base.is_file() else base) / path)
    found = next((place for place in places if exists(place)), None)
    if found is None:
        raise ProfileError(Problem(str(path), _missing(path)))
    return found


def _missing(path: Path) -> str:
    close = get_close_matches(path.stem, names(), n=1)
    return f"no such file; did you mean the built-in {close[0]}?" if close else "no such file"
