"""The command line's door: it finds the command, imports it alone, and turns mistakes into words.

What a person got wrong is one line and exit status 2, never a traceback; a mistake of ours is a
traceback and exit status 4. Ctrl-C ends with 130, as shells expect.
"""

import errno
import importlib
import io
import os
import sys
import traceback
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from fakestripe._version import __version__
from fakestripe.cli.usage import BUG, INTERRUPTED, USAGE, UsageError, nearest

COMMANDS: Final = (
    "check",
    "sweep",
    "serve",
    "judge",
    "explain",
    "demo",
    "profiles",
    "health",
    "doctor",
)
WITH_PROGRAM: Final = frozenset({"check", "sweep"})
"""The commands that run a program of the user's, given behind ``--``."""

ABOUT: Final = """\
Run your billing code against a Stripe that loses answers on purpose,
and know whether it can charge a customer twice.

usage: fakestripe COMMAND …
       fakestripe COMMAND --help
"""

STATUS: Final = """
exit status: 0 nothing red; 1 something red that the profile does not expect; 2 wrong usage, a
wrong profile, or a fault-free run that teaches nothing; 3 nothing red, but something
inconclusive or a hazard; 4 a bug of fakestripe
"""


FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""What the system says where there is no room for output."""
BROKEN_PIPE: Final = 141
"""What a shell says of a program whose reader left: neither red nor fine."""


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        status = _run(list(sys.argv[1:] if words is None else words))
        _flush()
    except UsageError as wrong:
        for line in str(wrong).splitlines():
            print(f"fakestripe: {line}", file=sys.stderr)
        if wrong.evidence:
            print(wrong.evidence, file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _write_no_more()
        return BROKEN_PIPE
    except Exception as failure:  # noqa: BLE001  # none may pass by as a traceback of Python's
        return _unforeseen(failure)
    return status


def _flush() -> None:
    """Write what is left; whoever started us may have closed our output."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _unforeseen(failure: Exception) -> int:
    """Tell of an output without room; whatever else is raised is our bug, and looks like one."""
    if isinstance(failure, OSError) and failure.errno in FULL and failure.filename is None:
        _write_no_more()
        print(f"fakestripe: the output cannot be written: {failure.strerror}", file=sys.stderr)
        return USAGE
    traceback.print_exception(failure)
    print("fakestripe: this is a bug of fakestripe, not of your client", file=sys.stderr)
    return BUG


def _write_no_more() -> None:
    """Let what is still to be written go nowhere: the end of Python would try, and fail, again."""
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if words else USAGE
    if words[0] == "--version":
        print(f"fakestripe {__version__}")
        return 0
    if words[0] not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise UsageError(
            f"no command {words[0]!r}{nearest(words[0], COMMANDS)}; there are {known}"
        )
    if sys.platform == "win32":
        raise UsageError("Windows is not supported; use WSL or the container image")
    return _command(words[0], words[1:])


def _overview() -> str:
    rows = [f"  {name:<10}{_module(name).SUMMARY}" for name in COMMANDS]
    return "\n".join([ABOUT, *rows, STATUS.rstrip()])


def _module(name: str) -> Any:
    return importlib.import_module(f"fakestripe.cli.{name}")


def _command(name: str, words: list[str]) -> int:
    module = _module(name)
    parser = ArgumentParser(
        prog=f"fakestripe {name}",
        description=module.SUMMARY,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.error = _refuse(name)  # type: ignore[method-assign]
    module.add_arguments(parser)
    own, program = _split(words) if name in WITH_PROGRAM else (words, None)
    args = parser.parse_args(own)
    args.program = program
    status: int = module.run(args)
    return status


def _split(words: list[str]) -> tuple[list[str], list[str] | None]:
    """Part a command's own words from those behind ``--``."""
    if "--" not in words:
        return words, None
    at = words.index("--")
    return words[:at], words[at + 1 :]


def _refuse(name: str) -> Any:
    def error(message: str) -> NoReturn:
        raise UsageError(f"{name}: {message} (see: fakestripe {name} --help)")

    return error
