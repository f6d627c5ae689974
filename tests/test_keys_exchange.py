"""A request of a further key, by hand: what is let in, when a cap is asked, what counts."""

import json

import pytest

from fakestripe.faults.kinds import Hang, LoseRecord, Reply, Reset, Wait
from fakestripe.protocol.further_key import key_of

CAP = {"daily_usd_cap": "50.00"}
OVER = b'{"error":"daily_usd_cap_exceeded","cap_usd":50.00,"spent_usd":60.00}'
DAY = 86_400
PAID = "amount=2000&currency=usd&payment_method=pm_card_visa"


@pytest.fixture
def capped(account):
    """An account, called by a vault key with a cap of 50 dollars: two charges and a half."""
    return holding(account, CAP)


def holding(account, asked):
    account.holder = account.bank.keys.add(key_of(asked), "vk_test_****")
    return account


def days(account):
    """Return what was committed and is reserved, day by day."""
    return [(d.committed, d.reserved) for _, d in account.bank.keys.days(account.holder)]


def last(account):
    return account.bank.journal.attempts[-1]


# --- over the cap


def test_over_the_cap_the_proxy_answers_and_nothing_of_stripe_does(capped, charge_form):
    for key in ("K1", "K2"):
        assert capped.post(charge_form, key).status == 200
    refused = capped.post(charge_form, "K3")

    assert (refused.status, refused.body) == (429, OVER)
    assert (refused.told, refused.reply.origin) == ((), "edge")
    assert (len(capped.charges), days(capped)) == (2, [(4000, 0)])


def test_what_was_decided_stands_in_the_journal(capped, charge_form):
    for key in ("K1", "K2", "K3"):
        capped.post(charge_form, key)
    told = [
        (a.api_key, a.policy, a.status, a.outcome, a.cap_usd_cents, a.spent_usd_cents)
        for a in capped.bank.journal.attempts
    ]
    passed = ("vk_test_****", "allowed", 200, "answered", 5000, None)

    over = ("vk_test_****", "daily_usd_cap_exceeded", 429, "refused", 5000, 6000)
    assert told == [passed, passed, over]


def test_a_secret_key_has_neither_cap_nor_policy(capped, charge_form):
    for _ in range(2):
        capped.post(charge_form)
    capped.holder = None

    assert capped.post(charge_form).status == 200
    assert (last(capped).policy, last(capped).api_key) == (None, None)


def test_a_refused_charge_binds_no_key_and_may_be_made_on_another_day(capped, charge_form):
    for key in ("K1", "K2", "K3"):
        capped.post(charge_form, key)
    capped.now += DAY
    made = capped.post(charge_form, "K3")

    assert made.stored_under("K3")
    assert days(capped) == [(4000, 0), (2000, 0)]


def test_a_replay_is_answered_over_the_cap_and_never_counts(capped, charge_form):
    first = capped.post(charge_form, "K1")
    capped.post(charge_form, "K2")

    assert capped.post(charge_form, "K1").replays(first)
    assert (last(capped).policy, days(capped)) == ("allowed", [(4000, 0)])


def test_other_parameters_under_a_known_key_are_a_400_over_the_cap_too(capped, charge_form):
    capped.post(charge_form, "K1")
    capped.post(charge_form, "K2")

    assert capped.post("amount=4000&currency=usd&source=tok_visa", "K1").status == 400


def test_what_cannot_be_read_asks_no_cap(capped, charge_form):
    for key in ("K1", "K2"):
        capped.post(charge_form, key)

    assert capped.post("amount=2000&currency=usd", "K3").status == 400
    assert capped.post("amount=x", "K3").status == 400


