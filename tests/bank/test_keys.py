"""What further keys have spent: held, settled, let go, given back, by key and day."""

from contextlib import nullcontext

import pytest

from fakestripe.bank.keys import Keys, admit
from fakestripe.protocol.attempt import Moved
from fakestripe.protocol.further_key import key_of
from fakestripe.protocol.refusals import ProxyRefusal

NOON = 43_200.0
"""Of the first of January 1970, day 0."""


@pytest.fixture
def keys():
    return Keys()


def vault(keys, **asked):
    return keys.add(key_of(asked), "vk_test_****")


def charge(amount, name="ch_1", **more):
    return Moved(kind="charge", id=name, amount=amount, currency="usd", charge=name, **more)


def state(keys, holder):
    return [(at, day.committed, day.reserved) for at, day in keys.days(holder)]


def test_a_sum_is_held_settled_and_counted_once(keys):
    holder = vault(keys, daily_usd_cap="10.00")
    hold = keys.reserve(holder, 600, "usd", NOON)

    assert state(keys, holder) == [(0, 0, 600)]

    keys.follow(charge(600), hold)
    keys.release(hold)

    assert state(keys, holder) == [(0, 600, 0)]


def test_the_refusal_tells_what_would_have_been_spent(keys):
    holder = vault(keys, daily_usd_cap="10.00")
    keys.follow(charge(500), keys.reserve(holder, 500, "usd", NOON))
    keys.reserve(holder, 300, "usd", NOON)

    with pytest.raises(ProxyRefusal) as refused:
        keys.reserve(holder, 201, "usd", NOON)
    assert (refused.value.cap, refused.value.spent) == (1000, 1001)
    assert state(keys, holder) == [(0, 500, 300)]


def test_each_key_has_its_own_cap(keys):
    one, two = vault(keys, daily_usd_cap="10.00"), vault(keys, daily_usd_cap="10.00")
    keys.reserve(one, 1000, "usd", NOON)
    keys.reserve(two, 1000, "usd", NOON)

    assert state(keys, one) == state(keys, two) == [(0, 0, 1000)]


def test_two_keys_that_look_alike_are_told_apart(keys):
    assert [vault(keys).shown for _ in range(3)] == [
        "vk_test_****",
        "vk_test_**** (2)",
        "vk_test_**** (3)",
    ]


def test_other_rules_keep_what_was_spent(keys):
    holder = vault(keys, daily_usd_cap="10.00")
    keys.follow(charge(900), keys.reserve(holder, 900, "usd", NOON))
    changed = keys.change(holder, key_of({"daily_usd_cap": "5.00"}))

    with pytest.raises(ProxyRefusal) as refused:
        keys.reserve(changed, 1, "usd", NOON)
    assert (refused.value.cap, refused.value.spent) == (500, 901)
    assert keys.holders == [changed]


def test_other_rules_decide_what_a_refund_gives_back_from_then_on(keys):
    holder = vault(keys, daily_usd_cap="10.00")
    keys.follow(charge(900, captured=True), keys.reserve(holder, 900, "usd", NOON))
    keys.change(holder, key_of({"daily_usd_cap": "10.00", "refunds_give_back": True}))
    keys.follow(Moved(kind="refund", id="re_1", amount=400, currency="usd", charge="ch_1"), None)

    assert state(keys, holder) == [(0, 500, 0)]


@pytest.mark.parametrize(
    ("pattern", "path", "let_in"),
    [
        ("/v1/charges/*", "/v1/charges/ch_1/refunds", True),
        ("/v1/charge?", "/v1/charges", False),
        ("/v1/charge?", "/v1/charge?", True),
        ("/v1/[a-z]*", "/v1/charges", False),
        ("/v1/[a-z]*", "/v1/[a-z]harges", True),
        ("/v1/charges", "/V1/CHARGES", False),
    ],
)
def test_only_a_star_stands_for_any_text_in_an_endpoint(keys, pattern, path, let_in):
    holder = vault(keys, allowed_endpoints=[pattern])

    with nullcontext() if let_in else pytest.raises(ProxyRefusal, match=r"^endpoint_not_allowed$"):
        admit(holder, "GET", path, NOON, "acct_1")


def test_what_others_charge_is_nobodys_and_its_refund_gives_nothing_back(keys):
    holder = vault(keys, daily_usd_cap="10.00", refunds_give_back=True)
    keys.follow(charge(900), None)
    keys.follow(Moved(kind="refund", id="re_1", amount=900, currency="usd", charge="ch_1"), None)

    assert (state(keys, holder), keys.spent) == ([], {})


def test_a_day_ends_at_midnight(keys):
    holder = vault(keys, daily_usd_cap="10.00")
    for now in (86_399.999, 86_400.0):
        keys.reserve(holder, 1000, "usd", now)

    assert state(keys, holder) == [(0, 0, 1000), (1, 0, 1000)]


def test_no_key_is_kept(keys):
    holder = keys.add(key_of({"key": "vk_test_secret"}), "vk_test_******")

    assert holder.rules.key is None
    assert keys.change(holder, key_of({"key": "vk_test_secret"})).rules.key is None
