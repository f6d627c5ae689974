"""Test cards and their outcomes: one table of cards, one of declines (stripe-facts 5).

Where the facts give no extras for a decline, none are shown. A blocked card's reason is today's
``highest_risk_level`` [G]. A card that needs authentication asks for it where its holder is there
(an on-session payment intent) and is declined everywhere else.
"""

from typing import Any, Final

from msgspec import Struct

from fakestripe.protocol.errors import StripeError


class Decline(Struct, frozen=True):
    """How a card fails when it is charged; the last three are the bank's advice."""

    code: str
    decline_code: str
    message: str
    param: str | None = None
    advice: str | None = None
    network_advice: str | None = None
    network_decline: str | None = None
    attaches: bool = False
    blocked: bool = False


class TestCard(Struct, frozen=True, cache_hash=True):
    """A test card: what it shows, and the results of its checks where there is what to check.

    An address is checked only where one was given, or where the card's name says the result.
    """

    number: str
    brand: str = "Visa"
    funding: str = "credit"
    country: str = "US"
    cvc_check: str = "pass"
    line1_check: str | None = None
    zip_check: str | None = None
    elevated: bool = False

    @property
    def last4(self) -> str:
        """The last four digits."""
        return self.number[-4:]


NETWORKS: Final = {
    "Visa": "visa",
    "MasterCard": "mastercard",
    "American Express": "amex",
    "Discover": "discover",
    "Diners Club": "diners",
    "JCB": "jcb",
    "UnionPay": "unionpay",
}
"""Brands as a card shows them, and as payment method details do."""

_DECLINED = "Your card was declined."
_FUNDS = "Your card has insufficient funds."
_EXPIRED = "Your card has expired."
_CVC = "Your card's security code is incorrect."
_PROCESSING = "An error occurred while processing your card. Try again in a little bit."
_VELOCITY = (
    "Your card was declined for making repeated attempts too frequently or exceeding its amount "
    "limit."
)
_AUTHENTICATE = "Your card was declined. This transaction requires authentication."
_LATER, _NEVER, _CONFIRM = "try_again_later", "do_not_try_again", "confirm_card_data"

DECLINES: Final[dict[str, Decline]] = {
    "4000000000000002": Decline(
        "card_declined", "generic_decline", _DECLINED, None, _LATER, None, "01"
    ),
    "4000000000009995": Decline(
        "card_declined", "insufficient_funds", _FUNDS, None, _LATER, "02", "51"
    ),
    "4000000000009987": Decline("card_declined", "lost_card", _DECLINED, None, _NEVER, "01", "41"),
    "4000000000009979": Decline(
        "card_declined", "stolen_card", _DECLINED, None, _NEVER, "01", "43"
    ),
    "4000000000000069": Decline(
        "expired_card", "expired_card", _EXPIRED, "exp_month", _CONFIRM, "03", "54"
    ),
    "4000000000000127": Decline(
        "incorrect_cvc", "incorrect_cvc", _CVC, "cvc", _CONFIRM, "03", "N7"
    ),
    "4000000000000119": Decline(
        "processing_error", "processing_error", _PROCESSING, None, _LATER, None, "06"
    ),
    "4000000000006975": Decline(
        "card_declined", "card_velocity_exceeded", _VELOCITY, None, _LATER, "02", "61"
    ),
    "4100000000000019": Decline(
        "card_declined", "fraudulent", _DECLINED, attaches=True, blocked=True
    ),
    "4000000000000341": Decline("card_declined", "generic_decline", _DECLINED, attaches=True),
    "4000002500003155": Decline(
        "authentication_required", "authentication_required", _AUTHENTICATE, attaches=True
    ),
}
"""Cards that fail when charged, by number; all but those that ``attaches`` fail on a customer."""

