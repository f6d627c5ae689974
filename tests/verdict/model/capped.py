"""Scenes under a spend cap: what it stopped, what it let through, and what came of it later."""

from calls import Call
from case import Case, charge
from faults import FAULTS, RESET, SECOND, make
from scenes import LOST, RANDOM, scene

DAY = 86_400.0
NONE = FAULTS["none"]


def order(number, key, **params):
    return charge(key, {"metadata[order_id]": f"ord_{number}", **params})


def under(cap, *names, profile=NONE):
    """Return an account that is charged by a vault key with so many cents a day."""
    case = Case(profile, *names)
    case.world.cap = cap
    return case


@scene
def cap_stops_the_run():
    case = under(2200, "ord_1", "ord_2")
    case.run(order(1, "K1"), order(2, "K2"))
    case.outcome("ord_1", "paid")
    case.outcome("ord_2", "failed")
    return case


@scene
def cap_lets_a_duplicate_through():
    case = under(4400, "ord_1", "ord_2", profile=LOST)
    case.run(order(1, RANDOM[0]), order(1, RANDOM[1]), order(2, RANDOM[2]))
    case.outcome("ord_1", "paid")
    case.outcome("ord_2", "failed")
    return case


@scene
def cap_is_paid_the_next_day():
    second = make("second", ("committed", [RESET], SECOND))
    case = under(1999, "ord_1", profile=second)
    case.run(order(1, "K1"))
    case.wait_until(DAY)
    case.world.cap = None
    case.run(order(1, "K1"), order(1, "K1"))
    case.outcome("ord_1", "paid")
    return case


@scene
def cap_keeps_a_second_charge_away():
    case = under(2200, "ord_1", profile=LOST)
    case.run(order(1, RANDOM[0]), order(1, RANDOM[1]))
    case.outcome("ord_1", "failed")
    return case


@scene
def cap_that_is_believed_paid():
    case = under(1999, "ord_1")
    case.run(order(1, "K1"))
    case.outcome("ord_1", "paid")
    return case


@scene
def cap_of_an_intent():
    case = under(1999, "ord_1")
    intent = {"payment_method": "pm_card_visa", "amount": "2000", "currency": "usd"}
    case.run(Call(path="/v1/payment_intents", params=intent, key="C1"))
    made = case.answers[0].body["id"]
    case.run(Call(path=f"/v1/payment_intents/{made}/confirm", key="F1"))
    case.outcome("ord_1", "failed")
    return case


@scene
def cap_that_a_loop_runs_against():
    case = under(1999, "ord_1")
    steps = [step for number in range(12) for step in (order(1, f"K{number}"), 0.01)]
    case.run(*steps)
    case.outcome("ord_1", "failed")
    return case
