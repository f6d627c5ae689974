"""``fakestripe serve``: the server in the foreground, until SIGTERM or Ctrl-C.

Everything that can be wrong (profile, journal, port) is found before it says that it listens.
A held fault never delays the end.
"""

import errno
import gc
import json
import os
import resource
import signal
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fakestripe._version import __version__
from fakestripe.cli import guard_flags, intercept_flags, log_flags, tls_flags
from fakestripe.cli.flags import Flag, add, customers, fill, numbers, seconds, whole
from fakestripe.cli.journal_file import JournalFile
from fakestripe.cli.usage import INTERRUPTED, UsageError
from fakestripe.server.log import tell

if TYPE_CHECKING:
    from fakestripe.faults.rules import Profile
    from fakestripe.server.accounts import Accounts
    from fakestripe.server.edge.tls import Identity
    from fakestripe.server.listener import Server

SUMMARY = "run the server until it is told to stop"
HIGHEST_PORT: Final = 65535
GARBAGE: Final = 20_000
"""Objects made between two looks for garbage; the default of 700 looks every dozen requests."""
SIGNALS: Final = frozenset({signal.SIGTERM, signal.SIGINT})


FLAGS: Final = (
    Flag("--host", "address to bind", "ADDRESS", default="127.0.0.1"),
    Flag("--port", "port to bind, 0 for a free one", "N", whole(0, HIGHEST_PORT), default=12111),
    Flag(
        "--port-range",
        "numbers of further ports, such as 12200-12215: those that a container publishes",
        "A-B",
        numbers(1, HIGHEST_PORT),
    ),
    Flag(
        "--https-port",
        "a second port, under TLS, of the same accounts; stripe-mock's is 12112",
        "N",
        whole(0, HIGHEST_PORT),
    ),
    *intercept_flags.FLAGS,
    Flag("--profile", "faults for every account: a name or a path", "PROFILE"),
    Flag("--profiles", "folder to look for profiles in first", "DIR"),
    Flag(
        "--customers",
        "strict: only customers that were created; any: every id has a card that works; "
        "a number: so many people are there",
        "strict|any|N",
        customers,
        default="strict",
    ),
    Flag("--journal", "write every point reached to FILE, as JSON lines", "FILE"),
    Flag(
        "--ready-file",
        "write url, https_url, pid and ca (under TLS) to FILE once it listens",
        "FILE",
    ),
    Flag("--max-hang", "longest hang of any profile, such as 3s", "TIME", seconds),
    Flag(
        "--webhook-host",
        "host that webhooks may go to beside loopback, * for any; several are several flags",
        "HOST",
        kind="several",
    ),
    Flag("--seed", "seed of the ids", "N", whole(0), default=0),
    *log_flags.FLAGS,
    *guard_flags.FLAGS,
    *tls_flags.FLAGS,
)


def add_arguments(parser: ArgumentParser) -> None:
    """Take where to listen, and what to do there."""
    add(parser, FLAGS)


def run(args: Namespace) -> int:
    """Serve."""
    fill(args, FLAGS)
    intercept_flags.check(args)
    log_flags.configure(args)
    tell("start", version=__version__, profile=args.profile, journal=args.journal)
    identity = tls_flags.identity_of(args, args.host)
    try:
        return _serve(args, identity)
    finally:
        if identity is not None:
            identity.close()


