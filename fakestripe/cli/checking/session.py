"""A whole check: guards, two runs without faults, an estimate, then one run per profile.

Runs go in lanes (``--jobs``), each with its own server. Whatever ends a check early (Ctrl-C, a
mistake in setup) ends every process that it started.
"""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

from msgspec import Struct

from fakestripe.cli.checking import choice, estimate, lessons
from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.children import Nursery
from fakestripe.cli.checking.environment import refuse_live_keys
from fakestripe.cli.checking.judged import Judged, judged
from fakestripe.cli.checking.lessons import Taught
from fakestripe.cli.checking.progress import Progress
from fakestripe.cli.checking.trial import Trial, run
from fakestripe.cli.usage import TERMINATED, UsageError

FIRST_FAULTY: Final = 3
"""The number of the first run under a profile, after the two without faults."""


class Session(Struct, frozen=True):
    """A check that came to its end."""

    asked: Asked
    taught: Taught
    runs: tuple[Judged, ...]


def check(asked: Asked, say: Callable[[str], None]) -> Session:
    """Run everything; raises ``UsageError`` where nothing can be learned from it."""
    refuse_live_keys(os.environ, asked.program)
    _refuse_absent(asked.program[0])
    with _nursery() as nursery:
        taught = lessons.teach(asked, nursery)
        for line in lessons.told(taught):
            say(line)
        say(estimate.told(asked, len(taught.operations), taught.seconds))
        return Session(asked, taught, tuple(_under_faults(asked, taught, nursery, say)))


def _refuse_absent(program: str) -> None:
    if shutil.which(program) is not None:
        return
    path = Path(program)
    if path.is_dir():
        raise UsageError(f"{program} is a folder, not a program")
    if path.exists() and not os.access(path, os.X_OK):
        raise UsageError(f"{program} is not executable (chmod +x, or name its interpreter)")
    here = f" (did you mean ./{program}?)" if path.exists() else ""
    raise UsageError(f"no such command: {program}{here}")


@contextmanager
def _nursery() -> Iterator[Nursery]:
    """Give a nursery that is empty afterwards, also when we are told to end."""
    nursery = Nursery()
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        yield nursery
    finally:
        nursery.close()
        signal.signal(signal.SIGTERM, before)


def _terminated(*_: object) -> NoReturn:
    raise SystemExit(TERMINATED)


def _under_faults(
    asked: Asked, taught: Taught, nursery: Nursery, say: Callable[[str], None]
) -> list[Judged]:
    trials = _trials(asked, taught)
    progress = Progress(len(trials))

    def judge(trial: Trial) -> Judged:
        progress.begin(trial.profile.name)
        ran = run(asked, trial, nursery)
        progress.end(trial.profile.name)
        if asked.verbose:
            say(f"--- {trial.profile.name} printed:\n{ran.performed.output}")
        return judged(asked, ran)

    with ThreadPoolExecutor(asked.jobs, "check") as lanes:
        runs = [lanes.submit(judge, trial) for trial in trials]
        try:
            _await(runs, progress)
        finally:
            if not all(each.done() for each in runs):
                nursery.close()
                lanes.shutdown(wait=False, cancel_futures=True)
            progress.clear()
    return [each.result() for each in runs]


def _await(runs: list[Future[Judged]], progress: Progress) -> None:
    """Return when all runs are done; raises what one of them raised."""
    pending = set(runs)
    while pending:
        done, pending = wait(pending, timeout=1.0, return_when=FIRST_EXCEPTION)
        progress.tick()
        for each in done:
            each.result()


def _trials(asked: Asked, taught: Taught) -> list[Trial]:
    touched = len(taught.operations) if asked.hit is None else asked.hit
    return [
        Trial(
            number,
            choice.aimed(asked, profile, taught.operations),
            asked.replicas,
            taught.lesson,
            asked.timeout + estimate.injected(profile, touched),
        )
        for number, profile in enumerate(asked.profiles, FIRST_FAULTY)
    ]
