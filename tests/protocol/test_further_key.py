"""What a further key may say: read from what a caller sends, dollars exactly, and nothing else."""

import pytest

from fakestripe.protocol import permissions
from fakestripe.protocol.further_key import FurtherKey, Wrong, cents, dollars, key_of, shown
from fakestripe.protocol.refusals import over_cap, unknown_key
from fakestripe.protocol.secrets import masked

DOLLARS = 'write dollars as a text with two decimals, such as "450.00"'
WRONG = [
    ([], 'write a mapping, such as {"daily_usd_cap": "450.00"}'),
    ({"daily_cap": "1"}, "daily_cap: there is no such field; there are: key, daily_usd_cap, "),
    ({"key": "sk_live_x"}, "key: live keys are refused: write one that begins with vk_test_ or "),
    ({"key": "vk_test_"}, "key: write vk_test_… or rk_test_…, letters, digits and _ only"),
    ({"key": "vk_test_a b"}, "key: write vk_test_… or rk_test_…"),
    ({"key": 7}, "key: write vk_test_… or rk_test_…"),
    *(
        ({"daily_usd_cap": cap}, f"daily_usd_cap: {DOLLARS}")
        for cap in (-1, "-1", "1.234", 4.5, float("nan"), float("inf"), "1e3", "", "1.", True, [])
    ),
    ({"daily_usd_cap": 10**15}, "daily_usd_cap: "),
    ({"daily_usd_cap": "٤"}, "daily_usd_cap: "),
    ({"allowed_endpoints": []}, "allowed_endpoints: write a list of paths, such as [/v1/charges]"),
    ({"allowed_endpoints": "/v1/charges"}, "allowed_endpoints: write a list of paths"),
    ({"allowed_endpoints": ["v1"]}, "allowed_endpoints: 'v1' is no endpoint: write a path such "),
    ({"allowed_endpoints": ["PUT /v1"]}, "allowed_endpoints: 'PUT /v1' is no endpoint"),
    ({"allowed_endpoints": [7]}, "allowed_endpoints: 7 is no endpoint"),
    *(
        ({"expires_at": at}, "expires_at: write seconds since 1970, such as 1700000000")
        for at in (-1, "tomorrow", float("nan"), True, 10**12)
    ),
    ({"refunds_give_back": 1}, "refunds_give_back: write true or false"),
    ({"permissions": []}, "permissions: write a mapping, such as {charges: write, customers: "),
    (
        {"permissions": {"chargs": "read"}},
        "permissions.chargs: chargs is no resource (did you mean charges?); there are: charges, ",
    ),
    (
        {"permissions": {"refunds": "read"}},
        "permissions.refunds: refunds stand under charges, as in Stripe's dashboard",
    ),
    ({"permissions": {"charges": "all"}}, "permissions.charges: write one of none, read, write"),
    ({"permissions": {"charges": []}}, "permissions.charges: write one of none, read, write"),
    (
        {"permissions": {}, "daily_usd_cap": "1"},
        "daily_usd_cap: a restricted key has none: only a key that begins with vk_test_ has",
    ),
    (
        {"key": "vk_test_a", "permissions": {}},
        "permissions: a vault key has none: only a key that begins with rk_test_ has",
    ),
    ({"key": "sk_test_a", "expires_at": 1}, "expires_at: a secret key has none: only a key that "),
]


@pytest.mark.parametrize(("asked", "said"), WRONG, ids=lambda value: str(value)[:40])
def test_what_can_be_no_key_is_refused_by_its_field(asked, said):
    with pytest.raises(Wrong) as wrong:
        key_of(asked)

    assert str(wrong.value).startswith(said)
    assert "\n" not in str(wrong.value)


def test_a_vault_key_says_what_it_may_spend_where_and_until_when():
    asked = {
        "key": "vk_test_a",
        "daily_usd_cap": "450.00",
        "allowed_endpoints": ["/v1/charges", "POST /v1/payment_intents/*/confirm"],
        "expires_at": 1_700_000_000,
        "refunds_give_back": True,
    }
    found = key_of(asked)

    assert found == FurtherKey(
        kind="vault",
        key="vk_test_a",
        cap=45_000,
        endpoints=("/v1/charges", "POST /v1/payment_intents/*/confirm"),
        expires_at=1_700_000_000,
        refunds_give_back=True,
    )
    assert {"key": "vk_test_a", **shown(found)} == asked


