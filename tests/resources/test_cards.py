"""Test cards: each row of the table of declines, and the cards that succeed (stripe-facts 5)."""

import pytest

from fakestripe.resources.cards import DECLINES, METHODS, NETWORKS, TOKENS
from fakestripe.resources.sources import behind, new_card

DECLINED = "Your card was declined."
FUNDS = "Your card has insufficient funds."
CVC = "Your card's security code is incorrect."
PROCESSING = "An error occurred while processing your card. Try again in a little bit."
VELOCITY = (
    "Your card was declined for making repeated attempts too frequently or exceeding its amount "
    "limit."
)
LATER, NEVER, CONFIRM = "try_again_later", "do_not_try_again", "confirm_card_data"
GENERIC = ("card_declined", "generic_decline", None, DECLINED)
FRAUD = ("card_declined", "fraudulent", None, DECLINED)
POOR = ("card_declined", "insufficient_funds", None, FUNDS)
EXPIRED = ("expired_card", "expired_card", "exp_month", "Your card has expired.")
FAST = ("card_declined", "card_velocity_exceeded", None, VELOCITY)
BUSY = ("processing_error", "processing_error", None, PROCESSING)
SILENT = (None, None, None)
ROWS = {
    "tok_visa_chargeDeclined": (GENERIC, (LATER, None, "01")),
    "tok_chargeDeclined": (GENERIC, (LATER, None, "01")),
    "tok_visa_chargeDeclinedInsufficientFunds": (POOR, (LATER, "02", "51")),
    "tok_chargeDeclinedInsufficientFunds": (POOR, (LATER, "02", "51")),
    "tok_visa_chargeDeclinedLostCard": (
        ("card_declined", "lost_card", None, DECLINED),
        (NEVER, "01", "41"),
    ),
    "tok_visa_chargeDeclinedStolenCard": (
        ("card_declined", "stolen_card", None, DECLINED),
        (NEVER, "01", "43"),
    ),
    "tok_chargeDeclinedExpiredCard": (EXPIRED, (CONFIRM, "03", "54")),
    "tok_chargeDeclinedIncorrectCvc": (
        ("incorrect_cvc", "incorrect_cvc", "cvc", CVC),
        (CONFIRM, "03", "N7"),
    ),
    "tok_chargeDeclinedProcessingError": (BUSY, (LATER, None, "06")),
    "tok_visa_chargeDeclinedVelocityLimitExceeded": (FAST, (LATER, "02", "61")),
    "tok_chargeDeclinedFraudulent": (FRAUD, SILENT),
    "tok_radarBlock": (FRAUD, SILENT),
    "tok_chargeCustomerFail": (GENERIC, SILENT),
    "tok_visa_chargeCustomerFail": (GENERIC, SILENT),
}
SUCCEED = [token for token, card in TOKENS.items() if card.number not in DECLINES]


@pytest.mark.parametrize("token", ROWS)
def test_a_declined_charge_leaves_an_error_and_a_failed_charge(account, token):
    (code, decline_code, param, message), advice = ROWS[token]
    answer = account.post(f"amount=2000&currency=usd&source={token}")
    charge = account.get(f"/v1/charges/{answer.error['charge']}").json
    expected = {
        "advice_code": advice[0],
        "charge": charge["id"],
        "code": code,
        "decline_code": decline_code,
        "message": message,
        "network_advice_code": advice[1],
        "network_decline_code": advice[2],
        "param": param,
        "type": "card_error",
    }

    assert answer.status == 402
    assert answer.error == {name: value for name, value in expected.items() if value is not None}
    assert (charge["status"], charge["paid"], charge["captured"]) == ("failed", False, False)
    assert (charge["failure_code"], charge["failure_message"]) == (code, message)
    assert (charge["amount_captured"], charge["balance_transaction"]) == (0, None)
    assert (charge["receipt_url"], "decline_code" in charge) == (None, False)
    assert "capture_before" not in charge["payment_method_details"]["card"]


def test_every_declining_token_has_a_row():
    assert set(ROWS) == set(TOKENS) - set(SUCCEED)


