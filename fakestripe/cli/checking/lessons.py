"""The two runs without faults: what the client does when nothing goes wrong, learned or refused.

Nothing is learned from a run that failed, hung, reached nothing, needed an endpoint that we do not
have, or differed from its twin. The second guard lives here: a client that sent us nothing may
be talking to the real Stripe, so nothing more of it is run.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from fakestripe import verdict
from fakestripe.cli.checking import led
from fakestripe.cli.checking.asked import Asked
from fakestripe.cli.checking.trial import Ran, Trial
from fakestripe.cli.checking.troupe import Troupe
from fakestripe.cli.usage import UsageError
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.duration import words
from fakestripe.protocol.lesson import Identity, Lesson
from fakestripe.verdict import Records

SILENT: Final = (
    "the first fault-free run sent no request to {url}, so nothing more was run: does the client "
    "still call api.stripe.com, or is Stripe replaced inside it? It finds the server in "
    "STRIPE_API_BASE, or in {{url}} on its command line"
)
UNLED: Final = (
    "the first fault-free run sent no request to {url}, neither by that name nor by Stripe's, so "
    "nothing more was run: does its stack ignore {variable}, or does it set a proxy, a host or "
    "an environment of its own?"
)
SHOWN: Final = 10
PLAIN: Final = (1, 2)
"""The numbers of the runs without faults, one replica each."""


class BugError(Exception):
    """A mistake of ours showed in a run without faults; the mistake is its cause."""


class Taught(Struct, frozen=True):
    """The lesson, the names of the operations, and how many seconds a plain run takes.

    ``plain`` are the records of the second run without faults.
    """

    lesson: Lesson
    operations: tuple[str, ...]
    seconds: float
    plain: Records


def teach(troupe: Troupe) -> Taught:
    """Run the client twice without faults and return the lesson; raises ``UsageError``."""
    first, second = (_plain(troupe, number) for number in PLAIN)
    records = [verdict.records_of(ran.journal) for ran in (first, second)]
    differences = verdict.differences(*records)
    if differences:
        raise UsageError(
            "the two fault-free runs differ, so there is nothing to compare a faulty one with:",
            "\n".join(f"  {sentence}" for sentence in differences),
        )
    lesson = verdict.learn(*records)
    began, ended = second.performed.lives[0]
    operations = _operations(second.journal.attempts, lesson)
    return Taught(lesson, operations, (ended or began) - began, records[1])


def _operations(attempts: Sequence[Attempt], lesson: Lesson) -> tuple[str, ...]:
    """Return the names that the operations of a run will have once the lesson is known."""
    names = {}
    for attempt in attempts:
        if attempt.operation is not None:
            key = attempt.idempotency_key
            unnamed = attempt.operation.startswith("op_")
            names[key if unnamed and key in lesson.keys else attempt.operation] = True
    return tuple(name for name in names if name)


def _plain(troupe: Troupe, number: int) -> Ran:
    timeout = troupe.asked.timeout
    ran = troupe.perform(Trial(number, patience=timeout))
    if ran.journal.bugs:
        raise BugError("a fault-free run met a bug") from ran.journal.bugs[0]
    attempts, output = ran.journal.attempts, ran.performed.output
    status = ran.performed.exits[0]
    silence = "" if attempts else f" and sent no request to {ran.url}"
    if status is None:
        raise UsageError(
            f"fault-free run {number} did not end within --timeout {words(timeout)}{silence}",
            output,
        )
    if status != 0:
        raise UsageError(
            f"fault-free run {number} failed with exit status {status}{silence}", output
        )
    if not attempts:
        raise UsageError(_silent(troupe.asked, ran.url), output)
    foreign = {f"{e.method} {e.path}" for e in attempts if e.outcome == "unsupported"}
    if foreign:
        raise UsageError(f"the client needs what fakestripe does not have: {_list(foreign)}")
    if not any(attempt.moves for attempt in attempts):
        raise UsageError(
            f"fault-free run {number} moved no money: requests came, and none that charges"
        )
    return ran


def _silent(asked: Asked, url: str) -> str:
    """Return what may be the matter with a client that never came."""
    if asked.intercept:
        return UNLED.format(url=url, variable=led.ignored(asked.program[0]))
    return SILENT.format(url=url)


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names))


def told(taught: Taught) -> list[str]:
    """Return the lines that say what was learned."""
    lesson = taught.lesson
    payments = "1 payment" if lesson.count == 1 else f"{lesson.count} payments"
    total = " and ".join(money(amount, currency) for currency, amount in lesson.total.items())
    lines = [f"learned from two fault-free runs: {payments}{', ' if total else ''}{total} in all"]
    lines += [f"  {_kind(identity)}" for identity in lesson.identities[:SHOWN]]
    more = len(lesson.identities) - SHOWN
    lines += [f"  and {more} more kinds of payment"] if more > 0 else []
    return [*lines, *(f"warning: {warning}" for warning in lesson.warnings)]


def _kind(identity: Identity) -> str:
    sum_ = ""
    if identity.amount is not None and identity.currency is not None:
        sum_ = f", {money(identity.amount, identity.currency)} each"
    told_apart = f", told apart by {_names(identity.names)}" if identity.names else ""
    return f"{identity.count} by {identity.shape}{sum_}{told_apart}"


def _names(names: Sequence[str]) -> str:
    return " and ".join(names)


def money(amount: int, currency: str) -> str:
    """Return an amount in minor units as a reader says it."""
    return f"{amount} {currency}"
