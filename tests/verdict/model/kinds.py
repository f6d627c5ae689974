"""The kinds of client that the model knows: correct ones, and every way to get it wrong."""

import hashlib
from urllib.parse import urlencode

from clients import Kind, bare, named
from renames import renames

# How a key is made.


def stable(env, order, n):
    return f"charge-{order.name}"


def stored_uuid(env, order, n):
    return env.own.setdefault(("key", order.name), env.fresh())


def shared_uuid(env, order, n):
    return env.shared.setdefault(("key", order.name), env.fresh())


def fresh(env, order, n):
    return env.fresh()


def none(env, order, n):
    return None


def counted(env, order, n):
    return f"{order.name}-attempt-{n}"


def suffixed(env, order, n):
    return order.name if n == 1 else f"{order.name}-retry{n - 1}"


def timed(env, order, n):
    return f"{order.name}-{int((env.world.epoch) * 1000)}"


def hosted(env, order, n):
    return f"{order.name}-{('alpha', 'beta', 'gamma', 'delta')[(n - 1) % 4]}"


def numbered(env, order, n):
    env.own["count"] = env.own.get("count", 0) + 1
    return f"req-{env.own['count']}"


def hashed(params):
    def key(env, order, n):
        return hashlib.sha256(urlencode(params(env, order, n)).encode()).hexdigest()

    return key


def after_error(env, order, n):
    return f"charge-{order.name}" if n == 1 else env.fresh()


# What is sent.


def by_name(env, order, n):
    return named(order)


def twin(env, order, n):
    return bare(order)


def reference(env, order, n):
    return bare(order, **{"metadata[ref]": env.own.setdefault(("ref", order.name), env.fresh())})


def reference_per_attempt(env, order, n):
    return bare(order, **{"metadata[ref]": env.fresh()})


def stamped(env, order, n):
    return named(order, **{"metadata[at]": str(int(env.world.epoch))})


def stamped_once(env, order, n):
    at = env.own.setdefault(("at", order.name), str(int(env.world.epoch)))
    return named(order, **{"metadata[at]": at})


def twin_stamped(env, order, n):
    return bare(order, **{"metadata[at]": f"{env.world.epoch:.3f}"})


def tried(env, order, n):
    return named(order, **{"metadata[try]": str(n)})


def twin_tried(env, order, n):
    return bare(order, **{"metadata[try]": str(n)})


KEYS = {
    "stable": (stable, True, None),
    "stored-uuid": (stored_uuid, True, None),
    "fresh": (fresh, False, "fresh_key_per_attempt"),
    "no-key": (none, False, "no_key"),
    "counted": (counted, False, "attempt_in_key"),
    "suffixed": (suffixed, False, "attempt_in_key"),
    "timed": (timed, False, "time_in_key"),
    "hosted": (hosted, False, "volatile_value_in_key"),
    "numbered": (numbered, False, None),
    "after-error": (after_error, False, "fresh_key_per_attempt"),
}
PARAMS = {
    "named": by_name,
    "twin": twin,
    "ref": reference,
    "ref-per-attempt": reference_per_attempt,
    "stamped": stamped,
    "stamped-once": stamped_once,
    "twin-stamped": twin_stamped,
    "tried": tried,
    "twin-tried": twin_tried,
}
DRIFTING = ("ref-per-attempt", "stamped", "twin-stamped", "tried", "twin-tried")
SHAPES = {
    "": {},
    "x3": {"orders": 3},
    "x3-parallel": {"orders": 3, "parallel": True},
    "x3-stops": {"orders": 3, "stop_at_failure": True},
}


def _kinds():
    for key_name, (key, safe, cause) in KEYS.items():
        for params_name, params in PARAMS.items():
            for shape_name, shape in SHAPES.items():
                if key_name == "numbered" and shape.get("parallel"):
                    continue
                yield Kind(
                    name=" ".join(filter(None, (key_name, params_name, shape_name))),
                    key=key,
                    params=params,
                    safe=safe,
                    cause=cause if params_name not in DRIFTING else None,
                    **shape,
                )
    yield from _special()
    yield from _wider()
    yield from renames(fresh, stored_uuid)


