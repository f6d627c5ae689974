"""One run of a kind of client under a fault: what the verdict says, and what is true of it.

``mode`` is what the verdict is told: intents with outcomes, intents alone (``silent``), nothing
(``plain``), or what two fault-free runs taught and the exit status (``check``; ``selector`` names
operations beside).
"""

import functools
from collections.abc import Iterator

from clients import Env, Kind, Order, program
from faults import FAULTS
from kinds import KINDS, reference, reference_per_attempt, stamped_once
from msgspec import Struct, to_builtins
from world import World

from fakestripe import verdict
from fakestripe.faults.rules import Profile
from fakestripe.protocol.attempt import Attempt
from fakestripe.protocol.declared import Intent, Outcome
from fakestripe.protocol.lesson import Lesson

MODES = ("intents", "silent", "plain", "check", "selector")
LEARNT = ("check", "selector")
DECLARED = ("intents", "silent")
REFUSED = (400, 401, 402, 403, 404, 429)
OF_THE_RUN = (reference, reference_per_attempt, stamped_once)
"""Parameters of clients whose orders have another name in every run."""


class Truth(Struct):
    """What is true of one run, by the names of its orders."""

    orders: list[Order]
    charges: dict[str, list[int]]
    believed: dict[str, str]
    reported: dict[str, str]
    owner: dict[str, str]
    keys: dict[tuple[str, str | None], set]
    refunds: dict[tuple[str, int], int] = {}
    gave_back: dict[tuple[str, int], bool] = {}
    server_made: bool = False
    stopped: frozenset[str] = frozenset()
    refused: bool = False

    @property
    def capped(self) -> bool:
        """Whether a cap refused an order that was never charged, and nobody believes it was."""
        return any(
            not self.charges.get(name) and self.believed.get(name) != "paid"
            for name in self.stopped
        )

    @property
    def duplicate(self) -> bool:
        made = [len(charges) for charges in self.charges.values()]
        return any(number > 1 for number in (*made, *self.refunds.values()))

    @property
    def missing(self) -> bool:
        unmade = any(done and not self.refunds.get(name) for name, done in self.gave_back.items())
        return unmade or any(self._believed(order, "paid", 0) for order in self.orders)

    @property
    def orphan(self) -> bool:
        mixed = any(self.owner.get(made) != name for name, made in self.reported.items())
        mixed |= any(not done and self.refunds.get(n) for n, done in self.gave_back.items())
        return mixed or any(
            self.charges.get(order.name) and self.believed.get(order.name) != "paid"
            for order in self.orders
        )

    @property
    def unpaid(self) -> bool:
        return any(not self.charges.get(order.name) for order in self.orders)

    @property
    def wrong_amount(self) -> bool:
        wanted = {order.name: order.amount for order in self.orders}
        return any(
            amount != wanted[name] for name, made in self.charges.items() for amount in made
        )

    @property
    def red(self) -> bool:
        return self.duplicate or self.missing or self.orphan or self.wrong_amount

    @property
    def two_keys(self) -> bool:
        """Whether two keys of one order could each have charged."""
        return any(len(keys) > 1 for keys in self.keys.values())

    def _believed(self, order: Order, belief: str, count: int) -> bool:
        return (
            self.believed.get(order.name) == belief
            and len(self.charges.get(order.name, ())) == count
        )


class Trial(Struct):
    """A verdict and the truth beside it."""

    verdict: verdict.Verdict
    truth: Truth
    kind: Kind
    mode: str


def orders_of(kind: Kind, run: int) -> list[Order]:
    ending = f"_{run}" if kind.params in OF_THE_RUN else ""
    amounts = [kind.amounts[place % len(kind.amounts)] for place in range(kind.orders)]
    named = ((f"ord_{n}{ending}", amount) for n, amount in enumerate(amounts, 1))
    return [Order(name, amount, source=kind.card) for name, amount in named]


def perform(  # noqa: PLR0913  # one by one, what makes a run
    kind: Kind,
    profile: Profile,
    run: int,
    mode: str,
    lesson: Lesson | None = None,
    *,
    cap: int | None = None,
) -> tuple[World, list[Env]]:
    """Run a client on a server that knows what the mode lets it know."""
    world, orders = World(profile, run, cap), orders_of(kind, run)
    operations = world.bank("sk_test_a").operations
    selector = "metadata.order_id" if mode == "selector" else None
    operations.configure(selector, lesson)
    if mode in DECLARED:
        for order in orders:
            operations.declare(Intent(operation=order.name, amount=order.amount))
    shared, envs = {}, []
    for replica in range(1, (kind.replicas if lesson or mode not in LEARNT else 1) + 1):
        env = Env(world, orders, run=run, replica=replica, shared=shared)
        envs.append(env)
        world.spawn(_whole(env, kind), delay=(replica - 1) * 0.0003)
    world.run()
    return world, envs


def _whole(env, kind):
    status = yield from program(env, kind)
    env.shared["done"] = True
    return status


def key_of(attempt: Attempt) -> str | int:
    """Return what stands for the key: of a confirm it is the object, which is done but once."""
    if attempt.step in ("confirm", "capture"):
        return attempt.path
    return attempt.idempotency_key or attempt.arrival


