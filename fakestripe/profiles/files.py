"""Reads the file of a profile; whatever keeps it from being read is a ``ProfileError``."""

from pathlib import Path

from fakestripe.faults.rules import Profile
from fakestripe.profiles.load import parse
from fakestripe.profiles.problems import Problem, ProfileError


def read(path: Path) -> Profile:
    """Return the profile of a file."""
    return parse(text_of(path), shown(path))


def text_of(path: Path) -> str:
    """Return the text of a file."""
    name = shown(path)
    if not path.is_file():
        what = "a folder" if path.is_dir() else "no file"
        raise ProfileError(Problem(name, f"this is {what}; a profile is a text file"))
    try:
        data = path.read_bytes()
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        raise ProfileError(Problem(name, f"cannot be read: {reason}")) from None
    return _decoded(data, name)


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = data[: problem.start]
        line, column = before.count(b"\n") + 1, problem.start - before.rfind(b"\n")
        raise ProfileError(Problem(name, "this is not UTF-8", line, column)) from None


def exists(path: Path) -> bool:
    """Return whether something is there; what no path can be is nowhere."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def shown(path: Path) -> str:
    """Return a path as short as it can be said."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):  # links in a circle, before Python 3.13
        return str(path)
