"""Cases D11, D12, D13, D23: what a careless body, header or number gets."""

from urllib.parse import quote_plus

import pytest

JSON = b'{"amount": 2000, "currency": "usd", "source": "tok_visa"}'
NOT_PARSED = (
    "The request body must be sent as application/x-www-form-urlencoded; JSON and other bodies "
    "are not parsed."
)


@pytest.fixture
def base(charge_form):
    return charge_form


class TestD11:
    """``&currency`` turned into a currency sign."""

    @pytest.mark.parametrize("body", [b"amount=2000\xc2\xa4cy=usd", b"amount=2000%C2%A4cy=usd"])
    def test_the_sign_is_part_of_the_amount_and_no_integer(self, account, base, body):
        refused = account.post(body, "K1")

        assert (refused.status, refused.error["type"]) == (400, "invalid_request_error")
        assert (refused.error["param"], refused.error["code"]) == (
            "amount",
            "parameter_invalid_integer",
        )
        assert refused.error["message"] == "Invalid integer: 2000¤cy=usd"
        assert account.post(base, "K1").status == 200
        assert len(account.charges) == 1

    def test_an_escaped_ampersand_is_part_of_a_name(self, account, base):
        refused = account.post(b"amount=2000&amp;currency=usd", "K1")

        assert (refused.status, refused.error["param"]) == (400, "amp;currency")
        assert refused.error["message"] == "Received unknown parameter: amp;currency"
        assert account.post(base, "K1").status == 200
        assert len(account.charges) == 1


class TestD12:
    """JSON or text sent to a form API."""

    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            (JSON, "application/json"),
            (b"amount=2000&currency=usd&source=tok_visa", "text/plain"),
            (JSON, "multipart/form-data; boundary=x"),
        ],
    )
    def test_another_content_type_is_named_in_the_refusal(self, account, base, body, kind):
        refused = account.post(body, "K1", content_type=kind)

        assert (refused.status, refused.error["type"]) == (400, "invalid_request_error")
        assert refused.error["message"] == f"Invalid content type: {kind}. {NOT_PARSED}"
        assert refused.executed_nothing("K1")
        assert account.charges == []
        assert account.post(base, "K1").status == 200

    def test_json_that_claims_to_be_a_form_is_one_unknown_name(self, account, base):
        refused = account.post(JSON, "K1")

        assert (refused.status, refused.error["code"]) == (400, "parameter_unknown")
        assert account.charges == []
        assert account.post(base, "K1").status == 200

    def test_a_form_without_a_content_type_is_a_form(self, account, base):
        """Decided: a body without a type is read as what the API takes."""
        assert account.post(base, "K1", content_type=None).status == 200


class TestD13:
    """Numbers and booleans are strict."""

    @pytest.mark.parametrize(
        "amount",
        [
            *("7840.000000000001", "9175.2", "1.0038e+06", "", " 2000", "2_000", "+2000"),
            "\uff12\uff10\uff10\uff10",
        ],
    )
    def test_what_is_no_integer_is_refused_and_shown(self, account, amount):
        refused = account.post(f"amount={quote_plus(amount)}&currency=usd&source=tok_visa", "K1")

        assert (refused.status, refused.error["param"]) == (400, "amount")
        assert refused.error["code"] == "parameter_invalid_integer"
        assert refused.error["message"] == f"Invalid integer: {amount}"
        assert account.charges == []

    @pytest.mark.parametrize(
        ("amount", "code"),
        [
            ("-5", "parameter_invalid_integer"),
            ("0", "parameter_invalid_integer"),
            ("49", "amount_too_small"),
        ],
    )
    def test_what_is_too_small_is_refused(self, account, amount, code):
        refused = account.post(f"amount={amount}&currency=usd&source=tok_visa", "K1")

        assert (refused.status, refused.error["param"]) == (400, "amount")
        assert refused.error["code"] == code
        assert account.charges == []

    def test_a_plus_that_is_a_space_is_refused_like_one(self, account):
        refused = account.post("amount=+2000&currency=usd&source=tok_visa")

        assert refused.error["message"] == "Invalid integer:  2000"

    @pytest.mark.parametrize("capture", ["1", "YES", "True"])
    def test_what_is_no_boolean_is_refused(self, account, base, capture):
        refused = account.post(f"{base}&capture={capture}", "K1")

        assert (refused.status, refused.error["param"]) == (400, "capture")
        assert refused.error["message"] == f"Invalid boolean: {capture}"
        assert account.charges == []

    @pytest.mark.parametrize(("capture", "captured"), [("true", True), ("false", False)])
    def test_true_and_false_are_booleans(self, account, base, capture, captured):
        assert account.post(f"{base}&capture={capture}").json["captured"] is captured


class TestD23:
    """Key length and emptiness."""

    @pytest.mark.parametrize(("key", "size"), [("", 0), ("k" * 256, 256), ("   ", 0)])
    def test_an_empty_key_and_one_of_256_are_refused(self, account, base, key, size):
        refused = account.post(base, key)

        assert (refused.status, refused.error) == (
            400,
            {
                "type": "invalid_request_error",
                "message": "Invalid Idempotency-Key: it must be 1 to 255 characters long, but "
                f"you passed in a value that is {size} characters.",
            },
        )
        assert "Idempotency-Key" not in refused.headers
        assert account.charges == []

    @pytest.mark.parametrize("key", ["k", "k" * 255])
    def test_one_character_and_255_are_keys(self, account, base, key):
        assert account.post(base, key).stored_under(key)

    def test_no_key_is_no_protection(self, account, base):
        assert [account.post(base).status for _ in range(2)] == [200, 200]
        assert len(account.charges) == 2
