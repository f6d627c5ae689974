"""``fakestripe check -- COMMAND``: a client in any language, once under every situation."""

from argparse import ArgumentParser, Namespace
from typing import Any, Final

from fakestripe.cli import tls_flags
from fakestripe.cli.checking import interception
from fakestripe.cli.flags import Flag, add, customers, exact, fill, given, seconds, whole
from fakestripe.cli.usage import UsageError

SUMMARY = "run a command once per fault profile and say whether it can charge twice"

FLAGS: Final = (
    Flag(
        "--profile", "a profile by name or path; default: the whole library", "P", kind="several"
    ),
    Flag("--operation", "parameter that names an operation: metadata.order_id", "SELECTOR"),
    Flag("--replicas", "copies of COMMAND at once, under faults", "N", whole(1), default=1),
    Flag("--setup", "shell command before every run of COMMAND", "CMD"),
    Flag("--teardown", "shell command after every run; may report outcomes", "CMD"),
    Flag(
        "--timeout",
        "longest run of COMMAND, injected time apart",
        "TIME",
        seconds,
        "60s",
        write=exact,
    ),
    Flag("--jobs", "profiles at once; each has its own port", "N", whole(1), default=1),
    Flag("--hit", "faults touch only N of the learned operations", "N", whole(1)),
    Flag("--max-hang", "longest hang of any profile", "TIME", seconds, "3s", write=exact),
    Flag("--seed", "seed of the ids and of --hit", "N", whole(0), default=0),
    Flag("--report", "also write PATH (.json .xml .md .txt .html)", "PATH", kind="several"),
    Flag("--profiles", "folder to look for profiles in first", "DIR"),
    Flag(
        "--customers",
        "strict: only customers that were created; any: every id has a card that works; "
        "a number: so many people are there",
        "strict|any|N",
        customers,
        default="any",
    ),
    *tls_flags.FLAGS,
    *interception.FLAGS,
    Flag("--verbose", "show what COMMAND prints", kind="switch"),
)

HOST: Final = "127.0.0.1"
EPILOG: Final = """\
COMMAND finds the server in STRIPE_API_BASE (also FAKESTRIPE_URL) and a key in STRIPE_API_KEY and
STRIPE_SECRET_KEY; {url} {host} {port} {key} {ca} are replaced in its arguments. FAKESTRIPE_RUN,
FAKESTRIPE_PROFILE and FAKESTRIPE_REPLICA tell which run it is. An exit status of 0 means that
COMMAND believes it was paid. With --intercept a COMMAND that calls https://api.stripe.com finds it
all the same.

example: fakestripe check --profile commit-then-timeout -- python pay.py
"""

NOT_AGAIN: Final = frozenset({"--profile", "--jobs", "--report", "--verbose"})
"""The flags that a replay of one run does without; it names its own profile."""


def add_arguments(parser: ArgumentParser) -> None:
    """Take the flags; the command itself comes behind ``--``."""
    parser.usage = "fakestripe check [FLAGS] -- COMMAND [ARGUMENT ...]"
    parser.epilog = EPILOG
    add(parser, FLAGS)


def run(args: Namespace) -> int:
    """Check."""
    fill(args, FLAGS)
    if not args.program:
        raise UsageError(
            "check: which command? Write it behind --, such as: fakestripe check -- python pay.py"
        )
    from fakestripe.cli.checking import ending

    writers = ending.writers(args.report)
    identity = interception.identity_of(args, HOST)
    try:
        return ending.conclude(_asked(args, identity), writers)
    finally:
        if identity is not None:
            identity.close()


def _asked(args: Namespace, identity: Any) -> Any:
    """Return what was asked for, with its profiles loaded."""
    from fakestripe.cli.checking.asked import Asked
    from fakestripe.cli.profile_choice import chosen, everything

    named = {name: chosen(name, args.profiles, args.max_hang) for name in args.profile}
    profiles = tuple(named.values()) or everything(args.profiles, args.max_hang)
    names = [profile.name for profile in profiles]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"check: two of the profiles have the name {twice}")
    return Asked(
        program=tuple(args.program),
        profiles=profiles,
        sources={profile.name: source for source, profile in named.items()},
        declared=bool(named),
        setup=args.setup,
        teardown=args.teardown,
        timeout=args.timeout,
        replicas=args.replicas,
        jobs=args.jobs,
        operation=args.operation,
        customers=args.customers,
        seed=args.seed,
        hit=args.hit,
        verbose=args.verbose,
        **interception.standing(args, identity),
        flags=given(args, [flag for flag in FLAGS if flag.name not in NOT_AGAIN]),
    )