def test_what_is_left_out_limits_nothing_and_null_is_left_out():
    assert key_of({}) == key_of({"key": None, "daily_usd_cap": None}) == FurtherKey(kind="vault")


def test_a_restricted_key_may_do_what_it_names():
    assert key_of({"permissions": {"charges": "write"}}) == FurtherKey(
        kind="restricted", permissions={"charges": "write"}
    )
    assert key_of({"key": "rk_test_a"}).permissions == {}
    assert shown(key_of({"key": "rk_test_a"})) == {"permissions": {}}


def test_a_second_secret_key_says_nothing():
    found = key_of({"key": "sk_test_b"})

    assert (found, shown(found)) == (FurtherKey(kind="secret", key="sk_test_b"), {})


@pytest.mark.parametrize(
    ("said", "whole"),
    [("450.00", 45_000), ("450", 45_000), (450, 45_000), ("0.01", 1), ("0.1", 10), ("0", 0)],
)
def test_dollars_are_whole_cents(said, whole):
    assert cents(said) == whole


@pytest.mark.parametrize(
    ("whole", "said"),
    [
        (45_001, "450.01"),
        (5, "0.05"),
        (0, "0.00"),
        (10**15 - 1, "9999999999999.99"),
        (-5, "-0.05"),
    ],
)
def test_cents_are_told_with_two_decimals(whole, said):
    assert dollars(whole) == said


def test_the_answer_over_a_cap_is_that_of_the_proxy_to_the_byte():
    body = b'{"error":"daily_usd_cap_exceeded","cap_usd":450.00,"spent_usd":450.01}'

    assert over_cap(45_000, 45_001).body == body


def test_the_refusal_of_a_key_that_nobody_made_says_how_to_make_it():
    refused = unknown_key("vk_test_***")

    assert (refused.status, refused.shown) == (401, "vk_test_***")
    assert refused.body == (
        b'{"error":"unknown_key","message":"vk_test_*** is not known here: make it by '
        b'POST /_fakestripe/keys, or in a profile"}'
    )


def test_no_vault_key_is_ever_shown_whole():
    assert masked("by vk_test_0123456789abcd") == "by vk_test_**********abcd"


# --- permissions

LACKING = [
    ("POST", "/v1/charges", "Charges and Refunds Write", "charge_write"),
    ("GET", "/v1/charges/ch_1", "Charges and Refunds Read", "charge_read"),
    ("POST", "/v1/refunds", "Charges and Refunds Write", "charge_write"),
    ("POST", "/v1/charges/ch_1/refunds", "Charges and Refunds Write", "charge_write"),
    ("DELETE", "/v1/customers/cus_1", "Customers Write", "customer_write"),
    ("POST", "/v1/customers/cus_1/sources", "Customers Write", "customer_write"),
    ("GET", "/v1/customers/c/payment_methods", "PaymentMethods Read", "payment_method_read"),
    ("POST", "/v1/payment_intents/pi/confirm", "PaymentIntents Write", "payment_intent_write"),
    ("POST", "/v1/tokens", "Tokens Write", "token_write"),
    ("GET", "/v1/events", "Events Read", "event_read"),
    ("GET", "/v1/balance", "Balance Read", "balance_read"),
    (
        "GET",
        "/v1/balance_transactions",
        "Balance transaction sources Read",
        "balance_transaction_source_read",
    ),
]


@pytest.mark.parametrize(("method", "path", "title", "name"), LACKING)
def test_what_a_key_lacks_is_named_as_stripe_names_it(method, path, title, name):
    assert permissions.lacking({}, method, path) == permissions.Lacking(title, name)


def test_who_may_write_may_read_and_who_may_read_may_not_write():
    assert permissions.lacking({"charges": "write"}, "GET", "/v1/charges") is None
    assert permissions.lacking({"charges": "write"}, "POST", "/v1/refunds") is None
    assert permissions.lacking({"charges": "read"}, "POST", "/v1/charges") is not None
    assert permissions.lacking({"charges": "none"}, "GET", "/v1/charges") is not None


def test_what_is_not_served_is_refused_by_nobody_here():
    assert permissions.lacking({}, "GET", "/v1/invoices") is None
    assert permissions.lacking({}, "GET", "/") is None
