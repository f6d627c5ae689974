"""A whole check: guards, two runs without faults, an estimate, then one run per profile.

Runs go in lanes (``--jobs``), each with its own server. Whatever ends a check early (Ctrl-C, a
mistake in setup) ends every process that it started.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from fakestripe.cli.checking import choice, estimate, led, lessons, refusals
from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.children import Nursery
from fakestripe.cli.checking.environment import refuse_live_keys
from fakestripe.cli.checking.judged import Judged, judged
from fakestripe.cli.checking.lessons import Taught
from fakestripe.cli.checking.progress import Progress
from fakestripe.cli.checking.trial import Trial
from fakestripe.cli.checking.troupe import Troupe
from fakestripe.cli.told_to_end import unwinding
from fakestripe.cli.usage import UsageError

T = TypeVar("T")
Done = TypeVar("Done")


class Session(Struct, frozen=True):
    """A check that came to its end."""

    asked: Asked
    taught: Taught
    runs: tuple[Judged, ...]
    refused: tuple[str, ...] = ()


def check(asked: Asked, say: Callable[[str], None]) -> Session:
    """Run everything; raises ``UsageError`` where nothing can be learned from it."""
    guard(asked)
    progress = Progress(len(lessons.PLAIN) + len(asked.profiles))
    with guarded_nursery() as nursery:
        troupe = Troupe(asked, nursery, progress, say)
        taught = lesson(troupe)
        try:
            troupe.tell(estimate.told(asked, len(taught.operations), taught.seconds))
            runs = tuple(_under_faults(troupe, taught))
        finally:
            progress.clear()
    return Session(asked, taught, runs, tuple(troupe.refused))


def lesson(troupe: Troupe) -> Taught:
    """Learn from two runs without faults, and tell of it; raises ``UsageError``."""
    if troupe.asked.intercept:
        for line in led.told(os.environ):
            troupe.tell(line)
    try:
        taught = lessons.teach(troupe)
    except UsageError as wrong:
        raise UsageError(str(wrong), refusals.added(wrong.evidence, troupe.refused)) from None
    finally:
        troupe.progress.clear()
    troupe.tell("\n".join(lessons.told(taught)))
    return taught


def guard(asked: Asked) -> None:
    """Raise ``UsageError`` before anything runs: a live key is near, or there is no program."""
    refuse_live_keys(os.environ, _words(asked))
    _refuse_absent(asked.program[0])


def _words(asked: Asked) -> dict[str, str]:
    """Return all that the command line hands to programs, and what to call each part."""
    words = {f"word {place} of the command": text for place, text in enumerate(asked.program, 1)}
    return {**words, "--setup": asked.setup or "", "--teardown": asked.teardown or ""}


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
def guarded_nursery() -> Iterator[Nursery]:
    """Give a nursery that is empty afterwards, also when we are told to end."""
    nursery = Nursery()
    with unwinding():
        try:
            yield nursery
        finally:
            nursery.close()


def _under_faults(troupe: Troupe, taught: Taught) -> list[Judged]:
    def judge(trial: Trial) -> Judged:
        return judged(troupe.asked, troupe.perform(trial))

    return in_lanes(troupe, judge, _trials(troupe.asked, taught))


def in_lanes(troupe: Troupe, work: Callable[[T], Done], items: Iterable[T]) -> list[Done]:
    """Return what ``work`` makes of each item, ``--jobs`` of them at once.

    Raises what one of them raised, once nothing runs any more.
    """
    with ThreadPoolExecutor(troupe.asked.jobs, "check") as lanes:
        runs = [lanes.submit(work, item) for item in items]
        try:
            _await(runs, troupe.progress)
        finally:
            if not all(each.done() for each in runs):
                troupe.nursery.close()
                lanes.shutdown(wait=False, cancel_futures=True)
    return [each.result() for each in runs]


def _await(runs: list[Future[Done]], progress: Progress) -> None:
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
        for number, profile in enumerate(asked.profiles, len(lessons.PLAIN) + 1)
    ]