@pytest.mark.parametrize(
    ("path", "form", "refused"),
    [
        ("/v1/charges", "amount=500&currency=usd&customer=cus_bare", (402, "missing")),
        ("/v1/charges", "amount=500&currency=eur&customer=cus_bare", (402, "missing")),
        ("/v1/charges", "amount=500&currency=usd&source={token}", (400, "token_already_used")),
        (
            "/v1/payment_intents",
            "amount=500&currency=usd&confirm=true",
            (400, "payment_intent_unexpected_state"),
        ),
        ("/v1/payment_intents/{intent}/confirm", "", (400, "payment_intent_unexpected_state")),
    ],
)
def test_what_would_charge_nothing_asks_no_cap(account, path, form, refused):
    """Its refusal is kept under its key, as it is for any other key."""
    made = account.post("", path="/v1/customers").json["id"]
    card = "card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2040"
    token = account.post(card, path="/v1/tokens").json["id"]
    account.post(f"amount=500&currency=usd&source={token}")
    intent = account.post("amount=500&currency=usd", path="/v1/payment_intents").json["id"]
    holding(account, {"daily_usd_cap": 0})
    form = form.format(token=token).replace("cus_bare", made)
    answer = account.post(form, "K1", path=path.format(intent=intent))

    assert (answer.status, answer.error["code"]) == refused
    assert answer.stored_under("K1")
    assert [(spent, held) for spent, held in days(account) if spent or held] == []


def test_a_cap_that_is_met_exactly_is_not_passed(account):
    holding(account, {"daily_usd_cap": "20.00"})

    assert account.post("amount=2001&currency=usd&source=tok_visa").body.endswith(
        b'"cap_usd":20.00,"spent_usd":20.01}'
    )
    assert account.post("amount=2000&currency=usd&source=tok_visa").status == 200


def test_a_key_without_a_cap_is_counted_all_the_same(account, charge_form):
    holding(account, {})
    account.post(charge_form)

    assert days(account) == [(2000, 0)]


# --- while a request stands still


def test_what_stands_before_the_commit_holds_its_sum(capped, charge_form):
    capped.fault("claimed", Wait(1.0), nth=(1, 2))
    one, two = capped.begin(charge_form, "K1"), capped.begin(charge_form, "K2")

    assert days(capped) == [(0, 4000)]
    assert capped.post(charge_form, "K3").body == OVER

    one.to_the_end()

    assert days(capped) == [(2000, 2000)]

    two.to_the_end()

    assert days(capped) == [(4000, 0)]


def test_a_twin_in_flight_holds_nothing(capped, charge_form):
    capped.fault("claimed", Wait(1.0), nth=(1,))
    first = capped.begin(charge_form, "K1")

    assert capped.post(charge_form, "K1").status == 409
    assert days(capped) == [(0, 2000)]

    first.to_the_end()

    assert days(capped) == [(2000, 0)]


@pytest.mark.parametrize("point", ["received", "claimed"])
@pytest.mark.parametrize("fault", [Reset(), Hang(), Reply(status=503), Reply(stripe="api_error")])
def test_a_fault_before_the_commit_lets_the_sum_go(capped, charge_form, point, fault):
    capped.fault(point, fault, nth=(1,))
    capped.begin(charge_form, "K1").to_the_end()

    assert days(capped) in ([], [(0, 0)])


def test_a_killed_exchange_lets_the_sum_go(capped, charge_form):
    capped.fault("claimed", Wait(1.0), nth=(1,))
    capped.begin(charge_form, "K1").close()

    assert days(capped) == [(0, 0)]


def test_a_failure_of_ours_lets_the_sum_go(capped, charge_form):
    capped.fault("claimed", Wait(1.0), nth=(1,))
    capped.begin(charge_form, "K1").throw(RuntimeError("x")).to_the_end()

    assert days(capped) == [(0, 0)]
    assert last(capped).outcome == "bug"


@pytest.mark.parametrize("fault", [Reset(), Hang(), Reply(status=502)])
def test_a_charge_whose_answer_is_lost_counts_once_and_its_retry_not(capped, charge_form, fault):
    capped.fault("committed", fault, nth=(1,))
    capped.begin(charge_form, "K1").to_the_end()

    assert capped.post(charge_form, "K1").status == 200
    assert (len(capped.charges), days(capped)) == (1, [(2000, 0)])


def test_a_server_that_lost_the_key_charges_twice_and_counts_both(capped, charge_form):
    capped.fault("committed", LoseRecord(), nth=(1, 2, 3))
    answers = [capped.post(charge_form, "K1") for _ in range(3)]

    assert [answer.status for answer in answers] == [200, 200, 429]
    assert days(capped) == [(4000, 0)]


