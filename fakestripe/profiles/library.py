"""Finds a profile by name or by path, and knows the built-in ones.

A source with a slash or the ending ``.yaml`` is a path: from the test's file, then from the root
of the run. Else it is a name: in the given folders (``./fault_profiles`` where none is given),
then among the built-in ones. A name found in both is shadowed, and the profile says so.
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import structs

from fakestripe.faults.rules import Profile
from fakestripe.profiles.load import parse
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
    start = root or Path.cwd()
    if isinstance(source, Path) or is_path(source):
        return read(_file(Path(source), base, start))
    return _named(source, [start / each for each in roots] or [start / FOLDER])


def is_path(source: str) -> bool:
    """Return whether a source is a path, not a name."""
    return "/" in source or source.endswith(ENDINGS)


def names() -> tuple[str, ...]:
    """Return the names of the built-in profiles, in the order of the library."""
    found = {path.stem for path in _files(home())}
    first = [name for name in FIRST if name in found]
    return (*first, *sorted(found.difference(first)))


def library() -> tuple[Profile, ...]:
    """Return the built-in profiles, in order."""
    return tuple(_built_in(name) for name in names())


def home() -> Path:
    """Return the folder of the built-in profiles."""
    return next((folder for folder in HOMES if folder.is_dir()), HOMES[0])


@lru_cache(maxsize=64)
def _built_in(name: str) -> Profile:
    return read(home() / f"{name}.yaml")


def _named(name: str, folders: Sequence[Path]) -> Profile:
    own = next((path for path in _in(folders, name) if path.is_file()), None)
    if own is None:
        if name in names():
            return _built_in(name)
        raise ProfileError(Problem(quoted(name), _unknown(name, folders)))
    hidden = home() / f"{name}.yaml"
    profile = read(own)
    if hidden.is_file() and not hidden.samefile(own):
        return structs.replace(profile, shadows=str(hidden))
    return profile


def _in(folders: Sequence[Path], name: str) -> Iterator[Path]:
    return (folder / f"{name}{ending}" for folder in folders for ending in ENDINGS)


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)


def _unknown(name: str, folders: Sequence[Path]) -> str:
    own = [path.stem for folder in folders for path in _files(folder)]
    close = get_close_matches(name, [*names(), *own], n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(names())}"
    return f"no profile of this name; {hint}"


def _file(path: Path, base: Path | None, start: Path) -> Path:
    """Return where a path leads: from the test's file, else from the root of the run."""
    places = [start / path]
    if base is not None:
        places.insert(0, (base.parent if base.is_file() else base) / path)
    found = next((place for place in places if place.exists()), None)
    if found is None:
        raise ProfileError(Problem(str(path), _missing(path)))
    return found


def _missing(path: Path) -> str:
    close = get_close_matches(path.stem, names(), n=1)
    hint = f"; the built-in {close[0]} is used by its name alone" if close else ""
    return f"no such file{hint}"


def read(path: Path) -> Profile:
    """Return the profile of a file; raises ``ProfileError`` for one that is none."""
    shown = _shown(path)
    if path.is_dir():
        raise ProfileError(Problem(shown, "is a folder, not a profile"))
    try:
        data = path.read_bytes()
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise ProfileError(Problem(shown, f"cannot be read: {reason}")) from None
    return parse(_text(data, shown), shown)


def _text(data: bytes, shown: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = data[: problem.start]
        line, column = before.count(b"\n") + 1, problem.start - before.rfind(b"\n")
        raise ProfileError(Problem(shown, "this is not UTF-8", line, column)) from None


def _shown(path: Path) -> str:
    """Return a path as short as it can be said."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
