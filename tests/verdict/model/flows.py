"""Scenes of payment intents, captures, refunds, and of the words that need one of their own."""

from calls import Call
from case import BASE, Case, charge
from faults import EVER, FAULTS, FIRST, ONCE, RESET, SHORT, make, status
from scenes import LOST, RANDOM, TWIN, scene, told

from fakestripe.faults.rules import Match, Profile, Rule, When

PAYMENTS = "/v1/payment_intents"
INTENT = {**BASE, "payment_method": "pm_card_visa"}
del INTENT["source"]
HELD = {"capture": "false"}


def losing(path):
    """Return a profile that loses the first answer of a step."""
    rule = Rule(name="step#0", at="committed", do=(RESET,), when=FIRST, match=Match(path=path))
    return Profile(name="step", rules=(rule,))


CHARGE_LOST = losing("/v1/charges")


# Payment intents: create, confirm and capture are steps of one payment.


def created(key, **more):
    return Call(path=PAYMENTS, params={**INTENT, **more}, key=key)


def about(case, step, key, place=-1, **params):
    """Return a step on the object that an answer of the case has."""
    made = case.answers[place].body["id"]
    kind = "charges" if made.startswith("ch_") else "payment_intents"
    return Call(path=f"/v1/{kind}/{made}/{step}", params=params, key=key)


def paid(profile, key, *again, **more):
    """Return an order whose intent is created once and confirmed under these keys."""
    case = Case(profile, "ord_1")
    case.run(created(key, **more))
    case.run(*[about(case, "confirm", other) for other in again])
    return case


@scene
def intent_confirmed_again():
    case = paid(LOST, "C1", "F1", "F1")
    case.outcome("ord_1", "paid")
    return case


@scene
def intent_confirmed_again_without_a_key():
    case = paid(LOST, "C1", None, None)
    case.run(Call(method="GET", path=f"{PAYMENTS}/{case.answers[0].body['id']}"))
    case.outcome("ord_1", "paid")
    return case


def anew(profile, **more):
    case = Case(profile, "ord_1")
    for key in RANDOM[:2]:
        case.run(created(key, **more))
        case.run(about(case, "confirm", None))
    case.outcome("ord_1", "paid")
    return case


CONFIRM_LOST = losing("*/confirm")


@scene
def intent_made_anew():
    return anew(CONFIRM_LOST)


@scene
def intent_made_anew_before_it_charged():
    return anew(make("early", ("claimed", [RESET], ONCE)))


@scene
def intent_held_and_captured_again():
    case = paid(losing("*/capture"), "C1", "F1", capture_method="manual")
    capture = about(case, "capture", None)
    case.run(capture, capture)
    case.outcome("ord_1", "paid")
    return case


@scene
def intent_held_twice_and_one_captured():
    case = anew(CONFIRM_LOST, capture_method="manual")
    case.run(about(case, "capture", "P1", 2))
    return case


@scene
def intent_held_twice_and_both_captured():
    case = anew(CONFIRM_LOST, capture_method="manual")
    case.run(about(case, "capture", "P1", 0), about(case, "capture", "P2", 2))
    return case


@scene
def intent_held_twice_and_one_released():
    case = anew(CONFIRM_LOST, capture_method="manual")
    case.run(about(case, "cancel", "X1", 0), about(case, "capture", "P1", 2))
    return case


# Charges that are only authorised, captured, given back.


@scene
def authorised_twice():
    case = told(CHARGE_LOST, charge(RANDOM[0], HELD), charge(RANDOM[1], HELD))
    case.run(about(case, "capture", "P1", 1))
    return case


@scene
def authorised_once_and_captured_again():
    case = told(losing("*/capture"), charge("K1", HELD))
    capture = about(case, "capture", "P1")
    case.run(capture, capture)
    return case


def given_back(case, key, charge_id, amount="2000"):
    case.run(Call(path="/v1/refunds", params={"charge": charge_id, "amount": amount}, key=key))


@scene
def charged_twice_and_compensated():
    case = told(CHARGE_LOST, charge(RANDOM[0]), charge(RANDOM[1]))
    case.run(Call(method="GET", params={"limit": "10"}))
    given_back(case, "R1", case.answers[1].body["id"])
    return case


@scene
def charged_twice_and_a_part_given_back():
    case = told(CHARGE_LOST, charge(RANDOM[0]), charge(RANDOM[1]))
    given_back(case, "R1", case.answers[1].body["id"], "1999")
    return case


@scene
def an_orphan_that_was_given_back():
    case = told(CHARGE_LOST, charge("K1"), believes="failed")
    case.run(Call(method="GET", params={"limit": "10"}))
    given_back(case, "R1", case.answers[1].body["data"][0]["id"])
    return case


def refunded(*keys):
    case = told(losing("/v1/refunds"), charge("K1"))
    for key in keys:
        given_back(case, key, case.answers[0].body["id"], "500")
    return case


@scene
def refunded_again_under_its_key():
    return refunded("R1", "R1")


@scene
def refunded_again_under_another_key():
    return refunded(*RANDOM[:2])


# Words that no other scene ends with.


@scene
def amount_too_high():
    return told(FAULTS["received-503"], charge("K1"), charge("K2", {"amount": "2500"}))


@scene
def amount_too_low():
    return told(FAULTS["received-503"], charge("K1"), charge("K2", {"amount": "200"}))


@scene
def never_paid():
    lost = make("down", ("received", [RESET], EVER))
    return told(lost, charge("K1"), 0.5, charge("K1"), believes="failed")


@scene
def believed_paid_and_never_charged():
    return told(make("empty", ("received", [status(200)], ONCE)), charge("K1"))


@scene
def a_purchase_that_nothing_tells_from_a_retry():
    case = Case(LOST)
    case.run(Call(params=TWIN, key="A"), Call(params=TWIN, key="B"))
    return case


@scene
def a_wait_that_was_sat_out():
    return told(make("slow", ("committed", [SHORT], ONCE)), charge("K1"))


@scene
def a_storm():
    lost = make("down", ("received", [RESET], When(attempt=tuple(range(1, 12)))))
    return told(lost, *[step for _ in range(12) for step in (charge("K1"), 0.5)])


@scene
def retries_without_a_pause():
    lost = make("down", ("received", [RESET], When(attempt=(1, 2, 3))))
    return told(lost, *[charge("K1")] * 4)
