"""D14: a decline names the charge that it leaves: it failed, it is listed, it is no payment."""

import pytest

from fakestripe.verdict import judge, records_of

DECLINED = "amount=2000&currency=usd&source=tok_chargeDeclined&metadata[order_id]=ord_1"
MESSAGE = "Your card was declined."


@pytest.fixture
def declined(account):
    return account.post(DECLINED, "K1")


def test_d14_the_error_carries_the_id_of_a_charge(declined):
    error = {name: declined.error[name] for name in ("type", "code", "decline_code", "message")}

    assert declined.status == 402
    assert declined.error["charge"].startswith("ch_")
    assert error == {
        "type": "card_error",
        "code": "card_declined",
        "decline_code": "generic_decline",
        "message": MESSAGE,
    }


def test_d14_the_charge_has_failed_and_has_no_decline_code(account, declined):
    charge = account.get(f"/v1/charges/{declined.error['charge']}").json

    assert (charge["status"], charge["paid"]) == ("failed", False)
    assert (charge["failure_code"], charge["failure_message"]) == ("card_declined", MESSAGE)
    assert "decline_code" not in charge


def test_d14_the_charge_is_listed(account, declined):
    listed = account.get("/v1/charges").json["data"]

    assert [charge["id"] for charge in listed] == [declined.error["charge"]]


def test_d14_the_charge_is_no_payment(account):
    account.bank.journal.note("intent", {"operation": "ord_1", "amount": 2000})
    account.post(DECLINED, "K1")
    account.bank.journal.note("outcome", {"operation": "ord_1", "outcome": "failed"})
    account.bank.place()
    verdict = judge(records_of(account.bank.journal))

    assert [each.charges for each in verdict.operations] == [()]
    assert (verdict.word, verdict.charges) == ("unpaid", 0)
