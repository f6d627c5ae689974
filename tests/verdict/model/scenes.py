"""Cases that have a recorded journal beside those of the causes, and how each came about.

A scene plays one case on the model and returns it; ``record`` writes down what its journal says.
"""

from collections.abc import Callable

from calls import Call
from case import HOUR, Case, charge
from faults import EVER, FAULTS, FIRST, ONCE, RESET, SECOND, make, status, stripe

from fakestripe.faults import kinds
from fakestripe.faults.rules import When

NONE = FAULTS["none"]
LOST = FAULTS["committed-reset"]
SILENT = make("silent", ("replying", [kinds.Truncate(body=20, then="hang")], ONCE))
HUNG = make("hung", ("committed", [kinds.Hang(30.0)], ONCE))
SLOW = make("slow", ("claimed", [kinds.Wait(0.3)], EVER))
CURL = {"agent": "curl/8.5.0"}
REQUESTS = {"agent": "python-requests/2.34.0"}
PYTHON = {"agent": "Stripe/v1 PythonBindings/16.1.0"}
NODE = {"agent": "Stripe/v1 NodeBindings/23.1.0"}
OLD_NODE = {"agent": "Stripe/v1 NodeBindings/18.5.0"}
AUTO = "stripe-node-retry-6f1c8f2e-0f0b-4f0e-9d0a-2c5d1c9d7a11"
RANDOM = ("3e0e88a13e361417ccbc", "7e4722334e12878bdccd", "db3f713bd80ce71e38dc")
TWIN = {"amount": "2000", "currency": "usd", "source": "tok_visa"}

SCENES: dict[str, Callable[[], Case]] = {}


def scene(play: Callable[[], Case]) -> Callable[[], Case]:
    """Add a scene under its own name."""
    SCENES[play.__name__] = play
    return play


def told(profile, *calls, believes="paid", intents=("ord_1",)):
    """Return a case in which these calls were made one after another, and what was reported."""
    case = Case(profile, *intents)
    case.run(*calls)
    if believes is not None:
        case.outcome("ord_1", believes)
    return case


# D01: a drift under a stable key.


def drifted(number, key):
    return charge(key, {"metadata[attempt_at]": str(number)})


@scene
def d01_refused():
    return told(LOST, drifted(1000, "K1"), drifted(1001, "K1"), believes="failed")


@scene
def d01_with_a_new_key():
    calls = drifted(1000, "K1"), drifted(1001, "K1"), drifted(1000, "K1"), drifted(1001, "K2")
    return told(LOST, *calls)


# D04: libcurl sends a POST again.


def resent(key):
    warm = Call(method="GET", path="/v1/customers/cus_1", connection=1, **CURL)
    return warm, charge(key, connection=1, **CURL), charge(key, connection=2, **CURL)


@scene
def d04_without_a_key():
    return told(LOST, *resent(None))


@scene
def d04_with_a_key():
    return told(LOST, *resent("K1"))


@scene
def d04_on_a_fresh_connection():
    return told(LOST, charge(None, connection=1, **CURL), believes="failed")


# D06: the head arrives, the body never ends.


@scene
def d06_python_retries():
    return told(SILENT, charge(AUTO, **PYTHON), 0.5, charge(AUTO, **PYTHON))


@scene
def d06_node_gives_up():
    return told(SILENT, charge(AUTO, **NODE), believes="failed")


@scene
def d06_old_node_hangs():
    case = Case(SILENT, "ord_1", mode="check")
    case.run(charge(AUTO, timeout=60.0, **OLD_NODE))
    case.bank.journal.note("header", {"client_exits": [None]})
    return case


# D08: retries set to 0 still retry.


@scene
def d08_old_node_without_retries():
    return told(LOST, charge(None, **OLD_NODE), 0.5, charge(None, **OLD_NODE))


@scene
def d08_node_without_retries():
    return told(LOST, charge(AUTO, **NODE), 0.5, charge(AUTO, **NODE))


@scene
def d08_old_node_in_silence():
    return told(HUNG, charge(None, **OLD_NODE), believes="failed")


# D09: the answer of another order.


