"""``fakestripe profiles``: list the situations, show one, check files of your own, help editors.

``show`` prints the file as it is, with what it means behind it as comments, so that its output
is a profile again: the way to begin one of your own.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from fakestripe.cli import flags
from fakestripe.cli.flags import Flag
from fakestripe.cli.profile_choice import DEFAULT, roots
from fakestripe.cli.usage import USAGE, UsageError

SUMMARY = "list the fault profiles, show one, check files of your own, or print their schema"

HEADING: Final = "# In words:"
WIDTH: Final = 96

FLAGS: Final = (Flag("--profiles", "folder to look for profiles in first", "DIR"),)


def add_arguments(parser: ArgumentParser) -> None:
    """Take a verb and what it is about."""
    parser.add_argument("verb", choices=VERBS, metavar="list|show|lint|schema")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME|PATH",
        help="show: profiles by name or path; lint: files, folders or names",
    )
    flags.add(parser, FLAGS)


def run(args: Namespace) -> int:
    """Do what the verb says."""
    flags.fill(args, FLAGS)
    return VERBS[args.verb](args.names, roots(args.profiles))


def _list(names: Sequence[str], folders: Sequence[Path]) -> int:
    from fakestripe.profiles import ProfileError, library
    from fakestripe.profiles.library import of_folder
    from fakestripe.profiles.told import situation

    if names:
        raise UsageError("profiles list takes no name (see: fakestripe profiles show NAME)")
    try:
        own = [profile for folder in folders for profile in of_folder(folder)]
    except ProfileError as wrong:
        raise UsageError(str(wrong)) from None
    hidden = {profile.name for profile in own}
    rows = [(f"{each.name} ({each.source})", situation(each)) for each in own]
    rows += [(each.name, situation(each)) for each in library() if each.name not in hidden]
    width = max(len(name) for name, _ in rows) + 2
    for name, told in rows:
        print(f"{name:<{width}}{told}".rstrip())
    return 0


def _show(names: Sequence[str], folders: Sequence[Path]) -> int:
    from fakestripe.profiles import ProfileError
    from fakestripe.profiles.files import read, text_of
    from fakestripe.profiles.library import locate

    if not names:
        raise UsageError("profiles show needs a name (see: fakestripe profiles list)")
    for name in names:
        try:
            found = locate(name, base=Path.cwd(), roots=folders)
            text, profile = text_of(found.path), read(found.path)
        except ProfileError as wrong:
            raise UsageError(str(wrong)) from None
        hides = f", hides the built-in {found.hidden}" if found.hidden else ""
        print(text.rstrip("\n"), "", HEADING, *_meaning(profile), sep="\n")
        print(f"# from {profile.source}{hides}")
    return 0


def _meaning(profile: Any) -> Iterator[str]:
    from textwrap import wrap

    from fakestripe.profiles.told import explained

    for paragraph in explained(profile):
        yield "#"
        yield from (f"# {line}" for line in wrap(paragraph, WIDTH))
    yield "#"


def _lint(names: Sequence[str], folders: Sequence[Path]) -> int:
    from fakestripe.profiles import Problem, ProfileError
    from fakestripe.profiles.lint import meant, mistakes

    if not (names or folders):
        raise UsageError(f"profiles lint needs a path: there is no folder {DEFAULT} here")
    checked = 0
    problems: list[Problem] = []
    for source in names or map(str, folders):
        try:
            paths = meant(source, folders)
        except ProfileError as wrong:
            problems += wrong.problems
            continue
        checked += len(paths)
        problems += [problem for path in paths for problem in mistakes(path)]
    for problem in problems:
        print(problem)
    if not problems:
        print("1 profile, nothing wrong" if checked == 1 else f"{checked} profiles, nothing wrong")
    return USAGE if problems else 0


def _schema(names: Sequence[str], _: Sequence[Path]) -> int:
    import json

    from fakestripe.profiles.schema import schema

    if names:
        raise UsageError("profiles schema takes no name: it is the same for every profile")
    print(json.dumps(schema(), indent=2))
    return 0


VERBS: Final[dict[str, Callable[[Sequence[str], Sequence[Path]], int]]] = {
    "list": _list,
    "show": _show,
    "lint": _lint,
    "schema": _schema,
}
