"""The error object: its fields, their order, its bytes (stripe-facts 2.1, 3.1, 3.3)."""

import json

import pytest

from fakestripe.protocol import errors
from fakestripe.protocol.errors import CANNED, StripeError, canned

LOG = "https://dashboard.stripe.com/acct_1/test/workbench/logs?object=req_1"


def keys(body: bytes) -> list[str]:
    return list(json.loads(body)["error"])


def test_an_error_from_inside_is_alphabetical_pretty_and_ends_in_a_newline():
    body = StripeError(400, "No.", code="parameter_missing", param="amount").body(LOG)

    assert body == (
        b'{\n  "error": {\n    "code": "parameter_missing",\n'
        b'    "doc_url": "https://stripe.com/docs/error-codes/parameter-missing",\n'
        b'    "message": "No.",\n    "param": "amount",\n'
        b'    "request_log_url": "' + LOG.encode() + b'",\n'
        b'    "type": "invalid_request_error"\n  }\n}\n'
    )


def test_what_is_absent_is_left_out_but_an_empty_param_stays():
    """A card declined when attached names the empty string."""
    error = StripeError(402, "No.", type="card_error", param="", decline_code=None)

    assert keys(error.body(LOG)) == ["message", "param", "request_log_url", "type"]


def test_an_error_from_in_front_has_no_log_and_its_own_order():
    error = StripeError(401, "No.", code="api_key_expired", front=True)

    assert keys(error.body(LOG)) == ["message", "type", "code", "doc_url"]
    assert error.body(LOG).endswith(b"}\n")


def test_a_conflict_is_one_compact_line_and_no_idempotency_error():
    error = errors.in_flight("K1")

    assert (error.status, error.headers) == (409, (("Stripe-Should-Retry", "true"),))
    assert error.body(LOG) == (
        b'{"error":{"code":"idempotency_key_in_use",'
        b'"doc_url":"https://stripe.com/docs/error-codes/idempotency-key-in-use",'
        b'"message":"There is currently another in-progress request using this Idempotent Key '
        b"(that probably means you submitted twice, and the other request is still going "
        b'through): K1. Please try again later.","type":"invalid_request_error"}}'
    )


def test_a_mismatch_names_the_key():
    error = errors.mismatch("K1")

    assert (error.status, error.type, error.code) == (400, "idempotency_error", None)
    assert str(error) == (
        "Keys for idempotent requests can only be used with the same parameters they were first "
        "used with. Try using a key other than 'K1' if you meant to execute a different request."
    )
    assert keys(error.body(LOG)) == ["message", "request_log_url", "type"]


def test_another_endpoint_names_the_current_path_first():
    error = errors.other_endpoint("K1", "/v1/customers", "/v1/charges")

    assert (error.status, error.type, error.code) == (400, "idempotency_error", None)
    assert str(error) == (
        "Keys for idempotent requests can only be used for the same endpoint they were first "
        "used for ('/v1/customers' vs '/v1/charges'). Try using a key other than 'K1' if you "
        "meant to execute a different request."
    )


@pytest.mark.parametrize(
    ("name", "status", "error_type", "code", "headers"),
    [
        ("rate_limit", 429, "invalid_request_error", "rate_limit", ["Stripe-Rate-Limited-Reason"]),
        ("lock_timeout", 429, "invalid_request_error", "lock_timeout", ["Stripe-Should-Retry"]),
        (
            "idempotency_key_in_use",
            409,
            "invalid_request_error",
            "idempotency_key_in_use",
            ["Stripe-Should-Retry"],
        ),
        ("api_error", 500, "api_error", None, []),
        ("service_unavailable", 503, "api_error", None, []),
        ("unauthorized", 401, "invalid_request_error", None, ["WWW-Authenticate"]),
    ],
)
def test_the_errors_that_a_profile_may_name(name, status, error_type, code, headers):
    error = canned(name)

    assert (error.status, error.type, error.code) == (status, error_type, code)
    assert [header for header, _ in error.headers] == headers


def test_every_canned_error_is_in_the_table_above():
    assert len(CANNED) == 6


def test_a_rate_limit_is_compact_and_knows_no_request():
    assert canned("rate_limit").front
    assert canned("rate_limit").body(LOG) == (
        b'{"error":{"code":"rate_limit","doc_url":"https://stripe.com/docs/error-codes/rate-limit",'
        b'"message":"Request rate limit exceeded. Learn more about rate limits here '
        b'https://stripe.com/docs/rate-limits.","type":"invalid_request_error"}}'
    )


def test_what_is_not_emulated_is_said_in_a_header():
    assert errors.not_emulated("on_behalf_of").unsupported
    assert not errors.invalid_request("No.").unsupported