def _serve(args: Namespace, identity: "Identity | None") -> int:
    from fakestripe.cli.profile_choice import chosen, roots
    from fakestripe.server.listener import Server

    profile = chosen(args.profile, args.profiles, args.max_hang) if args.profile else None
    journal = JournalFile(Path(args.journal)) if args.journal else None
    ready = _ready_file(args.ready_file)
    # Blocked before the server's thread starts, which inherits it: sigwait then gets them.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    server = Server(
        host=args.host,
        port=args.port,
        shared=False,
        customers=args.customers,
        mode="serve",
        sink=log_flags.sink_of(args, journal),
        seed=args.seed,
        tls=tls_flags.secure(args),
        identity=identity,
        https_port=args.https_port,
        intercept=args.intercept,
        allow=args.allow,
    )
    accounts = server.port.accounts
    accounts.folders, accounts.max_hang = roots(args.profiles), args.max_hang
    accounts.guard = guard_flags.guard_of(args)
    accounts.webhook_hosts, server.ports.within = args.webhook_host, args.port_range
    if profile is not None:
        _use(accounts, profile)
    try:
        server.start()
    except OSError as failure:
        raise UsageError(_busy(args, failure)) from None
    _allow_files()
    gc.freeze()  # what is loaded by now stays; requests leave nothing that needs collecting
    gc.set_threshold(GARBAGE)
    try:
        return _until_told(server, journal, ready)
    finally:
        server.stop()


def _allow_files() -> None:
    """Ask the system for as many connections as the door lets in, and no more."""
    from fakestripe.server.edge.door import MOST_FILES

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _use(accounts: "Accounts", profile: "Profile") -> None:
    try:
        accounts.use(profile)
    except ValueError as wrong:
        raise UsageError(f"profile {profile.name}: {wrong}") from None


def _ready_file(name: str | None) -> Path | None:
    """Return the path, without what an earlier server left there."""
    if not name:
        return None
    path = Path(name)
    if not path.parent.is_dir():
        raise UsageError(f"--ready-file {name}: there is no folder {path.parent}")
    try:
        path.unlink(missing_ok=True)
    except OSError as failure:
        raise UsageError(f"--ready-file {name}: {failure.strerror}") from None
    return path


def _busy(args: Namespace, failure: OSError) -> str:
    number, flag = args.port, "--port"
    if args.https_port and f":{args.https_port}: " in (failure.strerror or ""):
        number, flag = args.https_port, "--https-port"
    place = f"{args.host}:{number}"
    if failure.errno == errno.EADDRINUSE:
        return f"{place} is in use by another program; choose another {flag}, or 0 for a free one"
    return f"cannot listen on {place}: {failure.strerror or failure}"


def _until_told(server: "Server", journal: JournalFile | None, ready: Path | None) -> int:
    if journal is not None:
        server.call(journal.begin)
    if ready is not None:
        _announce(ready, server)
    tell("ready", url=server.url, https_url=server.https_url, pid=os.getpid())
    second = "" if server.https_url is None else f" and {server.https_url}"
    print(f"fakestripe listens on {server.url}{second}", flush=True)
    if server.intercepts:
        proxy = f"http://{server.url.rpartition('/')[2]}"  # a CONNECT comes in the clear
        print(f"it is https://api.stripe.com to clients with HTTPS_PROXY={proxy}", flush=True)
    if server.ca_file is not None:
        print(f"clients trust it by {server.ca_file} (SSL_CERT_FILE={server.ca_file})", flush=True)
    elif server.ca_pem is not None:  # there is nowhere to write a file
        print(f"clients trust it by {server.url}/_fakestripe/ca.pem", flush=True)
    told = signal.Signals(signal.sigwait(SIGNALS))
    tell("stop", signal=told.name)
    if journal is not None:
        journal.check()
    return INTERRUPTED if told == signal.SIGINT else 0


def _announce(ready: Path, server: "Server") -> None:
    """Write the ready file whole or not at all."""
    draft = ready.with_name(f".{ready.name}.{os.getpid()}")
    told = {
        "url": server.url,
        "pid": os.getpid(),
        "https_url": server.https_url,
        "ca": server.ca_file,
    }
    text = json.dumps({name: each for name, each in told.items() if each is not None})
    try:
        draft.write_text(text)
        draft.replace(ready)
    except OSError as failure:
        raise UsageError(f"--ready-file {ready}: {failure.strerror}") from None
