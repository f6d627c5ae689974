"""A spend cap in the verdict: the word it may give, and what is told of it, with exact numbers."""

from xml.etree import ElementTree as ET

import pytest
from history import BASE, ORDER

from fakestripe import verdict
from fakestripe.protocol.attempt import Moved
from fakestripe.verdict import exit_status, report
from fakestripe.verdict.explain import explain

CAP = 4500
VAULT = {"api_key": "vk_test_*******cap1", "policy": "allowed", "cap_usd_cents": CAP}
DAY = 86_400.0


def order(number):
    return {**ORDER, "metadata[order_id]": f"ord_{number}"}


def capped(h, key="K1", *, spent=CAP + 2000, **facts):
    """Append a charge that the cap refuses: so many cents would have been spent with it."""
    told = {"policy": "daily_usd_cap_exceeded", "error_code": "daily_usd_cap_exceeded"}
    sums = {"cap_usd_cents": CAP, "spent_usd_cents": spent}
    known = {"status": 429, "outcome": "refused", **VAULT, **told, **sums}
    return h.post(key, **{**known, **facts})


def paid(h, key="K1", charge="ch_A", **facts):
    return h.post(key, charge=charge, **{**VAULT, **facts})


def word_of(h, name="ord_1"):
    return next(one.verdict for one in h.judge().operations if one.operation == name)


@pytest.mark.parametrize(
    ("believes", "word"),
    [("failed", "cap_exceeded"), (None, "cap_exceeded"), ("paid", "missing")],
    ids=str,
)
def test_what_the_cap_stopped_is_cap_exceeded_unless_it_is_believed_paid(history, believes, word):
    h = history()
    h.intent("ord_1")
    capped(h)
    if believes is not None:
        h.outcome("ord_1", believes)

    assert word_of(h) == word


def test_without_intents_what_the_cap_stopped_is_cap_exceeded_as_well(history):
    h = history(mode="serve")
    capped(h)
    (found,) = h.judge().operations

    assert found.verdict == "cap_exceeded"
    assert found.explanation.startswith("0 charged: the spend cap of 45.00 USD a day refused")


def test_one_in_check_that_ends_with_an_error_was_stopped_by_the_cap(history):
    h = history(client_exits=[1])
    h.intent("ord_1")
    h.intent("ord_2")
    paid(h, params=order(1))
    capped(h, "K2", params=order(2))

    assert word_of(h, "ord_2") == "cap_exceeded"


def test_a_client_that_the_watchdog_ended_was_stopped_by_the_cap(history):
    h = history(client_exits=[None])
    h.intent("ord_1")
    capped(h)

    assert word_of(h) == "cap_exceeded"