@scene
def d09_answers_mixed_up():
    profile = make("slow", ("committed", [kinds.Wait(0.3)], When(operation=1)))
    case = Case(profile, "A", "B")
    orders = [charge(f"K{name}", {"metadata[order_id]": name}, connection=1) for name in "AB"]
    case.run(*orders)
    case.outcome("A", "paid")
    case.outcome("B", "paid", case.answers[0].body["id"])
    return case


# D10: a 5xx after the commit, and no key.


@scene
def d10_urllib3_retries():
    profile = FAULTS["committed-503"]
    return told(profile, charge(None, **REQUESTS), charge(None, **REQUESTS))


@scene
def d10_a_session_does_not():
    return told(FAULTS["committed-503"], charge(None, **REQUESTS), believes="failed")


# D17: a 429 to the retry says nothing about the first send.


def days_later(*rows):
    case = Case(make("limited", *rows), "ord_1")
    case.run(charge("K1"))
    case.wait_until(900)
    if len(rows) > 1:
        case.run(charge("K1"))
    case.wait_until(72 * HOUR)
    case.run(charge("K2"))
    case.outcome("ord_1", "paid")
    return case


@scene
def d17_limited_and_never_resolved():
    return days_later(("committed", [RESET], ONCE), ("received", [stripe("rate_limit")], SECOND))


@scene
def d17_limited_at_first():
    return days_later(("received", [stripe("rate_limit")], ONCE))


# D18: twins are legal, swallowed purchases are not.


def twins(first, second):
    case = Case(NONE, "order A", "order B")
    case.run(Call(params=TWIN, key=first), 120, Call(params=TWIN, key=second))
    case.outcome("order A", "paid")
    case.outcome("order B", "paid")
    return case


@scene
def d18_one_key_for_two():
    return twins("H", "H")


@scene
def d18_a_key_for_each():
    return twins("order-a", "order-b")


@scene
def d18_no_key_at_all():
    return twins(None, None)


# D19: hidden resends eat the script.


def scripted(key):
    profile = make(
        "script", ("committed", [RESET], FIRST), ("received", [status(503)], When(nth=(2,)))
    )
    return told(profile, *resent(key), 0.5, charge(key, connection=2, **CURL))


@scene
def d19_a_script_by_ordinal():
    return scripted(None)


@scene
def d19_a_script_by_ordinal_with_a_key():
    return scripted("K1")


@scene
def d19_a_rule_that_never_fired():
    profile = make("second", ("committed", [RESET], SECOND))
    case = Case(profile, "ord_1", declared=True)
    case.run(charge("K1"))
    case.outcome("ord_1", "paid")
    return case


# D21: several submits in one second.


def submitted(*keys):
    case = Case(SLOW, "ord_1")
    case.submit(*[charge(key) for key in keys])
    case.outcome("ord_1", "paid")
    return case


@scene
def d21_three_without_a_key():
    return submitted(None, None, None)


@scene
def d21_three_keys():
    return submitted(*RANDOM)


@scene
def d21_one_key_of_the_form():
    return submitted("form-7", "form-7", "form-7")


# D22: one event, delivered three times at once, to a receiver that charges.


def delivered(key):
    case = Case(NONE, "ord_0", "ord_1")
    case.run(charge("first", {"metadata[order_id]": "ord_0"}))
    deliveries = {"name": "thrice#deliveries", "at": "webhook", "faults": ["copies 3"]}
    case.bank.journal.note("profile", {"name": "thrice", "deliveries": deliveries})
    event = {"event": "evt_1", "endpoint": "we_1", "delivered": True}
    for _ in range(3):
        rules = {"faults": ["copies 3"], "rules": ["thrice#deliveries"]}
        case.bank.journal.note("webhook", {**event, **rules})
    case.submit(*[charge(key) for _ in range(3)])
    for name in ("ord_0", "ord_1"):
        case.outcome(name, "paid")
    return case


@scene
def d22_a_receiver_without_a_key():
    return delivered(None)


@scene
def d22_a_receiver_whose_key_is_the_event():
    return delivered("evt_1")


# D24: an agent plans its call again.


@scene
def d24_a_key_made_inside():
    return told(FAULTS["committed-late"], charge(RANDOM[0]), charge(RANDOM[1]))


@scene
def d24_a_key_passed_in():
    return told(FAULTS["committed-late"], charge("task-7"), charge("task-7"))