def _could_charge(attempt: Attempt) -> bool:
    """Return whether its like could charge: nobody confirms an intent that he never met."""
    if attempt.delivery in ("intact", "altered"):
        return attempt.status not in REFUSED
    return attempt.moves or attempt.delivery != "none"


def truth_of(world: World, envs: list[Env]) -> Truth:
    """Return what is true of a run."""
    found = Truth(envs[0].orders, {}, {}, {}, {}, {})
    for attempt in (a for bank in world.banks.values() for a in bank.journal.attempts):
        name = world.payment_of.get(attempt.arrival)
        if name is None:
            continue
        if _could_charge(attempt):
            met = found.keys.setdefault((name, attempt.step), set())
            met.add((attempt.account, key_of(attempt)))
        moved = attempt.moved
        if moved is not None and moved.kind == "charge" and moved.status != "failed":
            found.charges.setdefault(name, []).append(attempt.moved.amount)
            found.owner[attempt.moved.id] = name
        found.server_made |= _forgotten(attempt)
    found.stopped = frozenset(_stopped(world))
    found.refused = any(_is_refused(a) for b in world.banks.values() for a in b.journal.attempts)
    _note_refunds(found, world)
    for env in envs:
        for name, belief in env.believed.items():
            if belief == "paid" or name not in found.believed:
                found.believed[name] = belief
        found.reported.update(env.reported)
        found.gave_back.update(env.gave_back)
    return found


def _forgotten(attempt: Attempt) -> bool:
    return attempt.key_state == "expired" or attempt.forgotten_by is not None


def _is_refused(attempt: Attempt) -> bool:
    return attempt.policy == "daily_usd_cap_exceeded"


def _stopped(world: World) -> Iterator[str]:
    """Yield the orders that a cap refused, and of which nothing was executed afterwards."""
    last: dict[str, str] = {}
    for attempt in (a for bank in world.banks.values() for a in bank.journal.attempts):
        name = world.payment_of.get(attempt.arrival)
        if name is None:
            continue
        if _is_refused(attempt):
            last[name] = "refused"
        elif attempt.moves and (attempt.moved or attempt.last_point in ("claimed", "committed")):
            last[name] = "executed"
    return (name for name, came in last.items() if came == "refused")


def _note_refunds(found: Truth, world: World) -> None:
    """Note how often each order was given back."""
    for attempt in (a for bank in world.banks.values() for a in bank.journal.attempts):
        moved = attempt.moved
        if moved is not None and moved.kind == "refund" and moved.status != "failed":
            part = found.owner.get(moved.charge or "", ""), moved.amount
            found.refunds[part] = found.refunds.get(part, 0) + 1
            found.server_made |= _forgotten(attempt)


@functools.cache
def lesson_of(name: str, mode: str) -> Lesson:
    """Return what two fault-free runs of a known kind teach."""
    return taught(KINDS[name], mode)


def taught(kind: Kind, mode: str) -> Lesson:
    """Return what two fault-free runs of a kind teach."""
    runs = []
    for run in (1, 2):
        world, _ = perform(kind, FAULTS["none"], run, mode)
        runs.append(_records(world, mode, None, 1))
    assert verdict.differences(*runs) == ()
    return verdict.learn(*runs)


def _records(world: World, mode: str, lesson: Lesson | None, replicas: int) -> verdict.Records:
    header = {"mode": "fixture", "declared": True, "replicas": replicas}
    if mode in LEARNT:
        header |= {"mode": "check", "client_exits": list(world.exits), "lesson": lesson}
    if mode == "selector":
        header["selector"] = "metadata.order_id"
    world.bank("sk_test_a").journal.note("header", header)
    return verdict.records_of(*(bank.journal for bank in world.banks.values()))


def tried(name: str, fault: str, mode: str, run: int = 3, cap: int | None = None) -> Trial:
    """Run a known kind under a known fault, judge it in a mode, and look at the truth."""
    lesson = lesson_of(name, mode) if mode in LEARNT else None
    return judged(KINDS[name], FAULTS[fault], mode, lesson, run, cap=cap)[0]


def judged(  # noqa: PLR0913  # one by one, what makes a run
    kind: Kind,
    profile: Profile,
    mode: str,
    lesson: Lesson | None,
    run: int = 3,
    *,
    cap: int | None = None,
) -> tuple[Trial, World]:
    """Run a kind under a profile, judge it in a mode, and look at the truth."""
    world, envs = perform(kind, profile, run, mode, lesson, cap=cap)
    truth, journal = truth_of(world, envs), world.bank("sk_test_a").journal
    for order in truth.orders if mode in DECLARED else ():
        intent = Intent(operation=order.name, amount=order.amount)
        journal.note("intent", to_builtins(intent))
    for order in truth.orders if mode == "intents" else ():
        outcome = Outcome(
            operation=order.name,
            outcome=truth.believed.get(order.name, "failed"),
            charge=truth.reported.get(order.name),
        )
        journal.note("outcome", to_builtins(outcome))
    records = _records(world, mode, lesson, kind.replicas)
    return Trial(verdict.judge(records), truth, kind, mode), world