def _special():
    made = {"key": stable, "params": by_name, "safe": True}
    yield Kind(name="no retry", **{**made, "tries": 1})
    yield Kind(name="no retry keyless", key=none, params=by_name, safe=False, tries=1)
    yield Kind(name="no retry x3", **{**made, "tries": 1, "orders": 3})
    yield Kind(
        name="no retry keyless twins x3", key=none, params=twin, safe=False, tries=1, orders=3
    )
    yield Kind(name="swallows", **{**made, "tries": 1, "swallow": True})
    yield Kind(name="trusts 200", **{**made, "trusts_200": True})
    yield Kind(
        name="reads back", key=fresh, params=by_name, safe=True, read_back=True, timeout=5.0
    )
    yield Kind(
        name="new card",
        key=lambda e, o, n: f"{o.name}-{o.source}-{n}",
        params=by_name,
        safe=False,
        new_card=True,
    )
    yield Kind(name="content hash", key=hashed(by_name), params=by_name, safe=True)
    yield Kind(
        name="content hash stamped",
        key=hashed(stamped),
        params=stamped,
        safe=False,
        cause="volatile_value_in_key",
    )
    yield Kind(
        name="hash twins x3", key=hashed(twin), params=twin, safe=False, orders=3, swallow=False
    )
    yield Kind(
        name="sdk and app",
        key=fresh,
        params=by_name,
        safe=False,
        sdk_tries=2,
        cause="fresh_key_per_attempt",
    )
    yield Kind(name="sdk and app stable", **{**made, "sdk_tries": 3})
    yield Kind(
        name="curl reused",
        key=none,
        params=by_name,
        safe=False,
        tries=1,
        reused=True,
        resends=True,
        agent="curl/8.5.0",
        cause="transport_resend",
    )
    yield Kind(
        name="curl reused keyed",
        **{**made, "tries": 1, "reused": True, "resends": True, "agent": "curl/8.5.0"},
    )
    yield Kind(
        name="other account",
        key=stable,
        params=by_name,
        safe=False,
        account=lambda e, o, n: f"sk_test_{'abc'[(n - 1) % 3]}",
        cause="key_under_another_account",
    )
    yield Kind(name="submits twice", key=fresh, params=by_name, safe=False, submits=2, tries=1)
    yield Kind(
        name="submits twice keyless twin", key=none, params=twin, safe=False, submits=2, tries=1
    )
    yield Kind(name="submits twice stable", **{**made, "submits": 2})
    yield Kind(
        name="drifting amount",
        key=fresh,
        params=by_name,
        safe=False,
        amount=lambda o, n: o.amount + 100 * (n - 1),
    )
    yield Kind(name="patient", **{**made, "timeout": 40.0})
    for name, key, safe in (
        ("stable", stable, True),
        ("fresh", fresh, False),
        ("keyless", none, False),
    ):
        yield Kind(name=f"replicas {name}", key=key, params=by_name, safe=safe, replicas=3)
        yield Kind(
            name=f"replicas {name} x3", key=key, params=by_name, safe=safe, replicas=3, orders=3
        )
        yield Kind(
            name=f"replicas {name} twins x3", key=key, params=twin, safe=safe, replicas=3, orders=3
        )
        yield Kind(
            name=f"replicas {name} ref x3",
            key=key,
            params=reference,
            safe=safe,
            replicas=3,
            orders=3,
        )
    yield Kind(
        name="replicas locked", key=fresh, params=by_name, safe=False, replicas=3, once_by_lock=1.0
    )
    yield Kind(name="replicas locked stable", **{**made, "replicas": 3, "once_by_lock": 1.0})


def _wider():
    """Payment intents, customers made in the run, staggered orders, lost memory."""
    keys = {
        "stable": (stable, True),
        "kept": (shared_uuid, True),
        "fresh": (fresh, False),
        "keyless": (none, False),
    }
    three = {"orders": 3}
    for name, (key, safe) in keys.items():
        made = {"key": key, "safe": safe, "params": by_name}
        yield Kind(name=f"intent {name}", intents=True, **made)
        yield Kind(name=f"intent {name} named x3", intents=True, **three, **made)
        twins = {**made, "params": twin}
        yield Kind(name=f"intent {name} twin x3", intents=True, **three, **twins)
        yield Kind(
            name=f"intent {name} twin x3-parallel", intents=True, parallel=True, **three, **twins
        )
        yield Kind(name=f"customer {name} named x3", customers=True, **three, **twins)
        yield Kind(
            name=f"customer {name} named x3-parallel",
            customers=True,
            parallel=True,
            **three,
            **twins,
        )
        for shape, params in (("named", by_name), ("twin", twin), ("ref", reference)):
            yield Kind(
                name=f"staggered {name} {shape} x3",
                parallel=True,
                stagger=0.2,
                **three,
                **{**made, "params": params},
            )
        yield Kind(name=f"mixed {name} twin x4", amounts=(2000, 3500), orders=4, **twins)
        yield Kind(name=f"forgets {name} named", forgets=True, **made)
    yield Kind(
        name="forgets stored named", key=stored_uuid, params=by_name, safe=False, forgets=True
    )


KINDS = {kind.name: kind for kind in _kinds()}
