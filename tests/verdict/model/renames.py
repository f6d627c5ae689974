"""Clients that make up the name of an order: once per order and replica, or per attempt."""

from clients import Kind, bare


def per_attempt(env, order, n):
    return bare(order, **{"metadata[order_id]": env.fresh()})


def once(env, order, n):
    name = env.own.setdefault(("name", order.name), env.fresh())
    return bare(order, **{"metadata[order_id]": name})


def renames(fresh, stored):
    """Yield the kinds, given a key per attempt and one per order."""
    for shape, more in {"": {}, " x3": {"orders": 3}}.items():
        yield Kind(name=f"renames{shape}", key=fresh, params=per_attempt, safe=False, **more)
        yield Kind(name=f"names once ref{shape}", key=stored, params=once, safe=True, **more)
        for how, key in (("fresh", fresh), ("stored", stored)):
            yield Kind(
                name=f"replicas rename {how} ref{shape}",
                key=key,
                params=once,
                safe=False,
                replicas=3,
                **more,
            )
