"""``fakestripe sweep -- COMMAND``: every request of a client times every fault."""

from argparse import ArgumentParser, Namespace
from textwrap import wrap
from typing import Any, Final

from fakestripe.cli import check
from fakestripe.cli.checking import interception
from fakestripe.cli.flags import Flag, add, exact, fill, given, one_of, seconds, whole
from fakestripe.cli.usage import UsageError

SUMMARY = "strike every request of a command with every fault, one at a time"
HANG: Final = 3.0

SHARED: Final = tuple(
    flag
    for flag in check.FLAGS
    if flag.name
    not in {"--profile", "--profiles", "--hit", "--jobs", "--timeout", "--max-hang", "--report"}
)
"""The flags that mean the same to ``check``; a replay of one run is given them again."""
TIMED: Final = (
    Flag(
        "--timeout",
        "longest run of COMMAND; default: 3 times as long as without faults, or 10s "
        "if that is longer, injected time apart",
        "TIME",
        seconds,
        write=exact,
    ),
    Flag("--max-hang", "length of the hang", "TIME", seconds, "3s", write=exact),
)
FLAGS: Final = (
    Flag("--fault", "a fault by name; default: all of them", "F", kind="several"),
    Flag("--persistent", "each fault also from its request on, every time", kind="switch"),
    Flag("--depth", "faults in one run at most; 2 strikes retries too", "N", whole(1, 3), 1),
    Flag(
        "--connection",
        "only requests on such a connection",
        "reused|fresh",
        one_of("reused", "fresh"),
    ),
    Flag("--hit", "how many of the operations that are alike are struck", "N", whole(1), 1),
    Flag("--jobs", "runs at once; each has its own port", "N", whole(1), 1),
    Flag("--max-time", "begin no run after that; what was not run is said", "TIME", seconds),
    Flag("--out", "folder for the profiles of what is red", "DIR", default="fakestripe-sweep"),
    Flag("--report", "also write PATH (.json .xml .html .md .txt)", "PATH", kind="several"),
    *TIMED,
    *SHARED,
)

EPILOG: Final = """\
faults: {faults}

COMMAND is run twice without faults, and then once for each of its requests and each fault. It
finds the server as under check. For every red run a profile is written that does the same again:
fakestripe check --profile DIR/NAME.yaml -- COMMAND

example: fakestripe sweep --jobs 2 -- python pay.py
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Take the flags; the command itself comes behind ``--``."""
    parser.usage = "fakestripe sweep [FLAGS] -- COMMAND [ARGUMENT ...]"
    from fakestripe.sweeping.menu import KINDS

    names = "\n        ".join(
        wrap(", ".join(kind.name for kind in KINDS), 88, break_on_hyphens=False)
    )
    parser.epilog = EPILOG.replace("{faults}", names)
    add(parser, FLAGS)


def run(args: Namespace) -> int:
    """Sweep."""
    fill(args, FLAGS)
    if not args.program:
        raise UsageError(
            "sweep: which command? Write it behind --, such as: fakestripe sweep -- python pay.py"
        )
    from fakestripe.cli.sweeping import ending

    writers = ending.writers(args.report)
    identity = interception.identity_of(args, check.HOST)
    try:
        return ending.conclude(_asked(args, identity), writers)
    finally:
        if identity is not None:
            identity.close()


def _asked(args: Namespace, identity: Any) -> Any:
    """Return what was asked for."""
    from pathlib import Path

    from fakestripe.cli.checking.asked import Asked
    from fakestripe.cli.sweeping.wanted import Wanted
    from fakestripe.sweeping.plans import Conditions
    from fakestripe.sweeping.rounds import Scope

    again = [flag for flag in (*TIMED, *SHARED) if flag.name != "--verbose"]
    return Wanted(
        asked=Asked(
            program=tuple(args.program),
            profiles=(),
            declared=True,
            setup=args.setup,
            teardown=args.teardown,
            timeout=args.timeout or 60.0,
            replicas=args.replicas,
            jobs=args.jobs,
            operation=args.operation,
            customers=args.customers,
            seed=args.seed,
            verbose=args.verbose,
            **interception.standing(args, identity),
            flags=given(args, again),
        ),
        scope=Scope(
            kinds=_kinds(args.fault),
            persistent=args.persistent,
            depth=args.depth,
            hit=args.hit,
            replicas=args.replicas,
        ),
        conditions=Conditions(args.connection, args.max_hang),
        folder=Path(args.out),
        timeout=args.timeout,
        max_time=args.max_time,
    )


def _kinds(names: Any) -> Any:
    from fakestripe.sweeping.menu import named

    try:
        return named(names)
    except ValueError as wrong:
        raise UsageError(f"sweep: --fault {wrong}") from None
