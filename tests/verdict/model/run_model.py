"""One run of a kind of client under a fault, and what is true of it afterwards."""

import functools

from clients import Env, Order, program
from faults import FAULTS
from kinds import KINDS
from msgspec import Struct, to_builtins
from world import World

from fakestripe import verdict
from fakestripe.protocol.declared import Intent, Outcome

MODES = ("intents", "silent", "plain", "check", "selector")


class Happened(Struct):
    """What is true of one run."""

    charges: dict[str, int]
    amounts: dict[str, list[int]]
    believed: dict[str, str]
    reported: dict[str, str]
    owner: dict[str, str]
    orders: list[Order]
    payments: dict[int, str]
    server_made: bool = False

    @property
    def duplicate(self):
        return any(self.charges.get(o.name, 0) > 1 for o in self.orders)

    @property
    def missing(self):
        return any(
            self.believed.get(o.name) == "paid" and not self.charges.get(o.name)
            for o in self.orders
        )

    @property
    def orphan(self):
        lost = any(
            self.believed.get(o.name) != "paid" and self.charges.get(o.name) for o in self.orders
        )
        return lost or any(
            self.owner.get(charge, name) != name for name, charge in self.reported.items()
        )

    @property
    def unpaid(self):
        return any(not self.charges.get(o.name) for o in self.orders)

    @property
    def wrong_amount(self):
        wanted = {o.name: o.amount for o in self.orders}
        return any(a != wanted[n] for n, made in self.amounts.items() for a in made)


def orders_of(kind, run):
    random = kind.params.__name__.startswith("reference") or kind.params.__name__ == "stamped_once"
    names = [f"ord_{n}_{run}" if random else f"ord_{n}" for n in range(1, kind.orders + 1)]
    return [Order(name) for name in names]


def perform(kind, profile, run, *, replicas=None):
    """Run a client and return its world, its environments and orders."""
    world, orders = World(profile, run), orders_of(kind, run)
    shared, envs = {}, []
    for replica in range(1, (replicas or kind.replicas) + 1):
        env = Env(world, orders, run=run, replica=replica, shared=shared)
        envs.append(env)
        world.spawn(_whole(env, kind), delay=(replica - 1) * 0.0003)
    world.run()
    return world, envs, orders


def _whole(env, kind):
    status = yield from program(env, kind)
    env.shared["done"] = True
    return status


def truth(world, envs, orders):
    charges, amounts, owner = {}, {}, {}
    server_made = False
    for bank in world.banks.values():
        for attempt in bank.journal.attempts:
            moved = attempt.moved
            if moved is not None and moved.kind == "charge" and moved.status != "failed":
                name = world.payment_of[attempt.arrival]
                charges[name] = charges.get(name, 0) + 1
                amounts.setdefault(name, []).append(moved.amount)
                owner[moved.id] = name
                server_made |= attempt.key_state == "expired" or attempt.forgotten_by is not None
    believed, reported = {}, {}
    for env in envs:
        for name, belief in env.believed.items():
            if belief == "paid" or name not in believed:
                believed[name] = belief
        reported.update(env.reported)
    return Happened(
        charges, amounts, believed, reported, owner, orders, world.payment_of, server_made
    )


@functools.cache
def lesson_of(name):
    kind = KINDS[name]
    runs = []
    for run in (1, 2):
        world, _, _ = perform(kind, FAULTS["none"], run, replicas=1)
        runs.append(world)
    plain, chosen = ([_records(w, mode) for w in runs] for mode in ("check", "selector"))
    return verdict.learn(*plain), verdict.learn(*chosen), verdict.differences(*plain)


def _records(world, mode, lesson=None, *, replicas=1, declared=True):
    header = {
        "mode": "check" if mode in ("check", "selector") else "fixture",
        "declared": declared,
        "replicas": replicas,
    }
    if mode in ("check", "selector"):
        header["client_exits"] = list(world.exits)
        header["lesson"] = lesson
    if mode == "selector":
        header["selector"] = "metadata.order_id"
    world.bank("sk_test_a").journal.note("header", header)
    return verdict.records_of(*(bank.journal for bank in world.banks.values()))


def judged(name, fault, mode, run=3):
    """Run a kind under a fault and judge it in a mode; return the verdict and the truth."""
    kind = KINDS[name]
    world, envs, orders = run_of(name, fault, mode, run)
    lesson = None
    if mode in ("check", "selector"):
        lesson = lesson_of(name)[mode == "selector"]
    journal = world.bank("sk_test_a").journal
    happened = truth(world, envs, orders)
    if mode in ("intents", "silent"):
        for order in orders:
            journal.note("intent", to_builtins(Intent(operation=order.name, amount=order.amount)))
    if mode == "intents":
        for order in orders:
            belief = happened.believed.get(order.name, "failed")
            outcome = Outcome(
                operation=order.name, outcome=belief, charge=happened.reported.get(order.name)
            )
            journal.note("outcome", to_builtins(outcome))
    records = _records(world, mode, lesson, replicas=kind.replicas)
    return verdict.judge(records), happened, records


def run_of(name, fault, mode, run):
    """Run it with the server knowing what that mode lets it know."""
    kind, profile = KINDS[name], FAULTS[fault]
    import world as module

    world, orders = World(profile, run), orders_of(kind, run)
    bank = world.bank("sk_test_a")
    if mode in ("check", "selector"):
        bank.operations.configure(
            "metadata.order_id" if mode == "selector" else None,
            lesson_of(name)[mode == "selector"],
        )
    if mode in ("intents", "silent"):
        for order in orders:
            bank.operations.declare(Intent(operation=order.name, amount=order.amount))
    shared, envs = {}, []
    for replica in range(1, kind.replicas + 1):
        env = Env(world, orders, run=run, replica=replica, shared=shared)
        envs.append(env)
        world.spawn(_whole(env, kind), delay=(replica - 1) * 0.0003)
    world.run()
    return world, envs, orders
