"""What may be charged in which currency (stripe-facts 3.2, 4.4)."""

import pytest

from fakestripe.resources.currencies import MINIMUM, SUPPORTED, shown


def charge(account, amount: int, currency: str):
    return account.post(f"amount={amount}&currency={currency}&source=tok_visa")


@pytest.mark.parametrize("currency", SUPPORTED)
def test_every_currency_has_a_smallest_amount(account, currency):
    least = MINIMUM.get(currency, 1)
    least = -(-least // 100) * 100 if currency in {"isk", "ugx"} else least
    least = 10 if currency in {"bhd", "jod", "kwd", "omr", "tnd"} else least

    assert charge(account, least, currency).json["currency"] == currency
    assert charge(account, MINIMUM.get(currency, 1) - 1, currency).status == 400


def test_a_currency_may_be_written_in_capitals(account):
    assert charge(account, 2000, "USD").json["currency"] == "usd"


def test_an_unknown_currency_is_answered_with_those_there_are(account):
    answer = charge(account, 2000, "XYZ")

    assert (answer.status, answer.error["param"], "code" in answer.error) == (
        400,
        "currency",
        False,
    )
    assert answer.error["message"].startswith(
        "Invalid currency: xyz. Stripe currently supports these currencies: usd, aed, afn, "
    )


@pytest.mark.parametrize(
    ("amount", "currency", "message", "code"),
    [
        (49, "usd", "Amount must be at least 50 cents", "amount_too_small"),
        (29, "gbp", "Amount must be at least £0.30", "amount_too_small"),
        (49, "jpy", "Amount must be at least ¥50", "amount_too_small"),
        (199, "sek", None, "amount_too_small"),
        (100_000_000, "usd", "Amount must be no more than $999,999.99", "amount_too_large"),
        (10**17, "usd", "Amount must be no more than $999,999.99", "amount_too_large"),
        (1001, "kwd", "Amounts in KWD must be multiples of 10.", None),
        (1050, "isk", "Amounts in ISK must be multiples of 100.", None),
    ],
)
def test_an_amount_beyond_the_limits_is_refused(account, amount, currency, message, code):
    answer = charge(account, amount, currency)

    assert (answer.status, answer.error["param"], answer.error.get("code")) == (
        400,
        "amount",
        code,
    )
    assert message in (None, answer.error["message"])


def test_the_largest_amount_is_eight_digits(account):
    assert charge(account, 99_999_999, "usd").status == 200


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (100_000, "usd", "$1,000.00"),
        (1000, "eur", "€10.00"),
        (1000, "jpy", "¥1,000"),
        (1500, "kwd", "1.500 kwd"),
        (1500, "krw", "1,500 krw"),
        (1500, "sek", "15.00 sek"),
    ],
)
def test_amounts_are_shown_with_the_decimals_of_their_currency(amount, currency, text):
    assert shown(amount, currency) == text
