"""Capture: in full, in part, once, in time (stripe-facts 3.2, 4.5)."""

import pytest

NOT_EMULATED = (
    "fakestripe does not emulate the parameter 'destination'; Stripe would have read it."
)
HELD = "amount=2000&currency=usd&source=tok_visa&capture=false&description=x"


def capture(account, charge: str, form: str = "", key: str | None = None):
    return account.post(form, key, path=f"/v1/charges/{charge}/capture")


def held(account, form: str = HELD) -> str:
    return account.post(form).json["id"]


def test_a_capture_takes_the_whole_amount(account):
    charge = held(account)
    captured = capture(account, charge).json

    assert (captured["captured"], captured["amount_captured"]) == (True, 2000)
    assert (captured["amount_refunded"], captured["refunded"]) == (0, False)
    assert captured["balance_transaction"][:21] == "txn_" + charge[3:20]
    assert "capture_before" not in captured["payment_method_details"]["card"]
    assert account.get(f"/v1/charges/{charge}").json == captured
    assert len(account.charges) == 1


def test_a_partial_capture_releases_the_rest(account):
    captured = capture(account, held(account), "amount=500").json

    assert (captured["amount"], captured["amount_captured"]) == (2000, 500)
    assert captured["amount_refunded"] == 1500


def test_a_capture_may_say_more_of_the_charge(account):
    captured = capture(
        account,
        held(account),
        "statement_descriptor_suffix=Shop&receipt_email=a@b.c&transfer_group=g",
    ).json

    assert captured["calculated_statement_descriptor"] == "FAKESTRIPE* SHOP"
    assert (captured["receipt_email"], captured["transfer_group"]) == ("a@b.c", "g")
    assert captured["description"] == "x"


def test_what_a_capture_moved_is_journalled(account):
    charge = held(account)
    capture(account, charge, "amount=500")
    moved = account.bank.journal.attempts[-1].moved

    assert (moved.kind, moved.id, moved.charge) == ("capture", charge, charge)
    assert (moved.amount, moved.currency) == (500, "usd")


@pytest.mark.parametrize(
    ("form", "param", "message"),
    [
        (
            "amount=2001",
            "amount",
            "Capture amount ($20.01) is greater than charge amount ($20.00)",
        ),
        ("amount=0", "amount", "This value must be greater than or equal to 1."),
        ("foo=1", "foo", "Received unknown parameter: foo"),
        ("destination=1", "destination", NOT_EMULATED),
    ],
)
def test_a_capture_that_cannot_be_is_refused(account, form, param, message):
    charge = held(account)
    refused = capture(account, charge, form)

    assert (refused.status, refused.error["message"]) == (400, message)
    assert refused.error["param"] == param
    assert account.get(f"/v1/charges/{charge}").json["captured"] is False


def test_a_charge_is_captured_once(account):
    charge = held(account)
    capture(account, charge)
    again = capture(account, charge)

    assert (again.status, again.error["code"]) == (400, "charge_already_captured")
    assert again.error["message"] == f"Charge {charge} has already been captured."


def test_a_failed_charge_is_not_captured(account):
    failed = account.post(HELD.replace("tok_visa", "tok_chargeDeclined")).error["charge"]
    refused = capture(account, failed)

    assert refused.error["message"] == f"Charge {failed} failed and cannot be captured."


@pytest.mark.parametrize(("late", "status"), [(0, 200), (1, 400)])
def test_an_authorisation_lasts_seven_days(account, late, status):
    charge = held(account)
    account.bank.clock.advance(604_800 + late)
    answer = capture(account, charge)

    assert answer.status == status
    assert status == 200 or answer.error["code"] == "charge_expired_for_capture"


def test_an_unknown_charge_is_a_404_that_names_the_charge(account):
    refused = capture(account, "ch_x")

    assert (refused.status, refused.error["param"]) == (404, "charge")
    assert refused.error["message"] == "No such charge: 'ch_x'"
