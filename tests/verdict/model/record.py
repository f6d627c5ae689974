"""Records the journals of ``tests/verdict/journals`` anew: ``python record.py``.

Per cause a careless client and its remedied twin, each under the same fault, in the model's world;
and every case of ``scenes`` and ``flows``.
"""

from collections.abc import Callable
from pathlib import Path

import capped  # noqa: F401  # its scenes
import flows  # noqa: F401  # its scenes
import kinds
import scenes
from calls import Call, Sleep
from clients import Env, Kind, Order, program
from faults import FAULTS, ONCE, RESET, make, status
from msgspec import Struct, json, to_builtins
from world import World

from fakestripe.faults.rules import Profile, Settings
from fakestripe.protocol.declared import Intent, Outcome

JOURNALS = Path(__file__).parent.parent / "journals"
ORDER = Order("ord_1")
CURL = {"tries": 1, "reused": True, "resends": True, "agent": "curl/8.5.0"}
HOURS = 3600.0


class Scene(Struct):
    """A client under a fault; ``replicas`` of it run at once."""

    client: Kind | Callable
    profile: Profile
    replicas: int = 1


def kind(key, **more):
    return Kind(**{"name": "recorded", "key": key, "safe": True, "params": kinds.by_name, **more})


def paying(keys, gaps, params=None):
    """Return a program that posts with these keys, so long apart, until it is told."""

    def client(env):
        for number, key in enumerate(keys):
            if number:
                yield Sleep(gaps[number - 1])
            sent = params(env, number + 1) if params else kinds.by_name(env, ORDER, number + 1)
            call = Call(params=sent, key=key, payment=ORDER.name)
            seen = yield call
            if seen.kind == "answer" and seen.status == 200:
                env.settle(ORDER, "paid", seen.body["id"])
                return 0
        env.settle(ORDER, "failed")
        return 1

    return client


def submitting(*keys):
    """Return a program that submits the order once per key, each until it is told."""

    def client(env):
        for key in keys:
            yield from paying([key, key], [0.5])(env)
            yield Sleep(3.0)
        return 0

    return client


def drifting(env, number):
    return kinds.tried(env, ORDER, number)


LOST = FAULTS["committed-reset"]
RACE = FAULTS["race"]
WINDOW = make(
    "slow-cache", ("committed", [RESET], ONCE), settings=Settings(cache_write_window=1.0)
)
DAY = make("day-later", ("committed", [RESET], ONCE))
LIMITED = FAULTS["reset-then-429"]
NOTHING = make("gateway", ("committed", [status(502)], ONCE))

SCENES = {
    "server_lost_record": (
        Scene(kind(kinds.stable), FAULTS["lost-record"]),
        Scene(kind(kinds.stable, read_back=True), FAULTS["lost-record"]),
    ),
    "cache_write_window": (
        Scene(kind(kinds.stable, backoff=0.2), WINDOW),
        Scene(kind(kinds.stable, backoff=2.0), WINDOW),
    ),
    "key_under_another_account": (
        Scene(kind(kinds.stable, account=lambda e, o, n: f"sk_test_{'ab'[(n - 1) % 2]}"), LOST),
        Scene(kind(kinds.stable), LOST),
    ),
    "key_older_than_retention": (
        Scene(paying(["K1", "K1"], [25 * HOURS]), DAY),
        Scene(paying(["K1", "K1"], [23 * HOURS]), DAY),
    ),
    "transport_resend": (
        Scene(kind(kinds.none, **CURL), LOST),
        Scene(kind(kinds.stable, **CURL), LOST),
    ),
    "parameters_drifted": (
        Scene(paying(["K1", "K1", "K2"], [0.5, 0.5], drifting), LOST),
        Scene(paying(["K1", "K1", "K2"], [0.5, 0.5]), LOST),
    ),
    "replicas": (
        Scene(kind(kinds.fresh), RACE, replicas=3),
        Scene(kind(kinds.stable), RACE, replicas=3),
    ),
    "separate_submissions": (
        Scene(submitting("K1", "K2"), NOTHING),
        Scene(submitting("K1", "K1"), NOTHING),
    ),
    "outcome_never_resolved": (
        Scene(paying(["K1", "K1", "K2"], [900, 72 * HOURS]), LIMITED),
        Scene(paying(["K1", "K1", "K1"], [900, 1800]), LIMITED),
    ),
    "no_key": (Scene(kind(kinds.none), LOST), Scene(kind(kinds.stable), LOST)),
    "attempt_in_key": (Scene(kind(kinds.counted), LOST), Scene(kind(kinds.stable), LOST)),
    "time_in_key": (Scene(kind(kinds.timed), LOST), Scene(kind(kinds.stable), LOST)),
    "volatile_value_in_key": (
        Scene(kind(kinds.hashed(kinds.stamped), params=kinds.stamped, backoff=2.0), LOST),
        Scene(kind(kinds.hashed(kinds.by_name)), LOST),
    ),
    "fresh_key_per_attempt": (
        Scene(kind(kinds.fresh), FAULTS["committed-hang"]),
        Scene(kind(kinds.stored_uuid), FAULTS["committed-hang"]),
    ),
}


def recorded(scene: Scene) -> list[dict]:
    """Run a scene and return the lines of its journal."""
    world, shared, envs = World(scene.profile), {}, []
    journal = world.bank("sk_test_a").journal
    journal.note("header", {"mode": "fixture", "declared": True, "replicas": scene.replicas})
    intent = Intent(operation=ORDER.name, amount=ORDER.amount)
    journal.note("intent", to_builtins(intent))
    world.bank("sk_test_a").operations.declare(intent)
    for replica in range(1, scene.replicas + 1):
        env = Env(world, [ORDER], replica=replica, shared=shared)
        envs.append(env)
        client = scene.client
        run = program(env, client) if isinstance(client, Kind) else client(env)
        world.spawn(run, delay=(replica - 1) * 0.0003)
    world.run()
    for env in envs:
        outcome = Outcome(
            operation=ORDER.name,
            outcome=env.believed[ORDER.name],
            charge=env.reported.get(ORDER.name),
        )
        journal.note("outcome", to_builtins(outcome))
    for bank in world.banks.values():
        bank.place()
    lines = [line for bank in world.banks.values() for line in bank.lines()]
    return sorted(lines, key=lambda line: line.get("elapsed_s", line.get("started_s", 0.0)))


def main() -> None:
    JOURNALS.mkdir(exist_ok=True)
    for cause, pair in SCENES.items():
        for name, scene in zip(("bad", "good"), pair, strict=True):
            lines = b"".join(json.encode(line) + b"\n" for line in recorded(scene))
            (JOURNALS / f"{cause}-{name}.jsonl").write_bytes(lines)
    for name, play in scenes.SCENES.items():
        lines = b"".join(json.encode(line) + b"\n" for line in play().lines)
        (JOURNALS / f"{name}.jsonl").write_bytes(lines)


if __name__ == "__main__":
    main()
