"""Test cards and their outcomes: one table of cards, one of declines (stripe-facts 5)."""

from typing import Final

from msgspec import Struct


class Decline(Struct, frozen=True):
    """How a card fails when it is charged."""

    code: str
    decline_code: str | None
    message: str
    param: str | None = None
    advice: str | None = None
    network_advice: str | None = None
    network_decline: str | None = None
    blocked: bool = False


class TestCard(Struct, frozen=True):
    """A test card: what it shows, and how it ends."""

    number: str
    brand: str = "Visa"
    funding: str = "credit"
    country: str = "US"

    @property
    def last4(self) -> str:
        """The last four digits."""
        return self.number[-4:]


_DECLINED = "Your card was declined."

GENERIC: Final = Decline(
    "card_declined", "generic_decline", _DECLINED, advice="try_again_later", network_decline="01"
)
DECLINES: Final[dict[str, Decline]] = {
    "4000000000000002": GENERIC,
    "4000000000009995": Decline(
        "card_declined",
        "insufficient_funds",
        "Your card has insufficient funds.",
        advice="try_again_later",
        network_advice="02",
        network_decline="51",
    ),
    "4000000000009987": Decline(
        "card_declined",
        "lost_card",
        _DECLINED,
        advice="do_not_try_again",
        network_advice="01",
        network_decline="41",
    ),
    "4000000000009979": Decline(
        "card_declined",
        "stolen_card",
        _DECLINED,
        advice="do_not_try_again",
        network_advice="01",
        network_decline="43",
    ),
    "4000000000000069": Decline(
        "expired_card",
        "expired_card",
        "Your card has expired.",
        param="exp_month",
        advice="confirm_card_data",
        network_advice="03",
        network_decline="54",
    ),
    "4000000000000127": Decline(
        "incorrect_cvc",
        "incorrect_cvc",
        "Your card's security code is incorrect.",
        param="cvc",
        advice="confirm_card_data",
        network_advice="03",
        network_decline="N7",
    ),
    "4000000000000119": Decline(
        "processing_error",
        "processing_error",
        "An error occurred while processing your card. Try again in a little bit.",
        advice="try_again_later",
        network_decline="06",
    ),
    "4000000000006975": Decline(
        "card_declined",
        "card_velocity_exceeded",
        "Your card was declined for making repeated attempts too frequently or exceeding its "
        "amount limit.",
        advice="try_again_later",
        network_advice="02",
        network_decline="61",
    ),
    "4100000000000019": Decline("card_declined", "fraudulent", _DECLINED, blocked=True),
    "4000000000000341": GENERIC,
}
"""Cards that fail when charged, by number."""

TOKENS: Final[dict[str, TestCard]] = {
    "tok_visa": TestCard("4242424242424242"),
    "tok_visa_debit": TestCard("4000056655665556", funding="debit"),
    "tok_mastercard": TestCard("5555555555554444", "MasterCard"),
    "tok_mastercard_debit": TestCard("5200828282828210", "MasterCard", "debit"),
    "tok_mastercard_prepaid": TestCard("5105105105105100", "MasterCard", "prepaid"),
    "tok_amex": TestCard("378282246310005", "American Express"),
    "tok_discover": TestCard("6011111111111117", "Discover"),
    "tok_diners": TestCard("3056930009020004", "Diners Club"),
    "tok_jcb": TestCard("3566002020360505", "JCB"),
    "tok_unionpay": TestCard("6200000000000005", "UnionPay"),
    "tok_us": TestCard("4242424242424242"),
    "tok_ca": TestCard("4000001240000000", country="CA"),
    "tok_gb": TestCard("4000008260000000", country="GB"),
    "tok_bypassPending": TestCard("4000000000000077"),
    "tok_visa_chargeDeclined": TestCard("4000000000000002"),
    "tok_chargeDeclined": TestCard("4000000000000002"),
    "tok_visa_chargeDeclinedInsufficientFunds": TestCard("4000000000009995"),
    "tok_chargeDeclinedInsufficientFunds": TestCard("4000000000009995"),
    "tok_visa_chargeDeclinedLostCard": TestCard("4000000000009987"),
    "tok_visa_chargeDeclinedStolenCard": TestCard("4000000000009979"),
    "tok_chargeDeclinedExpiredCard": TestCard("4000000000000069"),
    "tok_chargeDeclinedIncorrectCvc": TestCard("4000000000000127"),
    "tok_chargeDeclinedProcessingError": TestCard("4000000000000119"),
    "tok_visa_chargeDeclinedVelocityLimitExceeded": TestCard("4000000000006975"),
    "tok_chargeDeclinedFraudulent": TestCard("4100000000000019"),
    "tok_radarBlock": TestCard("4100000000000019"),
    "tok_chargeCustomerFail": TestCard("4000000000000341"),
    "tok_visa_chargeCustomerFail": TestCard("4000000000000341"),
}
"""The magic tokens; unlike a real token they may be used again and again."""

DEFAULT: Final = TOKENS["tok_visa"]
ATTACHES: Final = frozenset({"4000000000000341"})
"""Numbers that can be attached to a customer although a charge on them fails."""


def decline_of(card: TestCard) -> Decline | None:
    """Return how the card fails, or None where it succeeds."""
    return DECLINES.get(card.number)
