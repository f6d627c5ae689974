"""``fakestripe demo``: two clients, one lost answer, two verdicts.

The clients are real programs that talk to a real server; what is shown is what ``check`` finds.
"""

import inspect
import sys
import textwrap
from argparse import ArgumentParser, Namespace
from typing import Final

from fakestripe.cli import demo_client

SUMMARY = "two small clients meet a lost answer: one charges twice, one does not"
PROFILE: Final = "reset-after-commit"

STORY: Final = """\
Order ord_1 costs 20 dollars. The charge commits; then the connection is reset before a byte of
the answer is sent ({profile}). Both clients see an error, and both try again.
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Take nothing."""
    del parser


def run(args: Namespace) -> int:
    """Show both."""
    del args
    print(STORY.format(profile=PROFILE))
    for name in demo_client.CLIENTS:
        print(f"{name.upper()} CLIENT\n")
        print(textwrap.indent(inspect.getsource(demo_client.CLIENTS[name]), "    "))
        print(textwrap.indent(_verdict(name), "  "), end="\n\n")
    print("now yours: fakestripe check -- COMMAND")
    return 0


def _verdict(name: str) -> str:
    """Return what a check of one client finds."""
    from fakestripe.cli.checking.asked import Asked
    from fakestripe.cli.checking.session import check
    from fakestripe.profiles import library
    from fakestripe.verdict.text import text

    profile = next(each for each in library() if each.name == PROFILE)
    program = (sys.executable, demo_client.__file__, name)
    session = check(Asked(program=program, profiles=(profile,), declared=True), say=_nothing)
    return text(session.runs[0].verdict, profile=profile.source)


def _nothing(_: str) -> None:
    """Leave out what a check says on its way."""
