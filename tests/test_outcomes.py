"""Every row of the outcomes of an idempotent request, one test a row (stripe-facts 1.2, 1.3).

A row is its status, its error, whether it is stored, and which headers tell of it.
"""

import pytest

from fakestripe.faults.kinds import Reply, Wait
from fakestripe.protocol.headers import refused_key

DECLINED = "amount=2000&currency=usd&source=tok_chargeDeclined"
INVALID = "amount=abc&currency=usd&source=tok_visa"
KEYED = ["Request-Id", "Stripe-Version", "Idempotency-Key", "Original-Request"]


def test_row_first_request_succeeds(account, charge_form):
    first = account.post(charge_form, "K1")

    assert (first.status, first.json["status"]) == (200, "succeeded")
    assert first.stored_under("K1")
    assert account.post(charge_form, "K1").replays(first)
    assert len(account.charges) == 1


def test_row_card_declined(account):
    first = account.post(DECLINED, "K1")

    assert (first.status, first.error["type"]) == (402, "card_error")
    assert first.stored_under("K1")
    assert account.post(DECLINED, "K1").replays(first)
    assert [charge.status for charge in account.charges] == ["failed"]


def test_row_business_rule_broken_inside_the_endpoint(account, charge_form):
    """A second capture, and a customer without a card: refused by the endpoint, and stored."""
    held = account.post(f"{charge_form}&capture=false").json["id"]
    account.post("", path=f"/v1/charges/{held}/capture")
    again = account.post("", "K1", path=f"/v1/charges/{held}/capture")
    poor = account.post("", path="/v1/customers").json["id"]
    broke = account.post(f"amount=2000&currency=usd&customer={poor}", "K2")

    assert (again.status, again.error["code"]) == (400, "charge_already_captured")
    assert again.stored_under("K1")
    assert account.post("", "K1", path=f"/v1/charges/{held}/capture").replays(again)
    assert (broke.status, broke.error["code"]) == (402, "missing")
    assert broke.stored_under("K2")
    assert account.post(f"amount=2000&currency=usd&customer={poor}", "K2").replays(broke)


@pytest.mark.parametrize(
    ("form", "param"),
    [
        (INVALID, "amount"),
        ("currency=usd&source=tok_visa", "amount"),
        ("amount=10&currency=usd&source=tok_visa", "amount"),
        ("amount=2000&currency=usd&source=tok_nobody", "source"),
        ("amount=2000&currency=usd&customer=cus_nobody", "customer"),
    ],
)
def test_row_parameter_validation_fails(account, charge_form, form, param):
    refused = account.post(form, "K1")

    assert (refused.status, refused.error["param"]) == (400, param)
    assert refused.error["type"] == "invalid_request_error"
    assert list(refused.headers) == KEYED
    assert refused.executed_nothing("K1")
    assert account.post(charge_form, "K1").status == 200


def test_row_id_in_the_path_not_found_on_a_post(account, charge_form):
    refused = account.post("", "K1", path="/v1/charges/ch_nobody/capture")

    assert (refused.status, refused.error["code"]) == (404, "resource_missing")
    assert list(refused.headers) == KEYED
    assert refused.executed_nothing("K1")
    assert account.post(charge_form, "K1").status == 200


def test_row_same_key_other_parameters(account, charge_form):
    first = account.post(charge_form, "K1")
    other = account.post(f"{charge_form}&description=x", "K1")

    assert other.status == 400
    assert other.error == {
        "type": "idempotency_error",
        "message": "Keys for idempotent requests can only be used with the same parameters they "
        "were first used with. Try using a key other than 'K1' if you meant to execute a "
        "different request.",
    }
    assert list(other.headers) == KEYED
    assert other.executed_nothing("K1")
    assert account.post(charge_form, "K1").replays(first)


def test_row_same_key_other_endpoint(account, charge_form):
    first = account.post(charge_form, "K1")
    other = account.post(charge_form, "K1", path="/v1/customers")

    assert other.status == 400
    assert other.error == {
        "type": "idempotency_error",
        "message": "Keys for idempotent requests can only be used for the same endpoint they "
        "were first used for ('/v1/customers' vs '/v1/charges'). Try using a key other than 'K1' "
        "if you meant to execute a different request.",
    }
    assert list(other.headers) == KEYED
    assert account.post(charge_form, "K1").replays(first)


