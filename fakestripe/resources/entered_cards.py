"""Card details as somebody typed them: in a token, a payment method, the ``source`` of a charge.

What every API would see (a missing field, no integer) is parameter validation. What only a bank
can see is a ``card_error``, recorded under the key as every 402 is: the number, the expiry, the
security code. A number that is valid and no test card is declined, as in Stripe's test mode, when
the details are given [G: Stripe may wait for the charge].
"""

from datetime import UTC, datetime
from typing import Final

from msgspec import Struct, structs

from fakestripe.protocol.errors import StripeError
from fakestripe.protocol.params import Params, Readers
from fakestripe.resources.cards import BY_NUMBER, Decline, declined
from fakestripe.resources.desk import Desk
from fakestripe.resources.sources import Card, behind, new_card


class EnteredCard(Struct, frozen=True, gc=False):
    """The details of a card."""

    number: str
    exp_month: int
    exp_year: int
    cvc: str | None = None
    name: str | None = None
    address_city: str | None = None
    address_country: str | None = None
    address_line1: str | None = None
    address_line2: str | None = None
    address_state: str | None = None
    address_zip: str | None = None


_NEEDED: Final = frozenset({"number", "exp_month", "exp_year"})
_OPTIONAL: Final[Readers] = {
    name: Params.unsettable for name in EnteredCard.__struct_fields__ if name not in _NEEDED
}
_KNOWN: Final = frozenset({*EnteredCard.__struct_fields__, "object"})
_NOT_EMULATED: Final = frozenset({"currency", "networks", "metadata"})


def read_card(given: Params) -> EnteredCard:
    """Read the details of a card; those beside them are known to the caller."""
    given.only(_KNOWN, refused=_NOT_EMULATED)
    return EnteredCard(
        number=given.required_text("number"),
        exp_month=given.required_int("exp_month"),
        exp_year=given.required_int("exp_year"),
        **given.given(_OPTIONAL),
    )


def entered_card(desk: Desk, entered: EnteredCard) -> Card:
    """Return the card object of entered details; raises the ``card_error`` of wrong ones."""
    number = entered.number.replace(" ", "").replace("-", "")
    _check(entered, number, datetime.fromtimestamp(desk.now, UTC))
    test_card = BY_NUMBER.get(number)
    if test_card is None:
        raise declined(NO_TEST_CARD)
    lines = {name: getattr(entered, name) for name in _OPTIONAL if name != "cvc"}
    return structs.replace(
        new_card(desk.ledger, test_card),
        **lines,
        exp_month=entered.exp_month,
        exp_year=_century(entered.exp_year),
        cvc_check=UNCHECKED if entered.cvc else None,
        address_line1_check=UNCHECKED if entered.address_line1 else None,
        address_zip_check=UNCHECKED if entered.address_zip else None,
    )


def verified(card: Card) -> Card:
    """Return a card after its bank was asked: what was unchecked has its result."""
    test_card = behind(card)
    results = {
        "cvc_check": test_card.cvc_check,
        "address_line1_check": test_card.line1_check or "pass",
        "address_zip_check": test_card.zip_check or "pass",
    }
    found = {name: said for name, said in results.items() if getattr(card, name) == UNCHECKED}
    return structs.replace(card, **found) if found else card


UNCHECKED: Final = "unchecked"
NO_TEST_CARD: Final = Decline(
    "card_declined",
    "test_mode_live_card",
    "Your card was declined. Your request was in test mode, but used a non test card. For a list "
    "of valid test cards, visit: https://stripe.com/docs/testing.",
)
_LENGTHS: Final = range(12, 20)
_CVC_LENGTHS: Final = (3, 4)
_MONTHS: Final = range(1, 13)
_LONGEST_LIFE: Final = 50
"""Years in the future at which a card's expiry is no year any more [G]."""


def _check(entered: EnteredCard, number: str, today: datetime) -> None:
    year, cvc = _century(entered.exp_year), entered.cvc
    month_is_over = (year, entered.exp_month) < (today.year, today.month)
    if len(number) not in _LENGTHS or not _is_digits(number) or _luhn(number) % 10:
        raise _wrong("number", "incorrect_number", "Your card number is incorrect.")
    if not today.year <= year <= today.year + _LONGEST_LIFE:
        raise _wrong("exp_year", "invalid_expiry_year", "Your card's expiration year is invalid.")
    if entered.exp_month not in _MONTHS or month_is_over:
        text = "Your card's expiration month is invalid."
        raise _wrong("exp_month", "invalid_expiry_month", text)
    if cvc is not None and (len(cvc) not in _CVC_LENGTHS or not _is_digits(cvc)):
        raise _wrong("cvc", "invalid_cvc", "Your card's security code is invalid.")


def _wrong(param: str, code: str, message: str) -> StripeError:
    return StripeError(402, message, type="card_error", code=code, param=param, recorded=True)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _luhn(number: str) -> int:
    """Return the check sum of a card number, a multiple of ten where it holds."""
    digits = [int(digit) for digit in reversed(number)]
    return sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])


def _century(year: int) -> int:
    """Return the year that two digits mean."""
    return year + 2000 if 0 <= year < 100 else year  # noqa: PLR2004