TOKENS: Final[dict[str, TestCard]] = {
    "tok_visa": TestCard("4242424242424242"),
    "tok_visa_debit": TestCard("4000056655665556", funding="debit"),
    "tok_mastercard": TestCard("5555555555554444", "MasterCard"),
    "tok_mastercard_debit": TestCard("5200828282828210", "MasterCard", "debit"),
    "tok_mastercard_prepaid": TestCard("5105105105105100", "MasterCard", "prepaid"),
    "tok_amex": TestCard("378282246310005", "American Express"),
    "tok_discover": TestCard("6011111111111117", "Discover"),
    "tok_diners": TestCard("3056930009020004", "Diners Club"),
    "tok_jcb": TestCard("3566002020360505", "JCB", country="JP"),
    "tok_unionpay": TestCard("6200000000000005", "UnionPay", country="CN"),
    "tok_us": TestCard("4242424242424242"),
    "tok_ca": TestCard("4000001240000000", country="CA"),
    "tok_gb": TestCard("4000008260000000", country="GB"),
    "tok_bypassPending": TestCard("4000000000000077"),
    "tok_avsFail": TestCard("4000000000000010", line1_check="fail", zip_check="fail"),
    "tok_avsLine1Fail": TestCard("4000000000000028", line1_check="fail", zip_check="pass"),
    "tok_avsZipFail": TestCard("4000000000000036", line1_check="pass", zip_check="fail"),
    "tok_avsUnchecked": TestCard(
        "4000000000000044", line1_check="unavailable", zip_check="unavailable"
    ),
    "tok_cvcCheckFail": TestCard("4000000000000101", cvc_check="fail"),
    "tok_riskLevelElevated": TestCard("4000000000009235", elevated=True),
    "tok_visa_chargeDeclined": TestCard("4000000000000002"),
    "tok_chargeDeclined": TestCard("4000000000000002"),
    "tok_visa_chargeDeclinedInsufficientFunds": TestCard("4000000000009995"),
    "tok_chargeDeclinedInsufficientFunds": TestCard("4000000000009995"),
    "tok_visa_chargeDeclinedLostCard": TestCard("4000000000009987"),
    "tok_visa_chargeDeclinedStolenCard": TestCard("4000000000009979"),
    "tok_chargeDeclinedExpiredCard": TestCard("4000000000000069"),
    "tok_chargeDeclinedIncorrectCvc": TestCard("4000000000000127", cvc_check="fail"),
    "tok_chargeDeclinedProcessingError": TestCard("4000000000000119"),
    "tok_visa_chargeDeclinedVelocityLimitExceeded": TestCard("4000000000006975"),
    "tok_chargeDeclinedFraudulent": TestCard("4100000000000019"),
    "tok_radarBlock": TestCard("4100000000000019"),
    "tok_chargeCustomerFail": TestCard("4000000000000341"),
    "tok_visa_chargeCustomerFail": TestCard("4000000000000341"),
}
"""The magic tokens; unlike a real token they may be used again and again."""

METHODS: Final = {
    **{f"pm_card_{name.removeprefix('tok_')}": card for name, card in TOKENS.items()},
    "pm_card_authenticationRequired": TestCard("4000002500003155"),
}
"""The magic payment methods: the same cards, and one that has no token."""

_NUMBERED: Final = (
    *METHODS.values(),
    TestCard("2223003122003222", "MasterCard"),
    TestCard("371449635398431", "American Express"),
    TestCard("6011000990139424", "Discover"),
    TestCard("6011981111111113", "Discover", "debit"),
    TestCard("36227206271667", "Diners Club"),
    TestCard("6205500000000000004", "UnionPay", country="CN"),
)
BY_NUMBER: Final = {card.number: card for card in reversed(_NUMBERED)}
"""Every test card by its number."""

VISA: Final = TOKENS["tok_visa"]
AUTHENTICATED: Final = "authentication_required"
"""The code of the decline that an authentication would have prevented."""


def decline_of(card: TestCard) -> Decline | None:
    """Return how the card fails, or None where it succeeds."""
    return DECLINES.get(card.number)


def declined(
    decline: Decline, *, param: str | None = None, charge: str | None = None, **objects: Any
) -> StripeError:
    """Return the 402 of a declined card, with its failed charge where there is one: recorded.

    ``objects`` are those that the error shows beside it: a payment intent, a payment method.
    """
    return StripeError(
        402,
        decline.message,
        type="card_error",
        code=decline.code,
        param=decline.param if decline.param is not None else param,
        recorded=True,
        advice_code=decline.advice,
        charge=charge,
        decline_code=decline.decline_code,
        network_advice_code=decline.network_advice,
        network_decline_code=decline.network_decline,
        **objects,
    )
