"""Clients and profiles drawn by chance, from a fixed seed: correct ones, and eight kinds of fault.

A correct client has one key per payment, sends the same bytes under it and believes what it was
told. A faulty one breaks exactly one of these rules, named in ``WRONGS``.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import kinds as made
from clients import Kind
from faults import stripe
from kinds import none as no_key
from msgspec import structs

from fakestripe.faults import kinds
from fakestripe.faults.rules import MONEY, Match, Profile, Rule, Settings, When

STATUSES = (200, 408, 409, 429, 500, 502, 503, 504)
CANNED = ("rate_limit", "lock_timeout", "idempotency_key_in_use", "api_error", "unauthorized")
RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504})
SERVER_MADE = ("lose_record", "forget_key", "expire_key", "advance_clock")
"""Faults after which no client can keep from charging twice."""


def _reply(chance: Random) -> Any:
    if chance.random() < 0.5:
        record = chance.choice(("true", "true", "substitute"))
        return stripe(chance.choice(CANNED), record=record)
    return kinds.Reply(status=chance.choice(STATUSES))


def _truncate(chance: Random) -> Any:
    if chance.random() < 0.3:
        return kinds.Truncate(head=20, then=chance.choice(("close", "reset")))
    body, then = chance.choice((0, 0.5, 0.99)), chance.choice(("close", "hang"))
    return kinds.Truncate(body=body, then=then)


def _wait(chance: Random) -> Any:
    return kinds.Wait(chance.choice((0.05, 0.3, 1.0, 4.0, 30.0)), chance.choice((False, True)))


MAKE: dict[str, Callable[[Random], Any]] = {
    "reset": lambda chance: kinds.Reset(),
    "close": lambda chance: kinds.Close(),
    "hang": lambda chance: kinds.Hang(chance.choice((None, 1.0, 5.0, 30.0))),
    "wait": _wait,
    "barrier": lambda chance: kinds.Barrier(chance.choice((2, 3)), chance.choice((0.2, 1.0))),
    "resend": lambda chance: kinds.Resend(),
    "reply": _reply,
    "truncate": _truncate,
    "drip": lambda chance: kinds.Drip(chance.choice((1, 100)), chance.choice((0.001, 0.01))),
    "garble": lambda chance: kinds.Garble(chance.choice((0.5, 10))),
    "content_length": lambda chance: kinds.ContentLength(chance.choice((0.5, 1.5))),
    "swap": lambda chance: kinds.Swap(),
    "advance_clock": lambda chance: kinds.AdvanceClock(chance.choice((60.0, 90_000.0))),
    "forget_key": lambda chance: kinds.ForgetKey(),
    "expire_key": lambda chance: kinds.ExpireKey(),
    "lose_record": lambda chance: kinds.LoseRecord(),
}
"""Every fault that the core can perform, with numbers that matter to a client of some seconds."""


def whom(chance: Random, tags: list[str]) -> tuple[Match, When]:
    """Return which requests a rule is about, and when it strikes."""
    pick = chance.choice
    match = pick((MONEY, MONEY, MONEY, Match(path="/v1/*"), Match(path="/v1/payment_intents*")))
    if chance.random() < 0.1:
        match = Match(path="/v1/refunds")
    if "swap" in tags:
        match = MONEY
    choices = (
        When(attempt=(1,)),
        When(attempt=(1,)),
        When(attempt=(2,)),
        When(attempt=(1, 2)),
        When(nth=(pick((1, 2, 3)),)),
        When(times=pick((1, 2, 3))),
        When(operation=pick((1, 2))),
        When(connection=pick(("fresh", "reused")), times=2),
        When(),
    )
    return match, pick(choices)


def rule(chance: Random, name: str, tags: list[str]) -> Rule:
    """Return one legal rule: a fault at a point, perhaps after a wait."""
    tag = chance.choice(tags)
    at = chance.choice(sorted(kinds.LEGAL[tag] - {"accept", "listen"}))
    do = [MAKE[tag](chance)]
    if at == "reading":
        do = [structs.replace(do[0], body=chance.choice((None, 0.5)))]
    elif at in kinds.EXECUTING and tag not in ("wait", "barrier") and chance.random() < 0.2:
        do.insert(0, kinds.Wait(chance.choice((0.05, 0.3, 3.0))))
    match, when = whom(chance, [tag])
    if tag in SERVER_MADE:
        do.append(kinds.Reset())
    return Rule(name=name, at=at, do=tuple(do), match=match, when=when)


TAGS = sorted(set(MAKE) - set(SERVER_MADE))


def profile(chance: Random, *, swaps: bool = True, server: bool = False) -> Profile:
    """Return a profile of one to three rules; ``server``: such as make the server forget."""
    tags = [tag for tag in TAGS if swaps or tag != "swap"] + list(SERVER_MADE if server else ())
    rules = [rule(chance, f"by-chance#{n}", tags) for n in range(chance.choice((1, 1, 2, 3)))]
    window = chance.choice((0.0, 1.0)) if server else 0.0
    return Profile("by-chance", tuple(rules), Settings(cache_write_window=window))


def losing(chance: Random) -> Profile:
    """Return a profile that loses answers after the commit, among other things."""
    lost = chance.choice(
        (
            ("committed", kinds.Reset()),
            ("committed", kinds.Close()),
            ("committed", kinds.Hang(30.0)),
            ("committed", kinds.Wait(30.0)),
            ("committed", kinds.Reply(status=chance.choice((502, 503, 504)))),
            ("replying", kinds.Truncate(body=0.5)),
        )
    )
    when = When(attempt=chance.choice(((1,), (1, 2), (1, 2, 3))))
    first = Rule(name="lost#0", at=lost[0], do=(lost[1],), when=when)
    more = [
        rule(chance, f"lost#{n}", ["reset", "wait", "reply", "drip", "truncate"]) for n in (1,)
    ]
    rules = (first, *more) if chance.random() < 0.3 else (first,)
    return Profile("losing", rules)


# Clients.


def refund_key(env, order, n):
    return f"refund-{order.name}"


def capture_key(env, order, n):
    return f"capture-{order.name}"


def by_card(env, order, n):
    return f"charge-{order.name}-{order.source}"


def hashed_reference(env, order, n):
    return made.hashed(made.reference)(env, order, n)


KEPT = {
    "stable named": (made.stable, made.by_name),
    "stable twin": (made.stable, made.twin),
    "stable stamped-once": (made.stable, made.stamped_once),
    "stored named": (made.stored_uuid, made.by_name),
    "stored twin": (made.stored_uuid, made.twin),
    "stored ref": (made.stored_uuid, made.reference),
    "declined named": (by_card, made.by_name),
    "declined twin": (by_card, made.twin),
    "hashed named": (made.hashed(made.by_name), made.by_name),
    "hashed ref": (hashed_reference, made.reference),
}
"""Keys that stay, and bodies that stay with them."""


def correct(chance: Random) -> Kind:
    """Return a correct client."""
    pick = chance.choice
    name = pick(sorted(KEPT))
    key, params = KEPT[name]
    orders = pick((1, 1, 2, 3, 5))
    stacks: list[dict[str, Any]] = [{}, {}, {"reused": True, "agent": "curl/8.5.0"}]
    stacks.append({"reused": True, "resends": True, "agent": "curl/8.5.0"})
    shape = pick(({}, {"parallel": True}, {"stop_at_failure": True}))
    declined = name.startswith("declined")
    intents = chance.random() < 0.3 and not declined
    shared = name.startswith("stable") and not intents
    return Kind(
        name=f"correct {name}",
        key=key,
        params=params,
        safe=True,
        tries=pick((1, 2, 3, 4, 6)),
        sdk_tries=pick((1, 1, 2, 3)),
        backoff=pick((0.0, 0.01, 0.5, 2.0)),
        timeout=pick((0.2, 2.0, 10.0, 40.0)),
        retries_on=pick((RETRIED, RETRIED - {409}, RETRIED - {429}, frozenset({503}))),
        read_back=chance.random() < 0.2 and params in (made.by_name, made.stamped_once),
        intents=intents,
        customers=chance.random() < 0.2 and not declined,
        new_card=declined,
        card="tok_chargeDeclined" if declined else "tok_visa",
        submits=pick((1, 1, 1, 2)),
        stagger=pick((0.0, 0.0, 0.1)),
        captures=capture_key if chance.random() < 0.2 else None,
        refunds=refund_key if chance.random() < 0.25 else None,
        parts=pick(((500,), (500,), (500, 300))),
        orders=orders,
        amounts=pick(((2000,), (2000,), (2000, 3500))),
        replicas=pick((1, 1, 2, 3)) if shared and orders == 1 else 1,
        **(pick(stacks) if not shape.get("parallel") else {}),
        **shape,
    )


def kept_once(env, order, n):
    return f"charge-{order.name}" if n <= 2 else env.fresh()


def dodging(env, order, n):
    return f"charge-{order.name}-{env.own.get(('dodge', order.name), 0)}"


def other_account(env, order, n):
    return f"sk_test_{'abc'[(n - 1) % 3]}"


def fresh_refund(env, order, n):
    return env.fresh("refund-")


WRONGS: dict[str, dict[str, Any]] = {
    "no key": {"key": no_key},
    "a new key per attempt": {"key": made.fresh},
    "the attempt in the key": {"key": made.counted},
    "the time in the key": {"key": made.timed},
    "a new key from the third attempt on": {"key": kept_once, "tries": (4, 5)},
    "a drift that goes round its refusal": {
        "key": dodging,
        "params": made.tried,
        "dodges": True,
        "tries": (3, 4),
    },
    "another account on the retry": {"key": made.stable, "account": other_account},
    "a refund under a new key": {"key": made.stable, "refunds": fresh_refund},
}
"""The eight kinds of fault: what of a correct client each of them breaks."""


def faulty(chance: Random, wrong: str) -> Kind:
    """Return a client with one fault, and chance in everything else."""
    pick, broken = chance.choice, dict(WRONGS[wrong])
    tries = broken.pop("tries", (2, 3, 4))
    intents = wrong in ("no key", "a new key per attempt") and chance.random() < 0.3
    return Kind(
        **{
            "name": wrong,
            "params": pick((made.by_name, made.twin)),
            "safe": False,
            "tries": pick(tries),
            "backoff": pick((0.01, 0.5, 2.0)),
            "timeout": pick((0.2, 2.0)),
            "orders": pick((1, 1, 2, 3)),
            "parallel": pick((False, True)),
            "intents": intents,
            **broken,
        }
    )