def test_row_same_key_first_still_running(account, charge_form):
    account.fault("claimed", Wait(0.3))
    first = account.begin(charge_form, "K1")
    twin = account.post(charge_form, "K1")
    first.to_the_end()

    assert (twin.status, twin.error["type"]) == (409, "invalid_request_error")
    assert twin.error["code"] == "idempotency_key_in_use"
    assert twin.error["message"] == (
        "There is currently another in-progress request using this Idempotent Key (that probably "
        "means you submitted twice, and the other request is still going through): K1. Please "
        "try again later."
    )
    assert twin.executed_nothing("K1")
    assert twin.headers["Stripe-Should-Retry"] == "true"
    assert first.answer.stored_under("K1")
    assert account.post(charge_form, "K1").replays(first.answer)


def test_row_object_lock(account, charge_form):
    """The retry with the same key executes, under an ``Original-Request`` of its own."""
    account.fault("received", Reply(stripe="lock_timeout"))
    locked = account.post(charge_form, "K1")
    again = account.post(charge_form, "K1")

    assert (locked.status, locked.error["code"]) == (429, "lock_timeout")
    assert locked.executed_nothing("K1")
    assert locked.headers["Stripe-Should-Retry"] == "true"
    assert "Stripe-Rate-Limited-Reason" not in locked.headers
    assert "request_log_url" in locked.json["error"]
    assert again.stored_under("K1")


def test_row_rate_limit(account, charge_form):
    account.fault("received", Reply(stripe="rate_limit"))
    limited = account.post(charge_form, "K1")

    assert (limited.status, limited.error["code"]) == (429, "rate_limit")
    assert list(limited.headers) == ["Stripe-Rate-Limited-Reason"]
    assert limited.body == limited.body.strip()
    assert account.post(charge_form, "K1").stored_under("K1")


@pytest.mark.parametrize(
    ("api_key", "status", "header"),
    [
        (None, 401, "WWW-Authenticate"),
        ("foo", 401, "WWW-Authenticate"),
        ("pk_test_x", 403, "X-Robots-Tag"),
    ],
)
def test_row_missing_or_bad_api_key(account, charge_form, api_key, status, header):
    account.refusal = refused_key(api_key)
    refused = account.post(charge_form, "K1")
    account.refusal = None

    assert (refused.status, refused.error["type"]) == (status, "invalid_request_error")
    assert list(refused.headers) == [header]
    assert "request_log_url" not in refused.json["error"]
    assert refused.body.endswith(b"}\n")
    assert account.post(charge_form, "K1").stored_under("K1")


@pytest.mark.parametrize(
    ("point", "fault", "charges"),
    [
        ("claimed", Reply(stripe="api_error"), 0),
        ("committed", Reply(stripe="api_error", record="substitute"), 1),
    ],
)
def test_row_server_error_after_execution_began(account, charge_form, point, fault, charges):
    account.fault(point, fault)
    failed = account.post(charge_form, "K1")

    assert (failed.status, failed.error) == (
        500,
        {"type": "api_error", "message": "An unknown error occurred"},
    )
    assert failed.stored_under("K1")
    assert account.post(charge_form, "K1").replays(failed)
    assert len(account.charges) == charges


@pytest.mark.parametrize("point", ["received", "claimed", "committed"])
@pytest.mark.parametrize(
    "fault", [Reply(stripe="service_unavailable"), Reply(status=502), Reply(status=504)]
)
def test_row_server_error_before_execution_or_at_the_edge(account, charge_form, point, fault):
    """Not stored; behind it stands the truth, and a retry hears it."""
    account.fault(point, fault)
    failed = account.post(charge_form, "K1")
    again = account.post(charge_form, "K1")

    assert failed.status == (fault.status or 503)
    assert "Stripe-Should-Retry" not in failed.headers
    assert again.status == 200
    assert ("Idempotent-Replayed" in again.headers) == (point == "committed")
    assert len(account.charges) == 1