def test_a_key_that_the_store_does_not_show_yet_executes_and_counts_again(capped, charge_form):
    capped.bank.idempotency.write_window = 60.0
    answers = [capped.post(charge_form, "K1") for _ in range(3)]

    assert [answer.status for answer in answers] == [200, 200, 429]
    capped.now += 60.0
    assert capped.post(charge_form, "K1").status == 200
    assert days(capped) == [(4000, 0)]


# --- days


@pytest.mark.parametrize("point", ["received", "claimed", "committed"])
def test_a_charge_counts_on_the_day_that_the_journal_has_of_it(capped, charge_form, point):
    """Whoever lays the audit against the days, as the verdict does, finds the same."""
    capped.now = 10 * DAY - 1
    capped.fault(point, Wait(2.0), nth=(1,))
    first = capped.begin(charge_form, "K1")
    capped.now = 10 * DAY + 1
    first.to_the_end()

    assert [day for day, _ in capped.bank.keys.days(capped.holder)] == [last(capped).at // DAY]
    assert (last(capped).at // DAY, days(capped)) == (9, [(2000, 0)])


def test_a_clock_that_is_set_back_finds_its_day_as_it_was_left(capped, charge_form):
    capped.post(charge_form)
    capped.post(charge_form)
    capped.now += DAY
    capped.post(charge_form)
    capped.now -= DAY

    assert capped.post(charge_form).body == OVER
    assert days(capped) == [(4000, 0), (2000, 0)]


# --- what becomes of a charge


def test_a_decline_never_counts(capped):
    for _ in range(4):
        assert capped.post("amount=2000&currency=usd&source=tok_chargeDeclined").status == 402

    assert days(capped) == [(0, 0)]


@pytest.mark.parametrize(("back", "left"), [(False, 2000), (True, 1500)])
def test_a_refund_gives_back_only_where_the_key_says_so(account, charge_form, back, left):
    holding(account, {**CAP, "refunds_give_back": back})
    charge = account.post(charge_form).json["id"]
    account.now += DAY
    account.holder, holder = None, account.holder
    account.post(f"charge={charge}&amount=500", path="/v1/refunds")
    account.holder = holder

    assert days(account) == [(left, 0)]


def test_an_authorisation_counts_in_full_and_a_capture_of_less_gives_the_rest_back(
    capped, charge_form
):
    charge = capped.post(f"{charge_form}&capture=false").json["id"]

    assert days(capped) == [(2000, 0)]

    capped.post("amount=1200", path=f"/v1/charges/{charge}/capture")

    assert days(capped) == [(1200, 0)]

    capped.post(f"charge={charge}&amount=100", path="/v1/refunds")

    assert days(capped) == [(1200, 0)]


def test_what_was_never_captured_is_given_back_by_its_refund(capped, charge_form):
    charge = capped.post(f"{charge_form}&capture=false").json["id"]
    capped.post(f"charge={charge}", path="/v1/refunds")

    assert days(capped) == [(0, 0)]


def test_an_intent_counts_when_it_is_confirmed_and_is_given_back_when_canceled(capped):
    intent = capped.post(f"{PAID}&capture_method=manual", path="/v1/payment_intents").json["id"]

    assert days(capped) == []

    capped.post("", path=f"/v1/payment_intents/{intent}/confirm")

    assert days(capped) == [(2000, 0)]

    capped.post("", path=f"/v1/payment_intents/{intent}/cancel")

    assert days(capped) == [(0, 0)]


def test_an_intent_is_confirmed_up_to_the_cap_and_no_more(capped):
    path = "/v1/payment_intents"
    for _ in range(2):
        assert capped.post(f"{PAID}&confirm=true", path=path).status == 200
    assert capped.post(f"{PAID}&confirm=true", path=path).body == OVER

    intent = capped.post(PAID, path=path).json["id"]

    assert capped.post("", path=f"{path}/{intent}/confirm").body == OVER
    assert len(capped.charges) == 2


def test_a_paid_intent_is_refused_by_stripe_over_the_cap_too(capped):
    path = "/v1/payment_intents"
    intent = capped.post(f"{PAID}&confirm=true", path=path).json["id"]
    capped.post(f"{PAID}&confirm=true", path=path)
    again = capped.post("", path=f"{path}/{intent}/confirm")

    assert again.error["code"] == "payment_intent_unexpected_state"


def test_an_intent_that_grew_while_its_confirmation_stood_still_is_asked_again(capped):
    path = "/v1/payment_intents"
    intent = capped.post(PAID, path=path).json["id"]
    capped.fault("claimed", Wait(1.0), nth=(1,))
    first = capped.begin("", "K1", f"{path}/{intent}/confirm")
    capped.post("amount=6000", path=f"{path}/{intent}")

    assert first.to_the_end().answer.body == OVER
    assert (capped.charges, days(capped)) == ([], [(0, 0)])
    assert first.attempt.spent_usd_cents == 6000


def test_a_charge_of_a_customer_counts_as_any(account):
    holding(account, CAP)
    customer = account.post("source=tok_visa", path="/v1/customers").json["id"]
    account.post(f"amount=2000&currency=usd&customer={customer}")

    assert days(account) == [(2000, 0)]


def test_an_account_that_is_acted_for_spends_of_the_same_key(capped, charge_form):
    connected = capped.bank.connected("acct_other")
    capped.post(charge_form)
    own, capped.bank = capped.bank, connected
    capped.post(charge_form)

    assert capped.post(charge_form).body == OVER
    assert days(capped) == [(4000, 0)]
    assert own.keys is connected.keys


# --- what a key may do


def test_another_endpoint_is_refused_by_the_proxy(account, charge_form):
    holding(account, {"allowed_endpoints": ["/v1/charges", "GET /v1/refunds/*"]})
    listed = [account.get("/v1/charges").status, account.post(charge_form).status]
    refused = account.get("/v1/charges/ch_1")

    assert listed == [200, 200]
    assert (refused.status, refused.told) == (403, ())
    assert refused.body == (
        b'{"error":"endpoint_not_allowed","endpoint":"GET /v1/charges/ch_1",'
        b'"allowed_endpoints":["/v1/charges","GET /v1/refunds/*"]}'
    )
    assert account.get("/v1/refunds/re_1").status == 404
    assert account.post("", path="/v1/refunds/re_1").status == 403


def test_a_key_ends_by_the_clock_of_the_account(account, charge_form):
    holding(account, {"expires_at": int(account.now) + 10})
    before = account.post(charge_form)
    account.now += 10
    after = account.post(charge_form, "K1")

    assert (before.status, after.status, after.told) == (200, 401, ())
    assert after.body == b'{"error":"key_expired","expires_at":1785715421}'
    assert (last(account).policy, len(account.charges)) == ("key_expired", 1)


def test_another_currency_than_that_of_the_cap_is_refused(capped):
    refused = capped.post("amount=2000&currency=eur&source=tok_visa", "K1")

    assert (refused.status, refused.told) == (403, ())
    assert json.loads(refused.body) == {
        "error": "currency_not_allowed",
        "currency": "eur",
        "message": "this key has a cap in usd, and a charge in eur cannot be held against it",
    }
    assert (last(capped).policy, last(capped).outcome) == ("currency_not_allowed", "refused")


def test_a_key_without_a_cap_may_charge_in_any_currency(account):
    holding(account, {})

    assert account.post("amount=2000&currency=eur&source=tok_visa").status == 200
    assert days(account) == []


def test_a_restricted_key_is_refused_in_stripes_words(account, charge_form):
    account.holder = account.bank.keys.add(
        key_of({"permissions": {"charges": "read"}}), "rk_test_****"
    )
    refused = account.post(charge_form, "K1")

    assert account.get("/v1/charges").status == 200
    assert (refused.status, refused.told, refused.reply.origin) == (403, (), "front")
    assert refused.error == {
        "message": "Permission denied. The provided key 'rk_test_****' does not have the required "
        f"permissions for this endpoint on account '{account.bank.account}'. Enabling \"Charges "
        "and Refunds Write\" ('charge_write') permissions on this key would allow this request to "
        "continue.",
        "type": "invalid_request_error",
    }
    first = account.bank.journal.attempts[0]
    assert (first.policy, first.outcome, first.key_state) == (
        "permission_denied",
        "refused",
        "absent",
    )


def test_what_was_never_decided_is_not_told_as_allowed(capped, charge_form):
    """A fault at ``received`` comes before the key is looked at."""
    capped.fault("received", Reset(), nth=(1,))
    capped.begin(charge_form, "K1").to_the_end()

    assert (last(capped).api_key, last(capped).policy) == ("vk_test_****", None)