def test_the_next_day_the_same_payment_is_clean(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    capped(h)
    h.advance(DAY)
    paid(h, "K1", lost=True, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_A",), **VAULT)
    h.outcome("ord_1", "paid")
    found = h.judge()

    assert (found.word, found.hazard, exit_status(found, ["clean"])) == ("clean", None, 0)


def test_another_key_without_a_cap_pays_it_too(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    capped(h)
    h.post("K1", charge="ch_A", lost=True, rule="r#0")
    h.post("K1", key_state="replay", ids=("ch_A",))
    h.outcome("ord_1", "paid")

    assert word_of(h) == "clean"


@pytest.mark.parametrize(
    ("later", "word"),
    [
        ({"status": 402}, "unpaid"),
        ({"lost": True, "last_point": "claimed"}, "unpaid"),
        ({"lost": True, "last_point": "received"}, "cap_exceeded"),
        ({"status": 429, "policy": "allowed"}, "cap_exceeded"),
        ({"status": 401, "policy": "key_expired"}, "cap_exceeded"),
    ],
    ids=str,
)
def test_the_cap_has_stopped_nothing_that_was_let_through_later(history, later, word):
    h = history()
    h.intent("ord_1")
    capped(h)
    h.post("K1", **{**VAULT, **later})
    h.outcome("ord_1", "failed")

    assert word_of(h) == word


@pytest.mark.parametrize("policy", ["key_expired", "endpoint_not_allowed", "currency_not_allowed"])
def test_other_refusals_of_a_key_are_no_cap(history, policy):
    h = history()
    h.intent("ord_1")
    h.post("K1", status=403, outcome="refused", **{**VAULT, "policy": policy})
    h.outcome("ord_1", "failed")

    assert (word_of(h), h.judge().caps) == ("unpaid", ())


def test_a_worse_word_stays(history):
    h = history()
    h.intent("ord_1")
    paid(h, "K1", "ch_A", lost=True)
    capped(h, "K2")
    h.outcome("ord_1", "failed")

    assert word_of(h) == "orphan"


def test_a_request_that_may_charge_yet_keeps_the_cap_from_having_stopped_it(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", lost=True, lasts=None, last_point="claimed", outcome=None, **VAULT)
    capped(h, "K2")
    (found,) = h.judge().operations

    assert (found.verdict, found.reasons) == ("inconclusive", ("still_running",))


def test_what_only_the_cap_kept_from_charging_again_is_a_hazard(history):
    """The answer was lost, a new key was made, the cap refused it: and then it was read back."""
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    paid(h, "3e0e88a13e361417ccbc", "ch_A", lost=True, rule="r#0")
    capped(h, "7e4722334e12888bdccd")
    h.elapsed += 1.0
    h.outcome("ord_1", "paid", "ch_A")
    found = h.judge()

    assert (found.word, found.hazard) == ("clean", "fresh_key_per_attempt")
    assert exit_status(found, ["clean"]) == 3


def test_a_refusal_before_the_charge_is_no_hazard(history):
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    capped(h, "K1")
    h.advance(DAY)
    paid(h, "K2", lost=True, rule="r#0")
    h.post("K2", key_state="replay", ids=("ch_A",), **VAULT)
    h.outcome("ord_1", "paid")

    assert (h.judge().word, h.judge().hazard) == ("clean", None)


def test_a_pool_whose_number_the_cap_made_come_out_is_not_clean(history):
    """Three equal payments, three charges, and a fourth that the cap refused: whose are they?"""
    h = history()
    for name in ("a", "b", "c"):
        h.intent(name)
    for number in range(3):
        paid(h, f"K{number}", f"ch_{number}", params={"amount": "2000", "currency": "usd"})
    capped(h, "K3", params={"amount": "2000", "currency": "usd"})

    assert h.judge().word == "cap_exceeded"
    assert h.judge().operations[0].explanation == (
        "3 intended, 3 charged, and nothing tells whose: the spend cap of 45.00 USD a day refused "
        "arrival 4, with which 65.00 USD would have been spent."
    )


def test_it_is_red_unless_the_profile_expects_it(history):
    h = history()
    h.intent("ord_1")
    capped(h)
    found = h.judge()

    assert exit_status(found, ["clean"]) == 1
    assert exit_status(found, ["clean", "cap_exceeded"]) == 0


def runaway(history):
    """Two orders under a cap of 45 USD: the first is paid twice, the second met the cap."""
    h = history()
    h.profile("r#0")
    h.intent("ord_1")
    h.intent("ord_2")
    paid(h, "3e0e88a13e361417ccbc", "ch_A", lost=True, rule="r#0", params=order(1))
    paid(h, "7e4722334e12888bdccd", "ch_B", params=order(1))
    h.outcome("ord_1", "paid")
    capped(h, "db3f713bd80ce71e38dc", spent=6000, params=order(2))
    capped(h, "0a1b2c3d4e5f60718293", spent=6000, params=order(2))
    h.outcome("ord_2", "failed")
    return h.judge()


def test_what_the_cap_let_through_and_where_it_stopped_is_told_under_a_worse_word(history):
    found = runaway(history)

    assert found.word == "duplicate"
    assert report.as_json(found)["caps"] == [
        {
            "key": "vk_test_*******cap1",
            "day": "2023-11-14",
            "cap_usd_cents": 4500,
            "let_through": 2,
            "let_through_usd_cents": 4000,
            "duplicates": [{"charge": "ch_B", "operation": "ord_1", "arrival": 2}],
            "stopped": 2,
            "stopped_operations": ["ord_2"],
            "would_have_doubled": 0,
            "stop": {
                "arrival": 3,
                "operation": "ord_2",
                "at": 1_700_000_003.0,
                "elapsed_s": 3.0,
                "cap_usd_cents": 4500,
                "before_usd_cents": 4000,
                "spent_usd_cents": 6000,
                "final": True,
            },
        }
    ]


TOLD = (
    "cap: vk_test_*******cap1 on 2023-11-14 let 2 charges through (40.00 of 45.00 USD), 1 of them "
    "a\n  duplicate; it stopped 2 charges of 1 operation.\n"
    "  it let this duplicate through: ch_B of ord_1.\n"
    "  it stopped the run at arrival 3 (ord_2), 3.0 s after the start, 2023-11-14T22:13:23Z: "
    "40.00\n    USD were committed or reserved, with this charge they would have been 60.00 of "
    "45.00.\n"
)


def test_text_and_markdown_tell_it_below_the_operations(history):
    found = runaway(history)

    assert f"\n\n{TOLD}\nexercised: 1 of 2 operations" in report.text(found)
    assert TOLD in report.markdown(found)


def test_junit_has_it_as_output_of_the_suite(history):
    suite = ET.fromstring(report.junit(runaway(history))).find("testsuite")

    assert f"{suite.find('system-out').text}\n" == TOLD


def test_the_operation_says_which_arrival_met_the_cap(history):
    found = next(one for one in runaway(history).operations if one.operation == "ord_2")

    assert found.explanation == (
        "1 intended, 0 charged: the spend cap of 45.00 USD a day refused arrival 4, with which "
        "60.00 USD would have been spent."
    )
    assert found.remedy == (
        "Find out what spent the cap before raising it; what it stopped can be paid later, with "
        "the same idempotency key."
    )


def test_a_second_charge_that_the_cap_stopped_is_counted_apart(history):
    h = history()
    h.intent("ord_1")
    paid(h, "K1", lost=True)
    capped(h, "K2")
    (cap,) = h.judge().caps

    assert (cap.let_through, cap.stopped, cap.would_have_doubled) == (1, 1, 1)
    assert "stopped 1 charge of 1 operation, 1 of them for what was paid already" in report.text(
        h.judge()
    ).replace("\n  ", " ")


def test_a_cap_that_was_raised_says_what_it_was_when_it_refused(history):
    h = history()
    for number in (1, 2):
        h.intent(f"ord_{number}")
    capped(h, params=order(1))
    paid(h, "K2", "ch_B", params=order(2), cap_usd_cents=9000)
    (cap,) = h.judge().caps

    assert (cap.cap_usd_cents, cap.stop.cap_usd_cents) == (9000, 4500)
    assert "would have been 65.00 of 45.00." in report.text(h.judge()).replace("\n    ", " ")


def test_a_cap_that_let_smaller_charges_through_afterwards_did_not_stop_the_run(history):
    h = history()
    h.intent("ord_1")
    h.intent("ord_2", amount=100)
    capped(h, params=order(1))
    paid(h, "K2", "ch_B", params={**order(2), "amount": "100"})
    (cap,) = h.judge().caps

    assert (cap.stop.arrival, cap.stop.final) == (1, False)
    assert "it let other charges through afterwards; its first refusal was at arrival 1" in (
        report.text(h.judge()).replace("\n    ", " ")
    )


def test_a_cap_that_was_never_met_tells_what_it_let_through(history):
    h = history()
    h.intent("ord_1")
    paid(h)
    found = h.judge()

    assert report.as_json(found)["caps"][0]["stop"] is None
    assert (
        "cap: vk_test_*******cap1 on 2023-11-14 let 1 charge through (20.00 of 45.00 USD); it "
        "stopped nothing.\n\nexercised"
    ) in report.text(found).replace("\n  ", " ")


def test_a_restricted_key_and_one_without_a_cap_have_no_cap_to_tell_of(history):
    h = history()
    h.intent("ord_1")
    h.post("K1", charge="ch_A", **{**VAULT, "cap_usd_cents": None})

    assert h.judge().caps == ()


def test_each_day_has_its_own_cap(history):
    h = history()
    for number in (1, 2, 3):
        h.intent(f"ord_{number}")
    paid(h, "K1", "ch_A", params=order(1))
    capped(h, "K2", params=order(2))
    h.advance(DAY)
    paid(h, "K2", "ch_B", params=order(2))
    capped(h, "K3", params=order(3))

    assert [(cap.day, cap.let_through, cap.stopped) for cap in h.judge().caps] == [
        ("2023-11-14", 1, 1),
        ("2023-11-15", 1, 1),
    ]


def test_a_confirm_has_the_amount_of_its_intent(history):
    h = history()
    made = Moved(kind="intent", id="pi_1", amount=2000, currency="usd")
    h.post("K1", path="/v1/payment_intents", ids=("pi_1",), moved=made, **VAULT)
    capped(h, "K2", path="/v1/payment_intents/pi_1/confirm", params={}, spent=6000)
    (cap,) = h.judge().caps

    assert cap.stop.before_usd_cents == 4000


def test_a_cap_that_a_loop_runs_against_for_ever_is_a_storm(history):
    h = history()
    h.intent("ord_1")
    for _ in range(11):
        capped(h, after=2.0)
    (storm,) = h.judge().warnings

    assert (storm.kind, storm.attempts) == ("storm", 11)
    assert storm.told == (
        "11 attempts at POST /v1/charges, 11 of them refused by a spend cap (arrivals 1 to 11)"
    )
    assert storm.remedy == (
        "Do not retry what a spend cap refuses: until the day is over it refuses it again. Stop, "
        "tell somebody, and leave the payment to a later job that uses the same idempotency key."
    )


def test_new_keys_do_not_hide_a_loop_against_the_cap(history):
    h = history(mode="serve")
    for number in range(12):
        capped(h, f"K{number}", after=0.02)

    assert [(w.operation, w.kind) for w in h.judge().warnings] == [
        ("op_1", "storm"),
        ("op_1", "no_back_off"),
    ]


def test_the_words_of_a_cap_can_be_explained():
    said = explain("cap_exceeded")

    assert said.startswith("cap_exceeded: a spend cap stopped the run.\n\n")
    assert "A profile may expect it." in said


def test_accounts_are_judged_apart_and_their_caps_are_told_together(history):
    h = history(mode="serve")
    for account in ("acct_1", "acct_2"):
        capped(h, account=account)

    assert [cap.stopped for cap in h.judge().caps] == [1, 1]


def test_without_intents_the_duplicate_that_was_let_through_is_named(history):
    h = history(mode="serve")
    paid(h, "K1", "ch_A", lost=True)
    paid(h, "K2", "ch_B")
    (cap,) = h.judge().caps

    assert h.judge().word == "duplicate"
    assert [(one.charge, one.arrival) for one in cap.duplicates] == [("ch_B", 2)]


@pytest.mark.parametrize(("keys", "doubled"), [(("K2",), ["ch_B"]), (("K2", "K2"), ["ch_C"])])
def test_charges_that_fit_nothing_meant_may_be_duplicates_that_were_let_through(
    history, keys, doubled
):
    """One beside another of its amount, or one key that made two."""
    first, second = {**BASE, "description": "a"}, {**BASE, "amount": "700", "description": "b"}
    plain = []
    for _ in range(2):
        h = history(mode="check", client_exits=[0])
        h.post("K0", charge="ch_1", params=first)
        h.post("K1", charge="ch_2", params=second)
        plain.append(h.records())
    h = history(mode="check", client_exits=[0], lesson=verdict.learn(*plain))
    paid(h, "K0", "ch_A", params=first)
    for key, made in zip(keys, ("ch_B", "ch_C"), strict=False):
        paid(h, key, made, params={**first, "description": "b"})
    found = h.judge()

    assert [one.charge for one in found.caps[0].duplicates] == doubled


def test_a_refusal_that_belongs_to_no_payment_is_named_by_its_arrival(history):
    h = history()
    capped(h, step=None)

    assert h.judge().caps[0].stopped_operations == ("arrival 1",)