BY_BANK = "declined_by_network"
NO_DETAILS = "The bank did not return any further details with this decline."
TOLD = "The bank returned the decline code `expired_card`."
OUTCOMES = {
    "tok_chargeDeclined": (BY_BANK, "generic_decline", "normal", NO_DETAILS, "issuer_declined"),
    "tok_chargeDeclinedExpiredCard": (BY_BANK, "expired_card", "normal", TOLD, "issuer_declined"),
    "tok_radarBlock": (
        "not_sent_to_network",
        "highest_risk_level",
        "highest",
        "Stripe blocked this payment.",
        "blocked",
    ),
}


@pytest.mark.parametrize("token", OUTCOMES)
def test_the_outcome_says_who_declined(account, token):
    account.post(f"amount=2000&currency=usd&source={token}")
    said = account.charges[0].outcome

    assert OUTCOMES[token] == (
        *(said.network_status, said.reason, said.risk_level),
        *(said.seller_message, said.type),
    )


@pytest.mark.parametrize("token", SUCCEED)
def test_a_card_that_works_shows_its_face(account, token):
    card = TOKENS[token]
    charge = account.post(f"amount=2000&currency=usd&source={token}").json
    details = charge["payment_method_details"]["card"]

    assert charge["status"] == "succeeded"
    assert (charge["source"]["brand"], charge["source"]["last4"]) == (card.brand, card.number[-4:])
    assert (details["brand"], details["network"]) == (NETWORKS[card.brand],) * 2
    assert (details["funding"], details["country"]) == (card.funding, card.country)


def test_a_wrong_security_code_is_shown_as_a_failed_check(account):
    account.post("amount=2000&currency=usd&source=tok_chargeDeclinedIncorrectCvc")
    charge = account.charges[0]

    assert charge.source.cvc_check == "fail"
    assert charge.payment_method_details.card.checks.cvc_check == "fail"


def test_magic_tokens_may_be_used_again_and_make_a_card_each(account):
    one, other = (account.post("amount=2000&currency=usd&source=tok_visa").json for _ in range(2))

    assert one["source"]["id"] != other["source"]["id"]
    assert one["source"]["fingerprint"] == other["source"]["fingerprint"]


def test_every_card_object_knows_the_card_behind_it(account):
    for card in TOKENS.values():
        assert behind(new_card(account.bank.ledger, card)) == card


def test_every_token_has_its_payment_method():
    assert METHODS["pm_card_visa"] == TOKENS["tok_visa"]
    assert METHODS["pm_card_visa_chargeDeclined"] == TOKENS["tok_visa_chargeDeclined"]
    assert set(METHODS) - {f"pm_card_{token.removeprefix('tok_')}" for token in TOKENS} == {
        "pm_card_authenticationRequired"
    }


CHECKS = {
    "tok_avsFail": ("fail", "fail", "pass"),
    "tok_avsLine1Fail": ("fail", "pass", "pass"),
    "tok_avsZipFail": ("pass", "fail", "pass"),
    "tok_avsUnchecked": ("unavailable", "unavailable", "pass"),
    "tok_cvcCheckFail": (None, None, "fail"),
    "tok_visa": (None, None, "pass"),
}


@pytest.mark.parametrize("token", CHECKS)
def test_a_card_may_succeed_with_failed_checks(account, token):
    charge = account.post(f"amount=2000&currency=usd&source={token}").json
    checks = charge["payment_method_details"]["card"]["checks"]
    card = charge["source"]

    assert charge["status"] == "succeeded"
    assert tuple(checks.values()) == CHECKS[token]
    assert CHECKS[token] == (
        *(card["address_line1_check"], card["address_zip_check"], card["cvc_check"]),
    )


def test_an_elevated_risk_succeeds_and_waits_for_a_review(account):
    said = account.post("amount=2000&currency=usd&source=tok_riskLevelElevated").json["outcome"]

    assert (said["network_status"], said["reason"], said["risk_level"], said["type"]) == (
        "approved_by_network",
        "elevated_risk_level",
        "elevated",
        "manual_review",
    )
