"""The profile of a plan: as small as it can be, exact, and read back as it was written."""

import pytest

from fakestripe.faults.plan import matches
from fakestripe.profiles import parse
from fakestripe.protocol.attempt import opened
from fakestripe.protocol.request import Request
from fakestripe.sweeping.menu import KINDS, named, race
from fakestripe.sweeping.plans import Aim, Conditions, Plan, text_of
from fakestripe.sweeping.rounds import applies
from fakestripe.sweeping.slots import Address, Slot

HOME = ("POST /v1/charges", (), 1)
CHARGE = Slot((HOME, "POST /v1/charges", 1), executes=True)
RETRY = Slot((HOME, "POST /v1/charges", 2), executes=False)
READ = Slot((None, "GET /v1/charges/{id}", 3), executes=False)


def written(*aims, **conditions):
    return text_of(Plan(aims), Conditions(**conditions))


def kind(name):
    (found,) = named([name])
    return found


PAIRS = [
    (fault, slot, lasting)
    for fault in (*KINDS, race(3))
    for slot in (CHARGE, RETRY, READ)
    for lasting in (False, True)
    if applies(fault, slot, lasting=lasting)
]


@pytest.mark.parametrize(
    ("fault", "slot", "lasting"),
    PAIRS,
    ids=[Plan((Aim(pair[1], pair[0], pair[2]),)).name for pair in PAIRS],
)
def test_every_profile_is_read_back(fault, slot, lasting):
    plan = Plan((Aim(slot, fault, lasting),))
    found = parse(text_of(plan, Conditions(), ["why"]), "a.yaml")

    assert (found.name, found.about, len(found.rules)) == (plan.name, "why", 1)
    assert found.expect == plan.expect
    assert (found.rules[0].when.times == 1) is not (lasting or fault.race)


def test_a_fault_strikes_what_only_another_brings_about():
    """A replay has no commit: what strikes after one strikes it as it is received."""
    assert written(Aim(CHARGE, kind("hang-after")), Aim(RETRY, kind("hang-after")), hang=0.5) == (
        "name: charges-1-hang-after-then-charges-2-hang-after\n"
        "rules:\n"
        "  - match: {method: POST, path: /v1/charges}\n"
        "    when: {attempt: 1, times: 1}\n"
        "    at: committed\n"
        "    do: {hang: 500ms}\n"
        "  - match: {method: POST, path: /v1/charges}\n"
        "    when: {attempt: 2, times: 1}\n"
        "    at: received\n"
        "    do: {hang: 500ms}\n"
        "expect: [clean, orphan]\n"
    )


def test_a_fault_that_lasts_takes_the_answers_of_replays_too():
    assert written(Aim(CHARGE, kind("reset-after"), lasting=True)).splitlines()[2:] == [
        "  - match: {method: POST, path: /v1/charges}",
        "    at: replying",
        "    do: {truncate: {head: 0, then: reset}}",
        "expect: [clean, orphan]",
    ]


def test_a_read_is_counted_and_a_connection_may_be_wanted():
    text = written(Aim(READ, kind("503-before")), connection="reused")

    assert text.splitlines()[2:4] == [
        '  - match: {method: GET, path: "/v1/charges/*"}',
        "    when: {nth: 3, times: 1, connection: reused}",
    ]


@pytest.mark.parametrize("value", ["ord_1", "a: {b}, [c]", '"quoted" \\ # x', "*?[1]", "é", "yes"])
def test_a_value_matches_itself_and_nothing_like_it(value):
    address = Address(params=(("metadata.order_id", value),))
    slot = Slot(CHARGE.place, executes=True, address=address)
    (rule,) = parse(written(Aim(slot, kind("reset-after"))), "a.yaml").rules

    assert matches(rule.match, *arrival(value))
    assert not matches(rule.match, *arrival(f"{value}x"))


def arrival(value):
    from urllib.parse import urlencode

    headers = {"content-type": "application/x-www-form-urlencoded"}
    form = urlencode({"metadata[order_id]": value}).encode()
    request = Request("POST", "/v1/charges", "", headers, form, 1, 1, "")
    return request, opened(request, arrival=1, account="acct_1", at=0.0, step="create")


def test_operations_that_differ_have_profiles_of_different_names():
    several = ["ord 1", "ord-1", "ord/1", "ord=1", "o" * 60, "o" * 61]
    slots = [Slot(CHARGE.place, True, Address(params=(("order", name),))) for name in several]
    names = {Plan((Aim(slot, kind("reset-after")),)).name for slot in slots}

    assert len(names) == len(several)
    assert max(map(len, names)) < 60
